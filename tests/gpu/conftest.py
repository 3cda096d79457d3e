"""A GPU that is none: the driver's face over host memory, with the kernels' own text compiled for the host."""

import ctypes
import hashlib
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
HOST_KERNELS = Path(__file__).parent / "host_kernels.cpp"


@pytest.fixture(scope="session")
def scroller() -> Cartridge:
    return Cartridge.load(Resolver().read("house/scroller"))


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> KernelCache:
    """One for all tests of a session, so that each kernel is compiled once."""
    folder = tmp_path_factory.mktemp("kernels")
    folder.chmod(0o700)
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

    def __init__(self, library: Path, part: Part) -> None:
        self.cubin = str(library).encode()
        self.part = part


@pytest.fixture(scope="session")
def compile_for_host() -> Callable[..., HostKernels]:
    """What stands for `compile_kernels`; libraries are kept in a private folder, by what they were made of."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler is at hand")
    folder = Path(os.environ.get("NESPROOF_HOST_KERNELS", "")) if "NESPROOF_HOST_KERNELS" in os.environ else None

    def compiled(specialisation: Specialisation, architecture: str, part: Part = "plain") -> HostKernels:
        assert architecture == "host"
        sources = [
            p for where in ("core", "gpu", "state") for p in sorted((EMULATOR / where).rglob("*.?*")) if p.is_file()
        ]
        digest = hashlib.sha256(repr((compiler, specialisation, part)).encode())
        for source in [*sources, HOST_KERNELS]:
            if source.suffix in {".hpp", ".def", ".cu", ".cpp"}:
                digest.update(source.read_bytes())
        library = _kept(folder) / f"host-kernels-{digest.hexdigest()[:24]}.so"
        if not library.exists():
            fresh = library.with_suffix(f".{os.getpid()}")
            command = [compiler, "-O1", "-std=c++20", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{EMULATOR}"]
            done = subprocess.run(
                [*command, *specialisation.options(part), str(HOST_KERNELS), "-o", str(fresh)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr[-5000:]
            fresh.rename(library)
        return HostKernels(library, part)

    return compiled


_FOLDERS: list[Path] = []


def _kept(folder: Path | None) -> Path:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    if not _FOLDERS:
        import tempfile

        _FOLDERS.append(Path(tempfile.mkdtemp(prefix="nesproof-host-kernels-")))
    return _FOLDERS[0]


@pytest.fixture
def host_gpu(monkeypatch: pytest.MonkeyPatch, compile_for_host: Callable[..., HostKernels]) -> HostDriver:
    """A driver to hand to `CudaBatch(driver=...)`, whose kernels are then compiled for the host."""
    monkeypatch.setattr("nesproof.emulator.gpu.batch.compile_kernels", compile_for_host)
    return HostDriver()
