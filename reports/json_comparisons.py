"""Comparisons in the JSON summary of a run: subjects beside each other, without a promise."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.comparison import Comparison, ComparisonOutcome
from nesproof.harness.evidence.model import RatioMeasurement

__all__ = ["ComparedSide", "ComparisonSummary", "comparison_summaries"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ComparedSide(_Part):
    """One subject of a comparison, and its speed on this machine; what was not timed is null."""

    subject: str
    version: str
    draw: str | None
    num_envs: int | None
    threads: int | None
    frame_skip: int | None
    frames_per_second: float | None


class ComparisonSummary(_Part):
    """One subject beside another."""

    id: str
    workload: str
    candidate: ComparedSide
    baseline: ComparedSide
    outcome: ComparisonOutcome
    ratio: float | None = Field(description="How many times the frames/s of the baseline the candidate makes.")
    interval: tuple[float, float] | None
    behaviour: str | None = Field(description="How they play, in a clause; null where that was not compared.")
    differs: bool = Field(description="True where what both show is not the same.")
    words: str = Field(description="One line that says all of it.")
    rerun: str


def comparison_summaries(evidence: Evidence) -> tuple[ComparisonSummary, ...]:
    """Every comparison, in the order of the evidence."""
    return tuple(_comparison(comparison, evidence) for comparison in evidence.comparisons)


def _comparison(comparison: Comparison, evidence: Evidence) -> ComparisonSummary:
    behaviour = comparison.behaviour
    return ComparisonSummary(
        id=comparison.id,
        workload=comparison.workload,
        candidate=_compared_side(comparison, "candidate", evidence),
        baseline=_compared_side(comparison, "baseline", evidence),
        outcome=comparison.outcome,
        ratio=comparison.ratio,
        interval=comparison.interval,
        behaviour=None if behaviour is None else behaviour.in_short(),
        differs=behaviour is not None and behaviour.differs,
        words=comparison.words,
        rerun=comparison.rerun,
    )


def _compared_side(comparison: Comparison, side: Literal["candidate", "baseline"], evidence: Evidence) -> ComparedSide:
    subject = comparison.candidate if side == "candidate" else comparison.baseline
    run = comparison.measurement.side(side)[0] if isinstance(comparison.measurement, RatioMeasurement) else None
    return ComparedSide(
        subject=subject,
        version=evidence.version_of(subject),
        draw=None if run is None else run.draw,
        num_envs=None if run is None else run.num_envs,
        threads=None if run is None else run.threads,
        frame_skip=None if run is None else run.frame_skip,
        frames_per_second=comparison.candidate_fps if side == "candidate" else comparison.baseline_fps,
    )
