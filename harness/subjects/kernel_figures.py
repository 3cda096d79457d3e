"""The kernels without a GPU, for the core's adapter: what the compiler says, and what the schedule does on a CPU."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nesproof.harness.probes.elf_sections import kernel_code_sha256
from nesproof.harness.subjects.console_adapter import cartridge_of

if TYPE_CHECKING:
    from nesproof.emulator.gpu.disassembly import MachineCosts

__all__ = ["compiled", "counted"]


def compiled(rom: bytes, arch: str, kernel_cache: str | None) -> dict[str, Any]:
    """The kernels for one architecture, in figures: both binaries', which are compiled side by side.

    Raises ValueError where the compiler is not installed.
    """
    from nesproof.emulator.gpu.cache import KernelCache
    from nesproof.emulator.gpu.compile import compile_all
    from nesproof.emulator.gpu.errors import GpuUnavailableError, UnknownArchitectureError
    from nesproof.emulator.gpu.specialisation import Specialisation

    cache = KernelCache(Path(kernel_cache)) if kernel_cache else None
    try:
        binaries = compile_all(Specialisation.of(cartridge_of(rom)), arch, cache=cache)
    except (GpuUnavailableError, UnknownArchitectureError) as fault:
        raise ValueError(str(fault)) from fault
    return {
        "compiler": binaries[0].compiler,
        "compile_seconds": max(binary.compile_seconds for binary in binaries),
        "was_cached": all(binary.was_cached for binary in binaries),
        "machine_code": {binary.part: kernel_code_sha256(binary.cubin) for binary in binaries},
        "functions": [
            {**dataclasses.asdict(function), "name": f"{binary.part}: {function.name}"}
            for binary in binaries
            for function in binary.functions
        ],
    }


def counted(
    rom: bytes, states: bytes, buttons: bytes, args: dict[str, Any], kernel_cache: str | None
) -> dict[str, float]:
    """One run of the warp model from the lanes' states, in the figures of `WarpCounts.figures`.

    With `args["arch"]`, the machine code of that architecture is counted as well. Raises ValueError where the compiler
    for it is not installed.
    """
    from nesproof.emulator.gpu.warp_model import count_warps

    cartridge = cartridge_of(rom)
    lanes = args["lanes"]
    size, rest = divmod(len(states), lanes)
    if rest:
        raise ValueError(f"{len(states)} bytes are no {lanes} states of equal size")
    counts = count_warps(
        cartridge,
        np.frombuffer(states, np.uint8).reshape(lanes, size),
        np.frombuffer(buttons, np.uint8).reshape(lanes, args["frames"]),
        schedule=args["schedule"],
        frame_skip=args["frame_skip"],
    )
    costs = None if args["arch"] is None else _costs(rom, args["arch"], kernel_cache)
    return counts.figures(costs)


def _costs(rom: bytes, arch: str, kernel_cache: str | None) -> MachineCosts:
    from nesproof.emulator.gpu.cache import KernelCache
    from nesproof.emulator.gpu.compile import compile_kernels
    from nesproof.emulator.gpu.disassembly import machine_costs
    from nesproof.emulator.gpu.errors import GpuUnavailableError
    from nesproof.emulator.gpu.specialisation import Specialisation

    cache = KernelCache(Path(kernel_cache)) if kernel_cache else None
    try:
        return machine_costs(compile_kernels(Specialisation.of(cartridge_of(rom)), arch, cache=cache).cubin)
    except GpuUnavailableError as fault:
        raise ValueError(str(fault)) from fault
