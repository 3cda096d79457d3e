"""What `nesproof kernel model` counts and prints: the kernels' schedules on a CPU, and the speed that would follow."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from rich.table import Table
from rich.text import Text

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.source import Source
from nesproof.emulator.gpu.compile import compile_kernels
from nesproof.emulator.gpu.disassembly import MachineCosts, machine_costs
from nesproof.emulator.gpu.errors import GpuUnavailableError
from nesproof.emulator.gpu.specialisation import Schedule, Specialisation
from nesproof.emulator.gpu.warp_model import H200, count_warps, modelled_frames_per_second
from nesproof.harness.cli.cartridge_options import cartridge_of
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.plain_text import plain_line
from nesproof.harness.probes.warp_model import FRAME_SKIP, LANES, lane_sets
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["Row", "as_dict", "count", "print_rows"]

SUBJECT = "core"


@dataclass(frozen=True)
class Row:
    """One schedule on one set of lanes.

    Attributes:
        workload: its key.
        lanes: name of the set.
        schedule: which lanes run next.
        figures: of `WarpCounts.figures`, by name.
        modelled_frames_per_second: on an H200; None without the kernel's machine code.
    """

    workload: str
    lanes: str
    schedule: str
    figures: dict[str, float]
    modelled_frames_per_second: float | None


def count(workload: Workload, resolver: Resolver, architecture: str | None, say: Callable[[str], None]) -> list[Row]:
    """Count every schedule on the workload's sets of lanes.

    Args:
        workload: what is played.
        resolver: finds its ROM.
        architecture: whose machine code is looked at; None for none.
        say: hears what is going on.
    """
    rom = resolver.read(workload.rom)
    cartridge = cartridge_of(Source(workload.rom, rom))
    costs = None if architecture is None else _costs(cartridge, architecture, say)
    say(f"{workload.key}: playing {LANES} lanes")
    with tempfile.TemporaryDirectory() as folder, open_subject(SUBJECT, log_path=Path(folder) / "log") as subject:
        sets = lane_sets(subject, workload, rom, resolver)
    rows = []
    for name, (snapshots, buttons) in sets:
        states = np.stack([np.frombuffer(snapshot, np.uint8) for snapshot in snapshots])
        for schedule in get_args(Schedule):
            say(f"{workload.key}: counting {name} lanes, {schedule}")
            counts = count_warps(cartridge, states, buttons, schedule=schedule, frame_skip=FRAME_SKIP)
            figures = counts.figures(costs)
            speed = None if costs is None else modelled_frames_per_second(figures["issue_slots"])
            rows.append(Row(workload.key, name, schedule, figures, speed))
    return rows


def _costs(cartridge: Cartridge, architecture: str, say: Callable[[str], None]) -> MachineCosts | None:
    say(f"{architecture}: compiling the kernels for their machine code")
    try:
        return machine_costs(compile_kernels(Specialisation.of(cartridge), architecture).cubin)
    except GpuUnavailableError as fault:
        say(f"note: no machine instructions are counted. {fault}")
        return None


def as_dict(row: Row) -> dict[str, Any]:
    """For JSON; what is a model is called one."""
    return {
        "workload": row.workload,
        "lanes": row.lanes,
        "schedule": row.schedule,
        "figures": {name: round(value, 6) for name, value in row.figures.items()},
        "modelled_frames_per_second": row.modelled_frames_per_second,
    }


_LINES = (
    ("steps of a warp a frame", "block_steps", "{:,.0f}"),
    ("active lanes a step, of 32", "active_lanes", "{:.1f}"),
    ("lane-steps waiting for their turn", "waiting_share", "{:.0%}"),
    ("lane-steps waiting for the slowest", "finished_share", "{:.0%}"),
    ("emulated instructions a step", "instructions_a_step", "{:.1f}"),
    ("steps that go cycle by cycle", "exact_step_share", "{:.1%}"),
    ("RAM sectors a step, interleaved", "ram_sectors", "{:.2f}"),
    ("    an emulated instruction", "ram_sectors_an_instruction", "{:.2f}"),
    ("RAM sectors a step, one by one", "ram_sectors_one_by_one", "{:.1f}"),
    ("state sectors a step, interleaved", "state_sectors", "{:.1f}"),
    ("state sectors a step, one by one", "state_sectors_one_by_one", "{:.1f}"),
    ("ROM sectors a step", "rom_sectors", "{:.2f}"),
    ("machine instructions a step", "machine_instructions_a_step", "{:.0f}"),
    ("issue slots of a warp a frame", "issue_slots", "{:,.0f}"),
)


def print_rows(rows: list[Row]) -> None:
    """Print a table for each workload and set of lanes, and what is a model."""
    console = table_console(highlight=False)
    for workload, lanes in dict.fromkeys((row.workload, row.lanes) for row in rows):
        shown = [row for row in rows if (row.workload, row.lanes) == (workload, lanes)]
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(Text(plain_line(f"{workload}, {lanes}")), min_width=36)
        for row in shown:
            table.add_column(Text(plain_line(row.schedule)), justify="right")
        for title, key, form in _LINES:
            if key in shown[0].figures:
                table.add_row(Text(title), *(Text(form.format(row.figures[key])) for row in shown))
        if shown[0].modelled_frames_per_second is not None:
            speeds = (f"{(row.modelled_frames_per_second or 0) / 1e6:.1f}" for row in shown)
            table.add_row(Text(f"model: {H200.name}, M frames/s"), *map(Text, speeds))
        console.print(table)
        console.print()
    console.print(Text(_EXPLANATION))


_EXPLANATION = (
    f"{LANES} lanes, steps of {FRAME_SKIP} frames. A step of a warp is one choice of the schedule: the chosen lanes "
    "run a basic block. The counts are exact. The speed is a model, for an "
    f"{H200.name} ({H200.multiprocessors} multiprocessors, {H200.clock_hz / 1e9:.2f} GHz, {H200.utilisation:.0%} of "
    "the issue slots used): it leaves out the PPU's and the APU's work, DMA, drawing and waiting for memory."
)
