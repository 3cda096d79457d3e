"""A GPU that is none: the driver's face over host memory, with the kernels' own text compiled for the host."""

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import nesproof.emulator
from nesproof.emulator import Cartridge
from nesproof.emulator.gpu.cache import KernelCache
from nesproof.emulator.gpu.cubin import FunctionFigures
from nesproof.emulator.gpu.errors import GpuMemoryError
from nesproof.emulator.gpu.specialisation import Part, Specialisation
from nesproof.roms_manifest import Resolver

EMULATOR = Path(nesproof.emulator.__file__).parent
HERE = Path(__file__).parent
HOST_KERNELS = HERE / "host_kernels.cpp"


@pytest.fixture(scope="session")
def scroller() -> Cartridge:
    return Cartridge.load(Resolver().read("house/scroller"))


@pytest.fixture(scope="session")
def board_program() -> Any:
    """`board_program.py`: a program for any board."""
    spec = importlib.util.spec_from_file_location("gpu_board_program", HERE / "board_program.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def session_cache(once: Any) -> KernelCache:
    """One for all processes of a run, so that each kernel is compiled once."""
    folder = once.folder / "kernels"
    folder.mkdir(mode=0o700, exist_ok=True)
    return KernelCache(folder)


class TimedEvent:
    at = 0


class HostDriver:
    """What `nesproof.emulator.gpu.driver.Driver` offers, on the host: memory is NumPy's, a stream does all at once.

    It keeps an account of what was asked for, so that a test can see it.
    """

    device_type = 1  # DLPack's number for the host
    ordinal = 0
    architecture = "host"
    multiprocessors = 2
    name = "a host"

    def __init__(self, memory_bytes: int = 1 << 30) -> None:
        self._memory: dict[int, NDArray[np.uint8]] = {}
        self._memory_bytes = memory_bytes
        self.launches: list[str] = []
        self.waits: list[tuple[int, Any]] = []
        self.unloaded = 0
        self.timed_events = 0
        self.synchronized = 0

    @property
    def allocations(self) -> int:
        return len(self._memory)

    def allocate(self, size_bytes: int) -> int:
        if size_bytes > self.free_bytes():
            raise GpuMemoryError("the host driver was told to have no more")
        array = np.zeros(max(size_bytes, 1) + 64, np.uint8)
        address = -(-array.ctypes.data // 64) * 64
        self._memory[address] = array
        return address

    def free(self, address: int) -> None:
        del self._memory[address]

    def free_bytes(self) -> int:
        return self._memory_bytes - sum(array.nbytes for array in self._memory.values())

    def upload(self, address: int, data: NDArray[Any], stream: int) -> None:
        assert data.flags.c_contiguous
        ctypes.memmove(address, data.ctypes.data, data.nbytes)

    def download(self, address: int, out: NDArray[Any], stream: int) -> None:
        assert out.flags.c_contiguous
        ctypes.memmove(out.ctypes.data, address, out.nbytes)

    def make_stream(self) -> int:
        return 77

    def destroy_stream(self, stream: int) -> None:
        assert stream == 77

    def make_event(self, *, timing: bool = False) -> Any:
        self.timed_events += timing
        return TimedEvent() if timing else "event"

    def destroy_event(self, event: Any) -> None:
        self.timed_events -= isinstance(event, TimedEvent)

    def record(self, event: Any, stream: int) -> None:
        if isinstance(event, TimedEvent):
            event.at = len(self.launches)

    def milliseconds(self, begin: "TimedEvent", end: "TimedEvent") -> float:
        """A kernel takes one."""
        return end.at - begin.at

    def wait(self, stream: int, event: Any) -> None:
        self.waits.append((stream, event))

    def synchronize(self, stream: int) -> None:
        self.synchronized += 1

    def load(self, cubin: bytes) -> Any:
        library = ctypes.CDLL(cubin.decode())
        library.host_variable.restype = ctypes.c_void_p
        return library

    def unload(self, module: Any) -> None:
        self.unloaded += 1

    def function(self, module: Any, name: str) -> Any:
        return module, name.encode()

    def variable(self, module: Any, name: str) -> tuple[int, int]:
        return module.host_variable(name.encode()), 24 if name == "nesproof_cartridge" else 16

    def launch(self, function: Any, blocks: int, threads: int, arguments: Sequence[Any], stream: int) -> None:
        assert stream == 77
        assert threads % 32 == 0
        module, name = function
        self.launches.append(name.decode())
        pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        assert module.host_launch(name, blocks, threads, pointers), f"{name} failed"


class HostKernels:
    """Stands for `CompiledKernels`: its binary is the path of a library."""

    functions: tuple[FunctionFigures, ...] = ()

    def __init__(self, library: Path, specialisation: Specialisation, part: Part) -> None:
        self.cubin = str(library).encode()
        self.specialisation = specialisation
        self.part = part


@pytest.fixture(scope="session")
def compile_for_host(once: Any) -> Callable[..., HostKernels]:
    """What stands for `compile_kernels`; each library is compiled once in a run."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler is at hand")

    def compiled(specialisation: Specialisation, architecture: str, part: Part = "plain") -> HostKernels:
        assert architecture == "host"
        options = specialisation.options(part)

        def make(library: Path) -> None:
            command = [compiler, "-O1", "-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{EMULATOR}"]
            done = subprocess.run(
                [*command, *options, str(HOST_KERNELS), "-o", str(library)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr[-5000:]

        digest = hashlib.sha256(repr((compiler, options, part)).encode()).hexdigest()
        return HostKernels(once(f"host-kernels-{digest[:24]}.so", make), specialisation, part)

    return compiled


@pytest.fixture
def host_gpu(monkeypatch: pytest.MonkeyPatch, compile_for_host: Callable[..., HostKernels]) -> HostDriver:
    """A driver to hand to `CudaBatch(driver=...)`, whose kernels are then compiled for the host."""
    monkeypatch.setattr("nesproof.emulator.gpu.batch.compile_kernels", compile_for_host)
    return HostDriver()
