"""The kernels without a GPU, for the core's adapter: what the compiler says, and what the schedule does on a CPU."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from nesproof.harness.subjects.console_adapter import cartridge_of

__all__ = ["compiled", "counted"]


def compiled(rom: bytes, arch: str, kernel_cache: str | None) -> dict[str, Any]:
    """The kernels for one architecture, in figures. Raises ValueError where the compiler is not installed."""
    from nesproof.emulator.gpu.cache import KernelCache
    from nesproof.emulator.gpu.compile import compile_kernels
    from nesproof.emulator.gpu.errors import GpuUnavailableError, UnknownArchitectureError
    from nesproof.emulator.gpu.specialisation import Specialisation

    cache = KernelCache(Path(kernel_cache)) if kernel_cache else None
    try:
        kernels = compile_kernels(Specialisation.of(cartridge_of(rom)), arch, cache=cache)
    except (GpuUnavailableError, UnknownArchitectureError) as fault:
        raise ValueError(str(fault)) from fault
    return {
        "compiler": kernels.compiler,
        "compile_seconds": kernels.compile_seconds,
        "was_cached": kernels.was_cached,
        "functions": [dataclasses.asdict(function) for function in kernels.functions],
    }


def counted(rom: bytes, states: bytes, buttons: bytes, args: dict[str, Any]) -> dict[str, float]:
    """One run of the warp model from the lanes' states, in figures.

    - `active_lanes`: lanes that run in a step, of 32;
    - `block_steps`: steps of a warp for a frame;
    - `waiting_share`, `finished_share`: of all lanes in all steps, those that wait for their turn, and those that have
      finished and wait for the slowest;
    - `ram_sectors`, `ram_sectors_one_by_one`: sectors of 32 bytes of RAM that a step touches, with lanes interleaved
      and with consoles one after the other; `state_sectors` and `state_sectors_one_by_one` of the whole state;
    - `rom_sectors`: sectors of program that a step reads;
    - `instructions_a_step`, `exact_step_share`: emulated instructions in a step, and the share of steps that go cycle
      by cycle;
    - `ram_sectors_an_instruction`: sectors of RAM for each emulated instruction that a warp issues, the step of a
      schedule that chooses anew for every instruction.
    """
    from nesproof.emulator import _gpu
    from nesproof.emulator._reference import SNAPSHOT_HEADER_BYTES
    from nesproof.emulator.cartridge.native import native_arguments

    lanes, frames = args["lanes"], args["frames"]
    size, rest = divmod(len(states), lanes)
    if rest:
        raise ValueError(f"{len(states)} bytes are no {lanes} states of equal size")
    bodies = np.frombuffer(states, np.uint8).reshape(lanes, size)[:, SNAPSHOT_HEADER_BYTES:]
    held = np.zeros((lanes, frames, 2), np.uint8)
    held[:, :, 0] = np.frombuffer(buttons, np.uint8).reshape(lanes, frames)
    counts = _gpu.count_warps(
        **native_arguments(cartridge_of(rom)),
        idle_skipping=True,
        bodies=np.ascontiguousarray(bodies),
        buttons=held,
        frames_at_once=args["frame_skip"],
        schedule=args["schedule"],
    )
    steps = counts["steps"]
    everyone = counts["lane_steps"] + counts["waiting_lane_steps"] + counts["finished_lane_steps"]
    return {
        "active_lanes": counts["lane_steps"] / steps,
        "block_steps": steps / counts["warp_frames"],
        "waiting_share": counts["waiting_lane_steps"] / everyone,
        "finished_share": counts["finished_lane_steps"] / everyone,
        "ram_sectors": counts["ram_sectors_interleaved"] / steps,
        "ram_sectors_one_by_one": counts["ram_sectors_one_by_one"] / steps,
        "state_sectors": counts["state_sectors_interleaved"] / steps,
        "state_sectors_one_by_one": counts["state_sectors_one_by_one"] / steps,
        "rom_sectors": counts["code_sectors"] / steps,
        "instructions_a_step": counts["instructions"] / steps,
        "ram_sectors_an_instruction": counts["ram_sectors_interleaved"] / max(counts["instructions"], 1),
        "exact_step_share": counts["exact_steps"] / steps,
    }
