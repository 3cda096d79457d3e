"""Compiles the kernels by NVRTC, which needs no CUDA toolkit and no GPU, and keeps the result on disk."""

from __future__ import annotations

import hashlib
import importlib.metadata
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from nesproof.emulator.gpu.cache import Entry, KernelCache
from nesproof.emulator.gpu.cubin import FunctionFigures, function_figures
from nesproof.emulator.gpu.errors import (
    INSTALL_REMEDY,
    GpuUnavailableError,
    KernelCompilationError,
    UnknownArchitectureError,
)
from nesproof.emulator.gpu.sources import KERNELS, kernel_sources
from nesproof.emulator.gpu.specialisation import PARTS, Part, Specialisation

__all__ = ["MAX_REGISTERS", "CompiledKernels", "compile_all", "compile_kernels", "compiler_version", "options_for"]

MAX_REGISTERS = 128
"""A thread's, at most: four warps of each of a multiprocessor's four schedulers then fit."""


@dataclass(frozen=True)
class CompiledKernels:
    """The kernels for one architecture and specialisation.

    Attributes:
        cubin: the binary that a driver loads.
        architecture: such as "sm_90".
        specialisation: the constants that it was compiled with.
        part: which of the two binaries.
        functions: kernels and the functions that they call, in figures.
        compiler: NVRTC's version.
        compile_seconds: what compiling took, then.
        was_cached: it came from the disk.
        log: the compiler's output.
    """

    cubin: bytes
    architecture: str
    specialisation: Specialisation
    part: Part
    functions: tuple[FunctionFigures, ...]
    compiler: str
    compile_seconds: float
    was_cached: bool
    log: str

    @property
    def registers(self) -> int:
        """The most registers that a kernel's thread takes."""
        return max((f.registers or 0 for f in self.functions), default=0)

    @property
    def spill_bytes(self) -> int:
        """Bytes of spill stores and loads in the kernels themselves."""
        return sum(f.spill_store_bytes + f.spill_load_bytes for f in self.functions if f.is_kernel)

    @property
    def saved_bytes(self) -> int:
        """The same in the functions that they call, which the compiler does not tell from what they save and restore
        for their callers.
        """
        return sum(f.spill_store_bytes + f.spill_load_bytes for f in self.functions if not f.is_kernel)


def compile_kernels(
    specialisation: Specialisation,
    architecture: str,
    part: Part = "plain",
    *,
    cache: KernelCache | None = None,
    sources: dict[str, bytes] | None = None,
    line_info: bool = False,
) -> CompiledKernels:
    """Compile the kernels, or take them from the cache.

    Args:
        specialisation: the constants.
        architecture: "sm_75", "sm_90" and so on; one that NVRTC knows.
        part: which of the two binaries.
        cache: the folder; the user's by default.
        sources: instead of the package's own, by name.
        line_info: keep which source line each machine instruction came from.

    Raises:
        GpuUnavailableError: the compiler is not installed.
        UnknownArchitectureError: NVRTC does not know the architecture.
        KernelCompilationError: the sources do not compile.
    """
    nvrtc = _nvrtc()
    version = compiler_version()
    cache = KernelCache() if cache is None else cache
    files = kernel_sources() if sources is None else sources
    options = options_for(specialisation, architecture, part, line_info=line_info)
    key = _key(files, options, version)
    entry = cache.get(key)
    was_cached = entry is not None
    if entry is None:
        _require_architecture(nvrtc, architecture)
        entry = _compile(nvrtc, files, options, architecture)
        cache.put(key, entry)
    return CompiledKernels(
        cubin=entry.cubin,
        architecture=architecture,
        specialisation=specialisation,
        part=part,
        functions=function_figures(entry.log, entry.cubin),
        compiler=version,
        compile_seconds=entry.compile_seconds,
        was_cached=was_cached,
        log=entry.log,
    )


def compile_all(
    specialisation: Specialisation, architecture: str, *, cache: KernelCache | None = None
) -> tuple[CompiledKernels, ...]:
    """Compile every part, at the same time.

    Raises:
        GpuUnavailableError, UnknownArchitectureError, KernelCompilationError: as `compile_kernels`.
    """
    with ThreadPoolExecutor(len(PARTS)) as pool:
        pending = [pool.submit(compile_kernels, specialisation, architecture, part, cache=cache) for part in PARTS]
        return tuple(compiled.result() for compiled in pending)


def options_for(
    specialisation: Specialisation, architecture: str, part: Part = "plain", *, line_info: bool = False
) -> tuple[str, ...]:
    """NVRTC's options, all of them."""
    return (
        f"--gpu-architecture={architecture}",
        "-std=c++20",
        "--device-as-default-execution-space",
        # Without it a switch over opcodes becomes a tree of comparisons.
        "-jtd=10",
        "--restrict",
        "--ptxas-options=-v",
        *(("-lineinfo",) if line_info else ()),
        *specialisation.options(part),
    )


def compiler_version() -> str:
    """NVRTC's version, such as "13.0 (13.0.88)": the library's, and its package's where it came in one.

    Raises:
        GpuUnavailableError: it is not installed.
    """
    nvrtc = _nvrtc()
    major, minor = _checked(nvrtc, nvrtc.nvrtcVersion())
    package = "nvidia-cuda-nvrtc" if major >= 13 else f"nvidia-cuda-nvrtc-cu{major}"
    try:
        return f"{major}.{minor} ({importlib.metadata.version(package)})"
    except importlib.metadata.PackageNotFoundError:  # a toolkit's own
        return f"{major}.{minor}"


def _key(files: dict[str, bytes], options: tuple[str, ...], version: str) -> str:
    digest = hashlib.sha256()
    for part in (version, *options):
        digest.update(f"{len(part.encode())}:{part}".encode())
    for name, text in files.items():
        digest.update(f"{name}:{len(text)}:".encode() + text)
    return digest.hexdigest()


def _compile(nvrtc: Any, files: dict[str, bytes], options: tuple[str, ...], architecture: str) -> Entry:
    headers = {name: text for name, text in files.items() if name != KERNELS}
    program = _checked(
        nvrtc,
        nvrtc.nvrtcCreateProgram(
            files[KERNELS],
            KERNELS.encode(),
            len(headers),
            list(headers.values()),
            [name.encode() for name in headers],
        ),
    )
    try:
        started = time.perf_counter()
        outcome = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])[0]
        seconds = time.perf_counter() - started
        log = _text(nvrtc, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
        log = log.rstrip("\0 \n") + "\n"
        if outcome != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            first = next((line for line in log.splitlines() if "error" in line), outcome.name)
            raise KernelCompilationError(f"the kernels do not compile for {architecture}: {first.strip()}", log)
        cubin = _text(nvrtc, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program)
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return Entry(cubin, log, seconds)


def _text(nvrtc: Any, size_of: Any, fill: Any, program: Any) -> bytes:
    # NVRTC writes into the buffer that it is given.
    buffer = bytes(_checked(nvrtc, size_of(program)))
    _checked(nvrtc, fill(program, buffer))
    return buffer


def _require_architecture(nvrtc: Any, architecture: str) -> None:
    known = [f"sm_{number}" for number in _checked(nvrtc, nvrtc.nvrtcGetSupportedArchs())]
    if architecture.removesuffix("a").removesuffix("f") not in known:
        raise UnknownArchitectureError(
            f"NVRTC {compiler_version()} compiles for {', '.join(known)}, not for {architecture!r}"
        )


def _checked(nvrtc: Any, answer: tuple[Any, ...]) -> Any:
    result, *values = answer
    if result != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise KernelCompilationError(f"NVRTC answers with {result.name}", "")
    return values[0] if len(values) == 1 else values


def _nvrtc() -> Any:
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except Exception as fault:  # the loader of the shared library raises its own kinds
        raise GpuUnavailableError(
            f"The kernels' compiler is not installed ({type(fault).__name__}).", remedy=INSTALL_REMEDY
        ) from fault
    return nvrtc
