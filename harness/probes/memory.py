"""Bytes a console: what the subject says, part by part, and what its process really grows by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.subjects.client import open_subject
from nesproof.roms_manifest import Resolver

__all__ = ["measure_memory"]

_FEW, _MANY = 64, 4160
"""Lanes of the two batches whose processes are compared; both are whole tiles."""


def measure_memory(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """The parts of a console's memory, in bytes.

    Rows are labelled `part`: `state`, `prg_ram`, `chr_ram`, `draw_log`, `frame_buffer` as the subject declares them
    after a recorded step; `declared`, the sum of what holds without drawing; `resident`, by how much the process of a
    batch of 4,160 lanes is larger than that of 64, a lane, when every lane has made two frames and drawn none. Of a
    device with memory of its own, the process shows nothing, so that row is left out.
    """
    if plan.workload is None:
        raise ConfigurationError("A claim about memory names the workload whose cartridge is put in.")
    rom = resolver.read(plan.workload.rom)
    log = work_dir / "logs" / f"memory-{plan.subject}.txt"
    with open_subject(plan.subject, log_path=log) as subject:
        batch = subject.open_batch(rom, lanes=_FEW)
        device = batch.device
        batch.step(np.zeros((_FEW, 2), np.uint8))
        quiet = batch.memory()
        batch.step(np.zeros((_FEW, 1), np.uint8), record="last")
        if "frame-indices" in subject.capabilities:
            batch.read_frames([0])
        parts = batch.memory().model_dump()
    on_step("what the subject declares")
    declared = quiet.state + quiet.prg_ram + quiet.chr_ram + quiet.draw_log + quiet.frame_buffer
    rows = [_row(name, value) for name, value in {**parts, "declared": declared}.items()]
    if not device.startswith("cuda"):
        few, many = (_resident(plan.subject, rom, lanes, log) for lanes in (_FEW, _MANY))
        rows.append(_row("resident", (many - few) / (_MANY - _FEW)))
        on_step("what its process grows by")
    return FiguresMeasurement(
        of="memory",
        subject=plan.subject,
        workload=plan.workload.key,
        settings={"device": device, "lanes": _MANY, "lanes_before": _FEW},
        rows=tuple(rows),
    )


def _row(part: str, value: float) -> FigureRow:
    return FigureRow(labels={"part": part}, figures={"bytes": round(value, 1)})


def _resident(name: str, rom: bytes, lanes: int, log: Path) -> int:
    """Resident bytes of the subject's process once every lane has made two frames."""
    with open_subject(name, log_path=log) as subject:
        batch = subject.open_batch(rom, lanes=lanes)
        batch.step(np.zeros((lanes, 2), np.uint8))
        guard = psutil.Process(subject.guard_pid)
        return sum(process.memory_info().rss for process in guard.children(recursive=True))
