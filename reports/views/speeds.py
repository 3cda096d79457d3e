"""Every timed side beside its ratio: the speed variants of one run in one table, with all that each figure hangs on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Literal

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import ClaimRecord, RatioMeasurement
from nesproof.reports.figures import number, ratio
from nesproof.reports.views.runs import DRAWN
from nesproof.reports.wording import ABSENT, VERDICT_WORDS

__all__ = ["SpeedRow", "SpeedSide", "median_speed", "speed_rows"]

_LARGEST = 1 << 62


@dataclass(frozen=True)
class SpeedSide:
    """One side of a ratio. Speeds are medians over processes of each process's fastest run."""

    subject: str
    drawing: str
    consoles: int
    threads: int
    frame_skip: int
    idle_skipping: str
    """"never" where the subject declares no such thing."""
    passes: int
    frames_per_second: str
    env_steps_per_second: str


@dataclass(frozen=True)
class SpeedRow:
    """One timed claim: both sides, and how they compare."""

    claim_id: str
    claim_anchor: str
    workload: str
    candidate: SpeedSide
    baseline: SpeedSide
    ratio: str
    verdict: str
    verdict_word: str


def speed_rows(evidence: Evidence) -> tuple[SpeedRow, ...]:
    """One row a claim with timed samples, in the order of the evidence."""
    skipping = {s.name for s in evidence.subjects if "idle-skipping" in s.capabilities}
    return tuple(
        _row(number_, record, record.measurement, skipping)
        for number_, record in enumerate(evidence.claims, start=1)
        if isinstance(record.measurement, RatioMeasurement) and record.measurement.samples
    )


def _row(index: int, record: ClaimRecord, measurement: RatioMeasurement, skipping: set[str]) -> SpeedRow:
    return SpeedRow(
        claim_id=record.claim.id,
        claim_anchor=f"claim-{index}",
        workload=measurement.played,
        candidate=_side(measurement, "candidate", skipping),
        baseline=_side(measurement, "baseline", skipping),
        ratio=ratio(record.value),
        verdict=record.verdict.value,
        verdict_word=VERDICT_WORDS[record.verdict],
    )


def _side(measurement: RatioMeasurement, side: Literal["candidate", "baseline"], skipping: set[str]) -> SpeedSide:
    run, subject = measurement.side(side)
    speed = median_speed(measurement, side)
    return SpeedSide(
        subject=subject,
        drawing=DRAWN[run.draw],
        consoles=run.num_envs,
        threads=run.threads,
        frame_skip=run.frame_skip,
        idle_skipping=("on" if run.idle_skipping else "off") if subject in skipping else "never",
        passes=run.passes,
        frames_per_second=ABSENT if speed is None else number(speed),
        env_steps_per_second=ABSENT if speed is None else number(speed / run.frame_skip),
    )


def median_speed(measurement: RatioMeasurement, side: Literal["candidate", "baseline"]) -> float | None:
    """Frames per second of a side: the median over processes of each one's fastest run; None without samples."""
    fastest: dict[tuple[int, int], float] = {}
    for sample in measurement.samples:
        if sample.side == side and max(sample.elapsed_ns, sample.frames, sample.block) < _LARGEST:
            process = (sample.block, sample.position)
            fastest[process] = max(fastest.get(process, 0.0), sample.frames * 1e9 / sample.elapsed_ns)
    return statistics.median(fastest.values()) if fastest else None
