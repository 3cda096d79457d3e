"""From raw samples to one effect a block. Samples that do not have the shape of the plan are refused, never mended."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from nesproof.harness.evidence.model import Sample
from nesproof.harness.judge.confirmation import BlockTimes
from nesproof.harness.judge.order import BLOCK_REPLICATES, block_order

__all__ = ["MINIMUM_RUNS", "MalformedSamples", "Replicate", "effects_of", "log_times_of", "replicates_of"]

MINIMUM_RUNS = 5
"""Timed runs in a process; the shortest of them is the process's figure."""


class MalformedSamples(ValueError):
    """The samples cannot be what the plan produces; the message says why in one sentence."""


@dataclass(frozen=True)
class Replicate:
    """One process: its figure is the shortest of its runs."""

    block: int
    position: int
    side: str
    frames: int
    shortest_ns: int

    @property
    def log_speed(self) -> float:
        """Natural logarithm of frames per second."""
        return math.log(self.frames) - math.log(self.shortest_ns) + math.log(1e9)


def replicates_of(samples: Sequence[Sample], *, order_seed: int) -> list[Replicate]:
    """One replicate a process, sorted by block and position; whole blocks only.

    Raises:
        MalformedSamples: a run twice or missing, processes with different numbers of runs or fewer than
            `MINIMUM_RUNS`, an incomplete block or one skipped, a side where the seed put the other, runs of one
            side that cover different numbers of frames.
    """
    processes: dict[tuple[int, int], list[Sample]] = defaultdict(list)
    for sample in samples:
        processes[sample.block, sample.position].append(sample)
    blocks = 1 + max((block for block, _ in processes), default=-1)
    if len(processes) != blocks * BLOCK_REPLICATES:
        raise MalformedSamples(f"{len(processes)} processes do not make {blocks} whole blocks of {BLOCK_REPLICATES}")
    for side in ("candidate", "baseline"):
        if len({sample.frames for sample in samples if sample.side == side}) > 1:
            raise MalformedSamples(f"the runs of the {side} have windows of different lengths")
    counts = {len(runs) for runs in processes.values()}
    if len(counts) > 1 or (counts and min(counts) < MINIMUM_RUNS):
        raise MalformedSamples(f"processes have {sorted(counts)} runs; each must have the same {MINIMUM_RUNS} or more")
    replicates = []
    for (block, position), runs in sorted(processes.items()):
        if sorted(run.run for run in runs) != list(range(len(runs))):
            raise MalformedSamples(f"block {block}, position {position} has a run twice or missing")
        planned = block_order(order_seed, block)[position]
        if any(run.side != planned for run in runs):
            raise MalformedSamples(f"block {block}, position {position} was drawn for the {planned}")
        shortest = min(run.elapsed_ns for run in runs)
        replicates.append(Replicate(block, position, planned, runs[0].frames, shortest))
    return replicates


def effects_of(replicates: Sequence[Replicate], *, threshold: float, at_most: bool = False) -> list[float]:
    """ln(speed of candidate / speed of baseline / threshold) of each block, in order.

    Where the promise is `at_most` the threshold, the sign is turned: above 0 always means that the promise is kept.
    """
    sums: dict[int, float] = defaultdict(float)
    for replicate in replicates:
        sign = 1 if replicate.side == "candidate" else -1
        sums[replicate.block] += sign * replicate.log_speed / 2
    turn = -1 if at_most else 1
    return [turn * (sums[block] - math.log(threshold)) for block in sorted(sums)]


def log_times_of(replicates: Sequence[Replicate]) -> list[BlockTimes]:
    """The natural logarithms of the times a frame of each block's processes, in order of the blocks."""
    sides: dict[tuple[int, str], list[float]] = defaultdict(list)
    for replicate in replicates:
        sides[replicate.block, replicate.side].append(-replicate.log_speed)
    blocks = sorted({replicate.block for replicate in replicates})
    return [BlockTimes(_pair(sides[block, "baseline"]), _pair(sides[block, "candidate"])) for block in blocks]


def _pair(times: Sequence[float]) -> tuple[float, float]:
    first, second = times
    return first, second
