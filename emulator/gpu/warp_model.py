"""What a GPU would do with a batch, counted on a host: how well warps keep together, and what that would cost.

Counts are exact and the same on every machine. Speeds are a model: issue slots that follow from counts and machine
code, over the slots that a GPU has. Left out are the PPU's and the APU's work, DMA, drawing and waiting for memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.emulator import _gpu
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.native import native_arguments
from nesproof.emulator.gpu.disassembly import MachineCosts
from nesproof.emulator.gpu.specialisation import Schedule

__all__ = ["H200", "Gpu", "WarpCounts", "count_warps", "issue_slots", "modelled_frames_per_second"]

LANES = 32


@dataclass(frozen=True)
class Gpu:
    """What a modelled speed is for.

    Attributes:
        name: of the product.
        multiprocessors, schedulers: each scheduler issues one instruction of a warp a cycle.
        clock_hz: boost clock.
        utilisation: share of the issue slots that are used.
    """

    name: str
    multiprocessors: int
    schedulers: int
    clock_hz: float
    utilisation: float


H200 = Gpu("H200", 132, 4, 1.98e9, 0.6)
"""https://resources.nvidia.com/en-us-gpu-resources/hpc-datasheet-sc23; the utilisation is an assumption."""


@dataclass(frozen=True)
class WarpCounts:
    """A run of warps, counted. A step is one choice of the schedule: the chosen lanes run a block of instructions.

    Attributes:
        warp_frames: frames of warps.
        steps: of all warps.
        lane_steps: lanes that ran in them.
        waiting_lane_steps: lanes that waited for their turn.
        finished_lane_steps: lanes that had ended their frame or their step and waited for the slowest.
        instructions: 6502 instructions of the fast machine; of a step's lanes, those of the longest.
        exact_steps: steps that needed the machine that goes cycle by cycle.
        exact_cycles: its cycles; of a step's lanes, those of the longest.
        ram_sectors_interleaved, ram_sectors_one_by_one: sectors of 32 bytes of RAM that memory instructions touch, with
            lanes interleaved, and with consoles one after the other.
        state_sectors_interleaved, state_sectors_one_by_one: the same of the whole state, RAM included.
        code_sectors: of the program, read by the fast machine.
        opcodes: of `instructions`: index of the fast machine's opcode, count, whether it ends a block; by name.
    """

    warp_frames: int
    steps: int
    lane_steps: int
    waiting_lane_steps: int
    finished_lane_steps: int
    instructions: int
    exact_steps: int
    exact_cycles: int
    ram_sectors_interleaved: int
    ram_sectors_one_by_one: int
    state_sectors_interleaved: int
    state_sectors_one_by_one: int
    code_sectors: int
    opcodes: dict[str, tuple[int, int, bool]]

    @property
    def active_lanes(self) -> float:
        """Lanes that run in a step, of 32."""
        return self.lane_steps / self.steps

    @property
    def all_lane_steps(self) -> int:
        """Lanes of all steps, running or not."""
        return self.lane_steps + self.waiting_lane_steps + self.finished_lane_steps

    def figures(self, costs: MachineCosts | None = None) -> dict[str, float]:
        """The figures that are compared.

        - `active_lanes`: lanes that run in a step, of 32;
        - `block_steps`: steps of a warp for a frame;
        - `waiting_share`, `finished_share`: of all lanes in all steps;
        - `ram_sectors`, `state_sectors` and both `..._one_by_one`: sectors that a step touches;
        - `ram_sectors_an_instruction`: the first, of an emulated instruction that the warp issues;
        - `rom_sectors`: sectors of program that a step reads;
        - `instructions_a_step`, `exact_step_share`;
        - with the kernel's costs, `machine_instructions_a_step` of the fast machine, and `issue_slots` of a warp for a
          frame.
        """
        steps = self.steps
        figures = {
            "active_lanes": self.active_lanes,
            "block_steps": steps / self.warp_frames,
            "waiting_share": self.waiting_lane_steps / self.all_lane_steps,
            "finished_share": self.finished_lane_steps / self.all_lane_steps,
            "ram_sectors": self.ram_sectors_interleaved / steps,
            "ram_sectors_one_by_one": self.ram_sectors_one_by_one / steps,
            "ram_sectors_an_instruction": self.ram_sectors_interleaved / max(1, self.instructions),
            "state_sectors": self.state_sectors_interleaved / steps,
            "state_sectors_one_by_one": self.state_sectors_one_by_one / steps,
            "rom_sectors": self.code_sectors / steps,
            "instructions_a_step": self.instructions / steps,
            "exact_step_share": self.exact_steps / steps,
        }
        if costs is not None:
            figures["machine_instructions_a_step"] = _fast_slots(self, costs) / steps
            figures["issue_slots"] = issue_slots(self, costs)
        return figures


def count_warps(
    cartridge: Cartridge,
    states: NDArray[np.uint8],
    buttons: NDArray[np.uint8],
    *,
    schedule: Schedule = "smallest-key",
    frame_skip: int = 1,
    aligned_frames: bool = True,
    idle_skipping: bool = True,
) -> WarpCounts:
    """Run warps of 32 consoles under a schedule, and count.

    Args:
        cartridge: in all consoles.
        states: snapshots, uint8 [N, bytes].
        buttons: uint8 [N, F] or [N, F, 2].
        schedule: which lanes run next.
        frame_skip: frames of a step, after which all lanes have met.
        aligned_frames: the lanes of a warp also wait for each other at each frame's end, as in the kernels.
        idle_skipping: loops that wait are skipped.

    Raises:
        ValueError: another shape, schedule or board.
    """
    header_bytes = _gpu.SNAPSHOT_HEADER_BYTES
    held = np.zeros((*buttons.shape[:2], 2), np.uint8)
    held[..., : 1 if buttons.ndim == 2 else 2] = buttons.reshape(*buttons.shape[:2], -1)
    counts: dict[str, Any] = _gpu.count_warps(
        **native_arguments(cartridge),
        idle_skipping=idle_skipping,
        bodies=np.ascontiguousarray(states[:, header_bytes:]),
        buttons=held,
        frames_at_once=1 if aligned_frames else frame_skip,
        schedule=schedule,
    )
    return WarpCounts(**counts)


def issue_slots(counts: WarpCounts, costs: MachineCosts) -> float:
    """Machine instructions that a warp issues for a frame, at least."""
    return (_fast_slots(counts, costs) + counts.exact_cycles * costs.exact_cycle) / counts.warp_frames


def modelled_frames_per_second(slots: float, gpu: Gpu = H200) -> float:
    """Frames of all consoles together, were nothing else in the way."""
    return LANES * gpu.multiprocessors * gpu.schedulers * gpu.clock_hz * gpu.utilisation / slots


def _fast_slots(counts: WarpCounts, costs: MachineCosts) -> int:
    slots = counts.steps * costs.choice
    for index, count, ends_block in counts.opcodes.values():
        slots += count * (costs.last if ends_block else costs.inner).get(index, 0)
    return slots
