"""Ratio claims: two subjects timed in interleaved processes, held against a threshold."""

from __future__ import annotations

import math

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import RatioMeasurement, RunRecord
from nesproof.harness.judge.blocks import MalformedSamples, effects_of, replicates_of
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.judge.freshness import check_freshness
from nesproof.harness.judge.judgement import Judgement
from nesproof.harness.judge.load import busy_caveat, load_words
from nesproof.harness.judge.sequential import LOOKS, Decision, SequentialResult, judge_effects

__all__ = ["MINIMUM_WINDOW_NS", "cores_of", "judge_ratio"]

MINIMUM_WINDOW_NS = 50_000_000
"""A timed run shorter than this says too little about speed."""


def judge_ratio(claim: Claim, measurement: RatioMeasurement) -> Judgement:
    """The verdict on a ratio claim.

    In this order: samples of the wrong shape, or copied from one another, are ERROR; wrong frames are FAIL where the
    candidate made them and ERROR where the baseline did; a busy machine is INCONCLUSIVE; too few blocks are
    NOT_MEASURED; too short windows are INCONCLUSIVE; then the looks decide.
    """
    asked = (claim.workload, claim.baseline_workload, claim.subject, claim.baseline)
    if asked != (
        measurement.workload,
        measurement.baseline_workload,
        measurement.candidate,
        measurement.baseline,
    ):
        return Judgement(verdict=Verdict.ERROR, reason="The samples are of other subjects or another workload.")
    sides = ((claim.candidate_run, measurement.candidate_run), (claim.baseline_run, measurement.baseline_run))
    if not all(_as_chosen(choice, run) for choice, run in sides):
        return Judgement(verdict=Verdict.ERROR, reason="The samples are of runs with other options than promised.")
    if len({cores_of(choice, run) for choice, run in sides if choice.counts_cores}) > 1:
        return Judgement(verdict=Verdict.ERROR, reason="The two sides ran on different numbers of cores.")
    try:
        replicates = replicates_of(measurement.samples, order_seed=measurement.order_seed)
        check_freshness(measurement.samples)
    except MalformedSamples as fault:
        return Judgement(verdict=Verdict.ERROR, reason=f"The samples are malformed: {fault}.")
    correctness = check_correctness(measurement)
    if correctness.wrong_side is not None:
        verdict = Verdict.FAIL if correctness.wrong_side == "candidate" else Verdict.ERROR
        return Judgement(verdict=verdict, reason=correctness.reason)
    if not replicates:
        return Judgement(verdict=Verdict.NOT_MEASURED, reason=f"No block was timed{_why_short(measurement)}.")

    at_most = claim.at_most is not None
    effects = effects_of(replicates, threshold=claim.threshold, at_most=at_most)
    result = judge_effects(effects, comparisons=measurement.comparisons)
    caveat = _joined(correctness.caveat, busy_caveat(measurement.load))
    turn = -1 if at_most else 1
    ratio = claim.threshold * math.exp(turn * result.estimate)
    low, high = sorted(claim.threshold * math.exp(turn * bound) for bound in result.interval)
    # Fewer blocks than the first look's cannot carry an interval of its confidence.
    enough = result.blocks >= LOOKS[0][0]
    blocks = f"{result.blocks} {'block' if result.blocks == 1 else 'blocks'}"
    spread = f"{low:.3g} to {high:.3g} at {result.confidence:.1%}, {blocks}" if enough else f"{blocks}: no interval"

    def judgement(verdict: Verdict, reason: str) -> Judgement:
        return Judgement(
            verdict=verdict,
            reason=reason,
            measured=f"{ratio:.3g} x ({spread})",
            value=ratio,
            interval=(low, high) if enough else None,
            caveat=caveat,
        )

    ended_early = measurement.budget_exhausted or measurement.interrupted
    on_a_look = result.blocks in {blocks for blocks, _ in LOOKS}
    if result.decided_at is not None and result.decided_at != result.blocks:
        return judgement(
            Verdict.ERROR, f"The verdict was in after {result.decided_at} blocks, yet {result.blocks} were timed."
        )
    if result.decided_at is None and not on_a_look and not ended_early:
        return judgement(Verdict.ERROR, f"{result.blocks} blocks are no look, and nothing is said to have ended early.")
    if measurement.load.busy and not measurement.load.overridden:
        return judgement(Verdict.INCONCLUSIVE, f"The machine was busy: {load_words(measurement.load)}.")
    if not enough:
        why = _why_short(measurement)
        return judgement(Verdict.NOT_MEASURED, f"Only {result.blocks} of {LOOKS[0][0]} blocks were timed{why}.")
    if min(s.elapsed_ns for s in measurement.samples) < MINIMUM_WINDOW_NS:
        return judgement(
            Verdict.INCONCLUSIVE,
            f"A timed run lasted less than {MINIMUM_WINDOW_NS / 1e6:g} ms; the window is too short.",
        )
    return judgement(*_verdict_of(claim, result))


def _as_chosen(choice: RunChoice, run: RunRecord) -> bool:
    return (
        choice.draw in {None, run.draw}
        and choice.frame_skip in {None, run.frame_skip}
        and choice.idle_skipping == run.idle_skipping
        and cores_of(choice, run) is not None
    )


def cores_of(choice: RunChoice, run: RunRecord) -> int | None:
    """On how many cores the choice comes to the run's numbers; None where it never does."""
    return choice.cores_behind(consoles=run.num_envs, threads=run.threads)


def _verdict_of(claim: Claim, result: SequentialResult) -> tuple[Verdict, str]:
    promised = f"{'at least' if claim.at_least is not None else 'at most'} {claim.threshold:g}"
    if result.decision is Decision.UNDECIDED:
        return (
            Verdict.INCONCLUSIVE,
            f"After {result.blocks} blocks the noise allows neither answer to “{promised}”.",
        )
    holds = result.decision is Decision.MET
    side = "above" if holds == (claim.at_least is not None) else "below"
    reason = f"Promised {promised}; after {result.blocks} blocks the ratio lies {side} that beyond the noise."
    return (Verdict.PASS if holds else Verdict.FAIL, reason)


def _why_short(measurement: RatioMeasurement) -> str:
    if measurement.interrupted:
        return " before the interruption"
    return " within the budget" if measurement.budget_exhausted else ""


def _joined(*parts: str | None) -> str | None:
    return "; ".join(part for part in parts if part) or None
