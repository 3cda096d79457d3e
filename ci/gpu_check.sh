#!/usr/bin/env bash
# Everything that needs a GPU, in under five minutes: install, compile, parity and independence of each kind of board, a
# sweep of batch sizes, memory. Run it in the repository's root on a machine with an NVIDIA GPU and its driver; a CUDA
# toolkit is not needed.
#
#   ci/gpu_check.sh [FOLDER]     evidence goes to FOLDER (gpu-evidence by default): gpu_check.json, and what
#                                `nesproof verify` keeps of the claims about a GPU
#
# PYTHON   the Python that makes the environment (python3)
# EXTRA    cuda (CUDA 13) or cuda12 (older cards and drivers)
# INSTALL  0: nesproof is installed already, for $PYTHON
#
# Exit code: 0 all is well; 1 something differs from what it must equal; 2 no GPU, or nothing that drives it.
set -euo pipefail

out=${1:-gpu-evidence}
python=${PYTHON:-python3}
extra=${EXTRA:-cuda}
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)

say() { printf 'gpu_check: %s\n' "$*" >&2; }

if ! command -v nvidia-smi >/dev/null; then
  say "nvidia-smi is not here: no NVIDIA driver is installed"
  exit 2
fi
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,temperature.gpu --format=csv > "$out/nvidia-smi.csv"

if [ "${INSTALL:-1}" != 0 ]; then
  say "installing nesproof[$extra] into an environment of its own"
  "$python" -m venv "$out/environment"
  python=$out/environment/bin/python
  "$python" -m pip install --disable-pip-version-check --quiet "$root[$extra]"
fi

# Away from the sources, so that the installed package is what is checked.
cd "$out"
export NESPROOF_HOME=$out/home NESPROOF_OFFLINE=1

code=0
say "compiling, parity, independence, sweep, memory"
"$python" "$root/ci/gpu_check.py" --out "$out/gpu_check.json" || code=$?
if [ "$code" != 0 ]; then
  say "gpu_check.py ends with exit code $code; the claims are not measured"
  exit "$code"
fi

say "measuring the claims about a GPU"
"$python" -m nesproof.harness.cli verify --claim 'cuda.*' --claim 'memory.core-cuda.*' --claim parity.cuda.house \
  --claim independence.cuda --budget 2 --json "$out/verify.json" || code=$?
say "evidence is in $out"
exit "$code"
