"""Timed samples as what a plot draws: speeds by process, and one ratio a block."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import ClaimRecord, Comparison, Load, RatioMeasurement, Sample
from nesproof.reports.figures import duration, number, ratio, threshold
from nesproof.reports.views.comparisons import OUTCOME_MARKS, OUTCOME_WORDS
from nesproof.reports.views.runs import run_words
from nesproof.reports.wording import VERDICT_WORDS

__all__ = ["BlockRatio", "Process", "SampleSection", "sample_sections"]

PROCESSES_SHOWN = 400
_LARGEST = 1 << 62
"""Counts above this are no measurement, and would overflow a float."""


@dataclass(frozen=True)
class Process:
    """One process of one side: the replicate. Speeds are in frames per second."""

    order: int
    block: int
    position: int
    side: str
    subject: str
    runs: tuple[float, ...]
    fastest: float


@dataclass(frozen=True)
class BlockRatio:
    """Candidate speed over baseline speed in one block: geometric means of each process's fastest run."""

    block: int
    ratio: float


@dataclass(frozen=True)
class SampleSection:
    """The raw samples of one claim, or of one comparison, which has no threshold: `threshold_value` is None then."""

    anchor: str
    claim_id: str
    claim_anchor: str
    sentence: str
    verdict: str
    verdict_word: str
    workload: str
    candidate: str
    baseline: str
    candidate_run: str
    baseline_run: str
    threshold: str
    threshold_value: float | None
    threshold_word: str
    value: float | None
    interval: tuple[float, float] | None
    estimate: str
    processes: tuple[Process, ...]
    blocks: tuple[BlockRatio, ...]
    left_out: int
    order_seed: int
    comparisons: int
    load: str
    is_budget_exhausted: bool


def sample_sections(evidence: Evidence) -> tuple[SampleSection, ...]:
    """The claims that hold timed samples, then the comparisons that do, in the order of the evidence."""
    of_claims = [
        _of_claim(n, record, record.measurement)
        for n, record in enumerate(evidence.claims, start=1)
        if isinstance(record.measurement, RatioMeasurement)
    ]
    of_comparisons = [
        _of_comparison(n, comparison, comparison.measurement)
        for n, comparison in enumerate(evidence.comparisons, start=1)
        if isinstance(comparison.measurement, RatioMeasurement)
    ]
    return (*of_claims, *of_comparisons)


def _of_claim(index: int, record: ClaimRecord, measurement: RatioMeasurement) -> SampleSection:
    claim = record.claim
    section = _section(f"samples-{index}", measurement, value=record.value, interval=record.interval)
    return replace(
        section,
        claim_id=claim.id,
        claim_anchor=f"claim-{index}",
        sentence=claim.spoken(),
        verdict=record.verdict.value,
        verdict_word=VERDICT_WORDS[record.verdict],
        threshold=threshold(claim.threshold),
        threshold_value=claim.threshold,
        threshold_word="at least" if claim.at_least is not None else "at most",
    )


def _of_comparison(index: int, comparison: Comparison, measurement: RatioMeasurement) -> SampleSection:
    section = _section(
        f"samples-of-comparison-{index}", measurement, value=comparison.ratio, interval=comparison.interval
    )
    return replace(
        section,
        claim_id=comparison.id,
        claim_anchor=f"comparison-{index}",
        sentence=f"{comparison.candidate} beside {comparison.baseline}",
        verdict=OUTCOME_MARKS[comparison.outcome],
        verdict_word=OUTCOME_WORDS[comparison.outcome],
    )


def _section(
    anchor: str, measurement: RatioMeasurement, *, value: float | None, interval: tuple[float, float] | None
) -> SampleSection:
    """All but what the claim or the comparison says."""
    processes, left_out = _processes(measurement)
    return SampleSection(
        anchor=anchor,
        claim_id="",
        claim_anchor="",
        sentence="",
        verdict="",
        verdict_word="",
        workload=measurement.played,
        candidate=measurement.candidate,
        baseline=measurement.baseline,
        candidate_run=run_words(measurement.candidate_run),
        baseline_run=run_words(measurement.baseline_run),
        threshold="",
        threshold_value=None,
        threshold_word="",
        value=value,
        interval=interval,
        estimate=_estimate(value, interval),
        processes=processes,
        blocks=_block_ratios(processes),
        left_out=left_out,
        order_seed=measurement.order_seed,
        comparisons=measurement.comparisons,
        load=_load(measurement.load),
        is_budget_exhausted=measurement.budget_exhausted,
    )


def _estimate(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None or interval is None:
        return ratio(value)
    return f"{ratio(value)} ({number(interval[0])} to {number(interval[1])})"


def _processes(measurement: RatioMeasurement) -> tuple[tuple[Process, ...], int]:
    """The processes in drawn order, and how many samples are left out because no plot could show them."""
    grouped: dict[tuple[int, int, str], list[Sample]] = {}
    plausible = [s for s in measurement.samples if max(s.block, s.run, s.elapsed_ns, s.frames) < _LARGEST]
    for sample in plausible:
        grouped.setdefault((sample.block, sample.position, sample.side), []).append(sample)
    processes = []
    for order, key in enumerate(sorted(grouped)[:PROCESSES_SHOWN], start=1):
        block, position, side = key
        runs = tuple(s.frames * 1e9 / s.elapsed_ns for s in sorted(grouped[key], key=lambda s: s.run))
        subject = measurement.candidate if side == "candidate" else measurement.baseline
        processes.append(Process(order, block, position, side, subject, runs, max(runs)))
    shown = sum(len(p.runs) for p in processes)
    return tuple(processes), len(measurement.samples) - shown


def _block_ratios(processes: tuple[Process, ...]) -> tuple[BlockRatio, ...]:
    logs: dict[int, dict[str, list[float]]] = {}
    for process in processes:
        logs.setdefault(process.block, {"candidate": [], "baseline": []})[process.side].append(
            math.log(process.fastest)
        )
    return tuple(
        BlockRatio(block, math.exp(_mean(sides["candidate"]) - _mean(sides["baseline"])))
        for block, sides in sorted(logs.items())
        if sides["candidate"] and sides["baseline"]
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _load(load: Load) -> str:
    parts = []
    if load.load_average_1min is not None:
        parts.append(f"load average {load.load_average_1min:.2f}")
    if load.other_cpu_share is not None:
        parts.append(f"other processes {load.other_cpu_share:.0%} of the CPU")
    if load.steal_share is not None:
        parts.append(f"steal {load.steal_share:.1%}")
    parts.append(f"waited {duration(load.waited_s)} for quiet")
    if load.overridden:
        parts.append("busy, and overridden: this timing is diagnostic")
    elif load.busy:
        parts.append("busy")
    return ", ".join(parts)
