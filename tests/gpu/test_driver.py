"""How the CUDA driver's bindings are called, held against a driver that is a stub (stub_driver.cpp)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nesproof.emulator import Cartridge
from nesproof.emulator.gpu.specialisation import PARTS, Specialisation
from nesproof.roms_manifest import Resolver

STUB = Path(__file__).parent / "stub_driver.cpp"

SCRIPT = """
import json, sys
import numpy as np
from types import SimpleNamespace
from nesproof.emulator import Batch, Cartridge
from nesproof.emulator.gpu import CudaBatch, GpuMemoryError
import nesproof.emulator.gpu.batch as module

rom, libraries = sys.argv[1], json.loads(sys.argv[2])

def compiled(specialisation, architecture, part="plain"):
    assert architecture == "sm_90", architecture
    cubin = libraries[part].encode() + b"\\0"
    return SimpleNamespace(cubin=cubin, specialisation=specialisation, part=part, functions=())

module.compile_kernels = compiled
cartridge = Cartridge.load(rom)
held = np.random.default_rng(3).integers(0, 256, (33, 6, 2), np.uint8)
cpu, gpu = Batch(cartridge, 33), Batch(cartridge, 33, device="cuda")
assert type(gpu) is CudaBatch
begin = gpu.mark()
for batch in (cpu, gpu):
    batch.step(held[:, :4])
    batch.step(held[:, 4:], record="all")
assert np.array_equal(gpu.digest().numpy(), cpu.digest())
assert np.array_equal(gpu.draw().numpy(), cpu.draw())
assert np.array_equal(gpu.rgb().numpy(), cpu.rgb())
assert np.array_equal(gpu.read([0x10, 0x11]).numpy(), cpu.read([0x10, 0x11]))
gpu.load_states(gpu.save_states())
assert np.array_equal(gpu.digest().numpy(), cpu.digest())
gpu.synchronize()
assert gpu.milliseconds(begin, gpu.mark()) > 0
try:
    Batch(cartridge, 100_000, device="cuda:0")
except GpuMemoryError as fault:
    assert "on Stub: about" in str(fault), fault
else:
    raise AssertionError("100,000 consoles fit into 1 GiB")
print(gpu.device, gpu.gpu_name, gpu.memory.state_bytes, gpu.stream)
frame = gpu.frame
gpu.close()
del gpu
assert frame.numpy().shape == (33, 240, 256)
"""


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("cuda.bindings", reason="the extra cuda is not installed")
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler is at hand")
    folder = tmp_path_factory.mktemp("stub")
    command = [compiler, "-O1", "-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", str(STUB), "-ldl"]
    subprocess.run([*command, "-o", str(folder / "libcuda.so.1")], check=True, timeout=120)
    return folder


def run(script: str, *arguments: str, stub: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    # The parent's modules, wherever they came from, and the stub before any driver that is installed.
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LD_LIBRARY_PATH": str(stub)}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=env | environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_a_batch_by_the_drivers_bindings(stub: Path, scroller: Cartridge, compile_for_host: Callable[..., Any]) -> None:
    specialisation = Specialisation.of(scroller)
    libraries = {part: compile_for_host(specialisation, "host", part).cubin.decode() for part in PARTS}
    rom = str(Resolver().find("house/scroller"))
    done = run(SCRIPT, rom, json.dumps(libraries), stub=stub)
    assert done.returncode == 0, done.stderr[-3000:]
    device, name, state_bytes, stream = done.stdout.split()
    assert (device, name, int(stream)) == ("cuda:0", "Stub", 0x77)
    assert 0 < int(state_bytes) <= 8192


def test_no_gpu_is_a_sentence(stub: Path) -> None:
    script = "from nesproof.emulator.gpu.driver import Driver; Driver({})"
    done = run(script.format("None"), stub=stub, STUB_NO_GPU="1")
    assert "GpuUnavailableError: The CUDA driver shows no GPU. Use device='cpu'" in done.stderr
    done = run(script.format("3"), stub=stub)
    assert "There is no GPU cuda:3; the only one is cuda:0." in done.stderr
