"""One subject beside another, without a promise: samples in; ratio, interval, outcome and one line of words out.

There is no threshold to decide about, so the timing stops at the first look at which the interval is narrow. The looks
and their alphas are those of claims; whichever look it stops at, the interval holds the ratio with 98 % at least, since
the looks' alphas, on both sides, add up to 2 %.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of
from nesproof.harness.evidence.comparison import BehaviourMatch, Comparison, ComparisonOutcome
from nesproof.harness.evidence.model import (
    FailedMeasurement,
    Measurement,
    NoMeasurement,
    RatioMeasurement,
    RunRecord,
    UnavailableMeasurement,
)
from nesproof.harness.judge.blocks import MalformedSamples, Replicate, effects_of, replicates_of
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.judge.freshness import check_freshness
from nesproof.harness.judge.load import busy_caveat, load_words
from nesproof.harness.judge.order import Side
from nesproof.harness.judge.ratio import MINIMUM_WINDOW_NS
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.judge.signed_rank import hodges_lehmann

__all__ = [
    "NARROW_HALF_WIDTH",
    "NOT_ASKED",
    "ComparisonJudgement",
    "RatioEstimate",
    "comparisons_exit_code",
    "estimate_ratio",
    "is_narrow",
    "judge_comparison",
]

NARROW_HALF_WIDTH = 0.03
"""An interval is narrow where half of it, in natural logarithms, is at most this: about 3 % to either side."""

NOT_ASKED = "No time was given for timing."
"""The reason of a comparison that was to be of behaviour alone."""

_DRAWING = {"none": "draws nothing", "every": "draws every frame", "last-of-4": "draws the last of 4 frames"}
_VERDICTS: dict[ComparisonOutcome, Verdict] = {
    "alike": Verdict.PASS,
    "differs": Verdict.FAIL,
    "refused": Verdict.FAIL,
    "inconclusive": Verdict.INCONCLUSIVE,
    "broken": Verdict.ERROR,
    "unavailable": Verdict.NOT_APPLICABLE,
    "not-measured": Verdict.NOT_MEASURED,
}


@dataclass(frozen=True)
class RatioEstimate:
    """The ratio of two speeds from the effects of all blocks.

    `interval` has `confidence` and is None below the first look's number of blocks, which cannot carry one.
    `narrow_at` is the look at which it was narrow first, or None.
    """

    blocks: int
    ratio: float
    interval: tuple[float, float] | None
    confidence: float
    narrow_at: int | None


@dataclass(frozen=True)
class ComparisonJudgement:
    """What follows from a comparison's raw material."""

    outcome: ComparisonOutcome
    words: str
    ratio: float | None = None
    interval: tuple[float, float] | None = None
    candidate_fps: float | None = None
    baseline_fps: float | None = None


def is_narrow(effects: Sequence[float]) -> bool:
    """Whether the timing can stop here: these are all blocks up to a look, and their interval is narrow."""
    return len(effects) in dict(LOOKS) and _half_width(effects, alpha=dict(LOOKS)[len(effects)]) <= NARROW_HALF_WIDTH


def estimate_ratio(effects: Sequence[float]) -> RatioEstimate:
    """The ratio of the speeds, from ln(candidate's speed / baseline's) of each block in the order of measuring.

    Raises:
        ValueError: no effect, or a non-finite one.
    """
    values = np.asarray(effects, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError("effects must be a non-empty row of finite numbers")
    looks = [(blocks, alpha) for blocks, alpha in LOOKS if blocks <= values.size]
    narrow_at = next((blocks for blocks, _ in looks if is_narrow(effects[:blocks])), None)
    alpha = looks[-1][1] if looks else LOOKS[0][1]
    estimate, (low, high) = hodges_lehmann(values, alpha=alpha)
    interval = (math.exp(low), math.exp(high)) if looks else None
    return RatioEstimate(int(values.size), math.exp(estimate), interval, 1 - 2 * alpha, narrow_at)


def judge_comparison(
    *, candidate: str, baseline: str, workload: str, behaviour: BehaviourMatch | None, measurement: Measurement
) -> ComparisonJudgement:
    """Outcome, ratio, interval, speeds and words of one comparison.

    In this order: what is not here, broke or was never begun has no ratio; samples of the wrong shape or of something
    else are broken; wrong frames are refused, whoever made them; then the blocks give the ratio. A ratio whose
    interval is missing or wide is inconclusive, unless the two differ in behaviour, which comes first.
    """
    pair = f"{candidate} beside {baseline}, {workload}"
    played = "" if behaviour is None else f" {_behaviour_words(behaviour, candidate, baseline)}."
    if isinstance(measurement, UnavailableMeasurement):
        return ComparisonJudgement("unavailable", f"{pair}: {measurement.reason}{played}")
    if isinstance(measurement, FailedMeasurement):
        return ComparisonJudgement("broken", f"{pair}: {measurement.stage} broke: {measurement.reason}{played}")
    if isinstance(measurement, NoMeasurement):
        return ComparisonJudgement(_untimed(behaviour, measurement), f"{pair}: {measurement.reason}{played}")
    if not isinstance(measurement, RatioMeasurement):
        return ComparisonJudgement("broken", f"{pair}: a measurement of kind {measurement.kind!r} has no ratio.")
    if (measurement.workload, measurement.candidate, measurement.baseline) != (workload, candidate, baseline):
        return ComparisonJudgement("broken", f"{pair}: the samples are of other subjects or another workload.")
    if behaviour is None:
        # Behaviour comes before speed: a figure without it would hide a difference.
        return ComparisonJudgement("broken", f"{pair}: it was timed, yet nothing is said of how they play.")
    try:
        replicates = replicates_of(measurement.samples, order_seed=measurement.order_seed)
        check_freshness(measurement.samples)
    except MalformedSamples as fault:
        return ComparisonJudgement("broken", f"{pair}: the samples are malformed: {fault}.")
    correctness = check_correctness(measurement)
    if correctness.wrong_side is not None:
        return ComparisonJudgement("refused", f"{pair}: {correctness.reason}{played}")
    if not replicates:
        outcome: ComparisonOutcome = "differs" if behaviour.differs else "not-measured"
        return ComparisonJudgement(outcome, f"{pair}: no block was timed{_why_short(measurement)}.{played}")
    judged = _judge_blocks(measurement, replicates, behaviour)
    sentences = [
        f"{workload}: {_behaviour_words(behaviour, candidate, baseline)}; {judged.words}",
        f"{candidate} {_run_words(measurement.candidate_run)}; {baseline} {_run_words(measurement.baseline_run)}",
        *([weaker] if (weaker := _weaker_words(measurement)) else []),
        *([caveat] if (caveat := busy_caveat(measurement.load)) else []),
    ]
    return replace(judged, words=f"{'. '.join(sentences)}.")


def comparisons_exit_code(comparisons: Iterable[Comparison], *, interrupted: bool = False) -> ExitCode:
    """The exit code of a run that holds no claim: 0 where all that was compared plays alike and has a ratio, 1 where
    something differs in behaviour, 5 where a subject broke, 6 where nothing was measured, 3 where noise hid a ratio."""
    return exit_code_of([_VERDICTS[c.outcome] for c in comparisons], interrupted=interrupted)


def _untimed(behaviour: BehaviourMatch | None, measurement: NoMeasurement) -> ComparisonOutcome:
    if behaviour is not None and behaviour.differs:
        return "differs"
    return "alike" if behaviour is not None and measurement.reason == NOT_ASKED else "not-measured"


def _judge_blocks(
    measurement: RatioMeasurement, replicates: Sequence[Replicate], behaviour: BehaviourMatch
) -> ComparisonJudgement:
    estimate = estimate_ratio(effects_of(replicates, threshold=1.0))
    blocks = f"{estimate.blocks} {'block' if estimate.blocks == 1 else 'blocks'}"
    ended_early = measurement.budget_exhausted or measurement.interrupted
    if estimate.narrow_at not in {None, estimate.blocks}:
        words = f"the interval was narrow after {estimate.narrow_at} blocks, yet {estimate.blocks} were timed"
        return ComparisonJudgement("broken", words)
    if estimate.narrow_at is None and estimate.blocks != LOOKS[-1][0] and not ended_early:
        words = f"the interval is not narrow after {blocks}, and nothing is said to have ended early"
        return ComparisonJudgement("broken", words)
    candidate_fps, baseline_fps = (_median_speed(replicates, side) for side in ("candidate", "baseline"))
    spread, why_not = _spread(measurement, estimate, blocks)
    interval = estimate.interval if spread else None
    alike: ComparisonOutcome = "inconclusive" if why_not else "alike"
    names = measurement.candidate, measurement.baseline
    ratio = f"{names[0]} makes {_figure(estimate.ratio)} times the frames/s of {names[1]}"
    speed = f"{ratio} ({spread or f'{blocks}, no interval'})"
    return ComparisonJudgement(
        outcome="differs" if behaviour.differs else alike,
        words=f"{speed}, {why_not}" if why_not else speed,
        ratio=estimate.ratio,
        interval=interval,
        candidate_fps=candidate_fps,
        baseline_fps=baseline_fps,
    )


def _spread(measurement: RatioMeasurement, estimate: RatioEstimate, blocks: str) -> tuple[str, str]:
    """The interval in words, "" where none can be given, and why it is not what was asked for, "" where it is."""
    if measurement.load.busy and not measurement.load.overridden:
        return "", f"the machine was busy: {load_words(measurement.load)}"
    if estimate.interval is None:
        return "", f"only {estimate.blocks} of {LOOKS[0][0]} blocks{_why_short(measurement)}"
    if min(s.elapsed_ns for s in measurement.samples) < MINIMUM_WINDOW_NS:
        return "", f"a timed run lasted less than {MINIMUM_WINDOW_NS / 1e6:g} ms, which says too little"
    low, high = estimate.interval
    spread = f"{_figure(low)} to {_figure(high)} at {estimate.confidence:.1%}, {blocks}"
    return spread, "" if estimate.narrow_at else f"wider than {NARROW_HALF_WIDTH:.0%} to either side"


def _median_speed(replicates: Sequence[Replicate], side: str) -> float:
    return statistics.median(math.exp(replicate.log_speed) for replicate in replicates if replicate.side == side)


def _half_width(effects: Sequence[float], *, alpha: float) -> float:
    _, (low, high) = hodges_lehmann(np.asarray(effects, dtype=np.float64), alpha=alpha)
    return (high - low) / 2


def _behaviour_words(behaviour: BehaviourMatch, candidate: str, baseline: str) -> str:
    how = "differ in behaviour" if behaviour.differs else "play alike"
    return f"{candidate} and {baseline} {how} ({behaviour.in_short()})"


def _run_words(run: RunRecord) -> str:
    parts = [_DRAWING[run.draw]]
    if run.num_envs > 1 or run.threads > 1:
        parts.append(f"{run.num_envs} consoles on {run.threads} {'thread' if run.threads == 1 else 'threads'}")
    if run.frame_skip > 1:
        parts.append(f"{run.frame_skip} frames a call")
    if not run.idle_skipping:
        parts.append("idle skipping off")
    return ", ".join(parts)


def _weaker_words(measurement: RatioMeasurement) -> str:
    named: tuple[tuple[Side, str], ...] = (("candidate", measurement.candidate), ("baseline", measurement.baseline))
    names = dict.fromkeys(name for side, name in named if side not in measurement.digest_from)
    return f"weaker check of the timed frames of {' and '.join(names)}, without our digest" if names else ""


def _why_short(measurement: RatioMeasurement) -> str:
    if measurement.interrupted:
        return " before the interruption"
    return " within the budget" if measurement.budget_exhausted else ""


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 100 else f"{value:#.4g}"
