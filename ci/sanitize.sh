#!/usr/bin/env bash
# Fuzzes the native console under AddressSanitizer and UndefinedBehaviorSanitizer, and the cartridge loader with Hypothesis.
#
# usage: [SECONDS=600] [CXX=...] [PYTHON=...] [SEED=1] ci/sanitize.sh
#
# Four native targets (tests/fuzz) and the loader's properties (tests/cartridge) run side by side for SECONDS seconds.
# With clang and its runtime the targets are libFuzzer's; with another compiler a plain mutation loop drives the same code.
# Exit code 0: no finding. 1: a finding; its input lies in build/sanitize/findings. 2: something is missing, or does not compile.
set -euo pipefail

# bash counts SECONDS itself, from the value that it is started with: 0 where nobody gave one.
duration=$SECONDS
[ "$duration" -gt 0 ] || duration=600

cd "$(dirname "$0")/.."
root=$PWD
out=$root/build/sanitize
findings=$out/findings
targets="program snapshot flat_cpu core"
seed=${SEED:-1}
mkdir -p "$out" "$findings"

python=${PYTHON:-}
if [ -z "$python" ]; then
  if [ -x .venv/bin/python ]; then python=$root/.venv/bin/python; else python=python3; fi
fi
if ! "$python" -c "import hypothesis, pytest, nesproof.emulator.cartridge" 2>/dev/null; then
  echo "sanitize: $python has no nesproof with its dev extra; run 'make install-dev' first, or set PYTHON." >&2
  exit 2
fi

flags="-std=c++20 -O1 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -fno-sanitize-recover=all -Iemulator -Itests/fuzz"
has_libfuzzer() {
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    "$1" -std=c++20 -fsanitize=fuzzer,address,undefined -x c++ - -o "$out/probe" 2>/dev/null
}
has_sanitizers() {
  echo 'int main() {}' | "$1" -std=c++20 -fsanitize=address,undefined -x c++ - -o "$out/probe" 2>/dev/null
}

compiler=""
for candidate in ${CXX:-clang++ clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14}; do
  if command -v "$candidate" >/dev/null && has_libfuzzer "$candidate"; then
    compiler=$candidate
    engine=libFuzzer
    break
  fi
done
if [ -z "$compiler" ]; then
  for candidate in ${CXX:-g++ c++}; do
    if command -v "$candidate" >/dev/null && has_sanitizers "$candidate"; then
      compiler=$candidate
      engine="a mutation loop"
      break
    fi
  done
fi
if [ -z "$compiler" ]; then
  echo "sanitize: no compiler here has AddressSanitizer; install clang with its runtime (libclang-rt-*-dev), or g++ with libasan." >&2
  exit 2
fi

echo "sanitize: $engine, $("$compiler" --version | head -n 1), $duration s, seed $seed"
# Objects are built once for all targets. `fuzzer-no-link` gives coverage without libFuzzer's main.
sanitizers=address,undefined
link=$sanitizers
driver=()
if [ "$engine" = libFuzzer ]; then
  sanitizers=fuzzer-no-link,$sanitizers
  link=fuzzer,$link
else
  driver=("$root/tests/fuzz/mutation_driver.cpp")
fi
# In the batch's files of a board all instructions together are one function: with checks of every pointer clang takes
# half an hour for one of them. AddressSanitizer finds what most of those would.
objects=()
commands=()
for source in $(find emulator/reference emulator/batch -name '*.cpp' | sort); do
  object=$out/${source//\//_}.o
  checks=-fsanitize=$sanitizers
  case $source in *_aos.cpp | *_interleaved.cpp) checks=-fno-sanitize=null,alignment,object-size,vptr,pointer-overflow ;; esac
  objects+=("$object")
  commands+=("$checks" "$source" -o "$object")
done
echo "sanitize: compiling ${#objects[@]} files, which takes minutes"
printf '%s\0' "${commands[@]}" |
  xargs -0 -n 4 -P "$(getconf _NPROCESSORS_ONLN)" "$compiler" $flags -fsanitize=$sanitizers -c || {
  echo "sanitize: the console does not compile with $compiler; its words are above." >&2
  exit 2
}
for target in $targets; do
  "$compiler" $flags -fsanitize=$link "tests/fuzz/fuzz_$target.cpp" "${driver[@]}" "${objects[@]}" -pthread -o "$out/fuzz_$target"
done

rm -rf "$out/seeds"
"$python" tests/fuzz/write_seeds.py "$out/seeds"

export ASAN_OPTIONS=abort_on_error=1:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
names=()
ids=()
trap 'kill "${ids[@]}" 2>/dev/null || true' EXIT
for target in $targets; do
  log=$out/$target.log
  if [ "$engine" = libFuzzer ]; then
    mkdir -p "$out/corpus/$target"
    # Long inputs from the start: a run is too short for libFuzzer to grow to them by itself.
    case $target in program | core) most=100000 ;; snapshot) most=16384 ;; *) most=2048 ;; esac
    "$out/fuzz_$target" -max_total_time="$duration" -timeout=25 -max_len=$most -len_control=0 -seed="$seed" -print_final_stats=1 \
      -artifact_prefix="$findings/$target-" "$out/corpus/$target" "$out/seeds/$target" >"$log" 2>&1 &
  else
    "$out/fuzz_$target" "$duration" "$seed" "$findings/$target-input" "$out/seeds/$target"/* >"$log" 2>&1 &
  fi
  names+=("$target")
  ids+=($!)
done

# Hypothesis has no time limit of its own: rounds of the long profile, each with another seed, until the time is up. A
# failure that the end of the time cuts off while it is being shrunk is in Hypothesis' database: the short round at the
# end replays it.
loader_round() {
  NESPROOF_HYPOTHESIS_PROFILE=$1 timeout "$2" "$python" -m pytest tests/cartridge/test_fuzz_loader.py -q \
    -p no:cacheprovider --hypothesis-seed=$((seed + rounds))
}
fuzz_loader() {
  local end=$((SECONDS + duration)) rounds=0 left code
  while left=$((end - SECONDS)) && [ "$left" -gt 0 ]; do
    code=0
    loader_round long "$left" || code=$?
    case $code in
      0) rounds=$((rounds + 1)) ;;
      124) break ;;
      *) return "$code" ;;
    esac
  done
  loader_round quick 300 || return
  echo "$rounds whole rounds of 100,000 inputs and one cut off by the end of the time"
}
fuzz_loader >"$out/loader.log" 2>&1 &
names+=(loader)
ids+=($!)

failed=0
for i in "${!ids[@]}"; do
  if wait "${ids[$i]}"; then
    echo "sanitize: ${names[$i]}: no finding; $(tail -n 100 "$out/${names[$i]}.log" | grep -E 'runs,|number_of_executed_units|rounds' | tail -n 1)"
  else
    failed=1
    echo "sanitize: ${names[$i]}: FINDING; the end of build/sanitize/${names[$i]}.log:" >&2
    tail -n 40 "$out/${names[$i]}.log" >&2
  fi
done
exit "$failed"
