"""Whether a subject's batch plays as its console does alone: what is timed of several consoles is held to what was seen
of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.evidence.model import RunRecord
from nesproof.harness.probes.lanes import sampled_lanes, wait_for_game
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["MOST_LANES", "batch_plays_alike"]

MOST_LANES = 8
"""So many consoles of a batch are stepped; four of them are looked at."""


def batch_plays_alike(
    name: str, workload: Workload, run: RunRecord, *, resolver: Resolver, log_path: Path | None = None
) -> bool:
    """Whether sampled lanes of a batch end a workload with the RAM with which a console alone ends it on that lane's
    input. Each console alone has a process of its own.

    Raises:
        RomError, HarnessError: the cartridge or input cannot be had, or the subject did not play.
    """
    rom = resolver.read(workload.rom)
    count = min(run.num_envs, MOST_LANES)
    inputs = np.frombuffer(workload.input_stream(lanes=count, resolver=resolver), np.uint8).reshape(count, -1)
    lanes = sampled_lanes(count)
    with open_subject(name, log_path=log_path) as subject:
        threads = min(run.threads, count) if "threads" in subject.capabilities else None
        batch = subject.open_batch(rom, lanes=count, threads=threads, idle_skipping=run.idle_skipping)
        _play(workload, inputs, step=batch.step, ram=lambda: batch.read_ram([0])[0])
        together = batch.read_ram(lanes)
    return all(
        np.array_equal(ram, _alone(name, workload, rom, inputs[lane], log_path))
        for lane, ram in zip(lanes, together, strict=True)
    )


def _alone(
    name: str, workload: Workload, rom: bytes, inputs: NDArray[np.uint8], log_path: Path | None
) -> NDArray[np.uint8]:
    with open_subject(name, log_path=log_path) as subject:
        subject.load(rom)
        subject.power_on()
        _play(workload, inputs[np.newaxis], step=lambda rows: subject.step(rows[0]), ram=subject.read_ram)
        return subject.read_ram()


def _play(
    workload: Workload,
    inputs: NDArray[np.uint8],
    *,
    step: Callable[[NDArray[np.uint8]], None],
    ram: Callable[[], NDArray[np.uint8]],
) -> None:
    """Warm-up, what is waited for (of the first console, whose input the others share then), window."""
    if workload.warmup_frames:
        step(np.ascontiguousarray(inputs[:, : workload.warmup_frames]))
    nothing = np.zeros((len(inputs), 1), np.uint8)
    wait_for_game(workload, read_ram=ram, step=lambda: step(nothing))
    step(np.ascontiguousarray(inputs[:, workload.warmup_frames :]))
