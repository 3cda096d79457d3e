"""What is recorded of the place where a run took place: source, machine, packages. Nothing here names its owner."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import psutil

from nesproof.harness.evidence.model import Gpu, Machine, Package, Source

__all__ = ["capture_machine", "capture_packages", "capture_source", "installed_version", "usable_cores"]

ROOMS = ("benchmarks", "emulator", "harness", "reports", "roms_manifest", "suites")
_NO_SOURCE_SUFFIXES = (".pyc", ".pyo", ".so", ".pyd", ".dylib", ".tmp")
_BUILT_ONLY_SUFFIXES = (".cpp", ".hpp", ".def", ".cu")


def installed_version() -> str:
    """The version of the installed distribution, or "0+uninstalled" for a bare source tree."""
    try:
        return importlib.metadata.version("nesproof")
    except importlib.metadata.PackageNotFoundError:
        return "0+uninstalled"


def capture_source() -> Source:
    """Which nesproof runs here.

    The commit is named only where the running files are, byte for byte, those of a git working tree: the tree itself
    (editable or on the path), or the folder that pip installed from. C++ sources are not part of an installed package:
    for what was compiled of them stand the build's own commit and hashes (`Build`).
    """
    tree = _tree_sha256(_package_root())
    commit, dirty = None, None
    for folder in _working_trees():
        if commit is None and _tree_sha256(folder) == tree:
            commit, dirty = _git_state(folder)
    return Source(version=installed_version(), commit=commit, dirty=dirty, tree_sha256=tree)


def capture_packages() -> tuple[Package, ...]:
    """Every distribution that this Python can import, sorted by name."""
    found = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name:
            found[name.lower()] = Package(name=name[:200], version=(distribution.version or "unknown")[:200])
    return tuple(found[name] for name in sorted(found))


def capture_machine() -> Machine:
    """The machine: kind of processor, cores, memory, GPUs."""
    return Machine(
        os=_os_name(),
        kernel=f"{platform.system()} {platform.release()}"[:200],
        arch=platform.machine(),
        cpu_model=_cpu_model()[:200],
        physical_cores=psutil.cpu_count(logical=False),
        logical_cores=psutil.cpu_count() or 1,
        usable_cores=usable_cores(),
        memory_bytes=psutil.virtual_memory().total,
        governor=_first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        virtualised=_virtualised(),
        gpus=_gpus(),
    )


def usable_cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no affinity
        return os.cpu_count() or 1


# --- Source ----------------------------------------------------------------------------------------------------------


def _package_root() -> Path:
    return Path(__file__).parents[2]


@functools.lru_cache(maxsize=8)
def _tree_sha256(root: Path) -> str:
    digest = hashlib.sha256()
    for room in ROOMS:
        for path in _source_files(root / room):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _source_files(folder: Path) -> Iterator[Path]:
    """Files that are the same in a checkout and in an installed package."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and not path.name.endswith(_NO_SOURCE_SUFFIXES + _BUILT_ONLY_SUFFIXES):
            yield path


def _working_trees() -> Iterator[Path]:
    # Rooms may be symlinked into a namespace folder: the real one counts.
    yield Path(__file__).resolve().parents[2]
    try:
        origin = importlib.metadata.distribution("nesproof").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return
    url = urlparse(json.loads(origin).get("url", "")) if origin else urlparse("")
    if url.scheme == "file":
        yield Path(unquote(url.path))


def _git_state(folder: Path) -> tuple[str | None, bool | None]:
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != folder.resolve():
        return None, None
    commit = _git(folder, "rev-parse", "HEAD")
    status = _git(folder, "status", "--porcelain", "--", *ROOMS, "CMakeLists.txt", "pyproject.toml")
    return commit, None if status is None else bool(status)


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


# --- Machine ---------------------------------------------------------------------------------------------------------


def _first_line(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[0].strip()[:200]
    except (OSError, IndexError):
        return None


def _os_name() -> str:
    try:
        release = platform.freedesktop_os_release()
    except (OSError, AttributeError):
        return f"{platform.system()} {platform.mac_ver()[0]}".strip()[:200]
    return release.get("PRETTY_NAME", platform.system())[:200]


def _cpuinfo() -> dict[str, str]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition(":") for line in lines if ":" in line)
    found: dict[str, str] = {}
    for key, _, value in pairs:
        found.setdefault(key.strip(), value.strip())
    return found


def _cpu_model() -> str:
    named = _cpuinfo().get("model name")
    if named:
        return named
    try:
        asked = subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, timeout=5, check=False
        )
        if asked.returncode == 0 and asked.stdout.strip():
            return asked.stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        pass
    return platform.processor() or "unknown"


def _virtualised() -> bool | None:
    flags = _cpuinfo().get("flags")
    return None if flags is None else "hypervisor" in flags.split()


def _gpus() -> tuple[Gpu, ...]:
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:  # no driver, which is what most machines have
        return ()
    try:
        return tuple(_gpu(index) for index in range(pynvml.nvmlDeviceGetCount()))
    except pynvml.NVMLError:
        return ()
    finally:
        pynvml.nvmlShutdown()


def _gpu(index: int) -> Gpu:
    import pynvml

    handle = pynvml.nvmlDeviceGetHandleByIndex(index)
    major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(handle)

    def clock(kind: int) -> int | None:
        try:
            return int(pynvml.nvmlDeviceGetClockInfo(handle, kind))
        except pynvml.NVMLError:
            return None

    return Gpu(
        name=_words(pynvml.nvmlDeviceGetName(handle)),
        driver=_words(pynvml.nvmlSystemGetDriverVersion()),
        memory_bytes=int(pynvml.nvmlDeviceGetMemoryInfo(handle).total),
        compute_capability=f"{major}.{minor}",
        sm_clock_mhz=clock(pynvml.NVML_CLOCK_SM),
        memory_clock_mhz=clock(pynvml.NVML_CLOCK_MEM),
    )


def _words(value: str | bytes) -> str:
    return (value.decode(errors="replace") if isinstance(value, bytes) else value)[:200]
