"""The verdict on a before/after: is the candidate slower than its baseline by delta or more?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import ChangeMeasurement, Sample
from nesproof.harness.judge.before_after import BeforeAfter, judge_change_effects
from nesproof.harness.judge.blocks import MalformedSamples, effects_of, log_times_of, replicates_of
from nesproof.harness.judge.change_words import measured_words, why_short
from nesproof.harness.judge.conclusion import conclude
from nesproof.harness.judge.confirmation import CONFIRMATION_BLOCKS, BlockTimes, Confirmation, confirm
from nesproof.harness.judge.correctness import check_change_correctness
from nesproof.harness.judge.floor import FLOOR_LOOKS, Floor, floor_of
from nesproof.harness.judge.freshness import check_freshness
from nesproof.harness.judge.judgement import Judgement
from nesproof.harness.judge.load import busy_caveat, load_words
from nesproof.harness.judge.order import Arm, arm_seed
from nesproof.harness.judge.power import Sensitivity, sensitivity_of
from nesproof.harness.judge.procedure import next_block
from nesproof.harness.judge.ratio import MINIMUM_WINDOW_NS
from nesproof.harness.judge.sequential import LOOKS

__all__ = ["ArmEffects", "ChangeFigures", "ChangeJudgement", "effects_of_change", "judge_change"]


@dataclass(frozen=True)
class ArmEffects:
    """The effects of the whole blocks of each arm: ln of the ratio of times, above 0 where the candidate is slower."""

    ab: tuple[float, ...]
    aa: tuple[float, ...]
    confirmation: tuple[float, ...]
    confirmation_times: tuple[BlockTimes, ...] = ()
    """The times of the confirmation's processes, which its test ranks."""


@dataclass(frozen=True, kw_only=True)
class ChangeFigures:
    """What was found; None where an arm has no block. All effects are natural logarithms of ratios of times.

    `sensitivity` is what this job could have seen, from its A/A arm.
    """

    delta: float
    comparisons: int
    change: BeforeAfter | None
    floor: Floor | None
    sensitivity: Sensitivity | None
    confirmation: Confirmation | None


@dataclass(frozen=True, kw_only=True)
class ChangeJudgement(Judgement):
    """A verdict with its numbers. `value` and `interval` are changes of the time: 0.05 is 5 % slower.

    PASS: not slower by delta or more. FAIL: slower, by delta or more, and confirmed; or frames that are not the right
    ones (then there are no figures).
    """

    figures: ChangeFigures | None = None


def effects_of_change(measurement: ChangeMeasurement) -> ArmEffects:
    """The effects of each arm's whole blocks.

    Raises:
        MalformedSamples: an arm does not have the shape of the plan, or samples are copied; one clause says which.
    """
    arms: dict[Arm, tuple[Sample, ...]] = {
        "ab": measurement.samples,
        "aa": measurement.aa_samples,
        "confirmation": measurement.confirmation_samples,
    }
    if len({(sample.frames) for samples in arms.values() for sample in samples}) > 1:
        raise MalformedSamples("runs have windows of different lengths")
    effects, replicates = {}, {}
    for arm, samples in arms.items():
        try:
            replicates[arm] = replicates_of(samples, order_seed=arm_seed(measurement.order_seed, arm))
        except MalformedSamples as fault:
            raise MalformedSamples(f"in the arm {arm!r}, {fault}") from fault
        effects[arm] = tuple(effects_of(replicates[arm], threshold=1.0, at_most=True))
    check_freshness(*arms.values())
    times = tuple(log_times_of(replicates["confirmation"]))
    return ArmEffects(effects["ab"], effects["aa"], effects["confirmation"], times)


def judge_change(measurement: ChangeMeasurement) -> ChangeJudgement:
    """The verdict on a before/after.

    In this order: samples of the wrong shape, or copied, are ERROR; wrong frames are FAIL where the candidate made them
    and ERROR where the baseline did; blocks that the procedure would not have timed are ERROR; a busy machine is
    INCONCLUSIVE; too few blocks are NOT_MEASURED; too short windows are INCONCLUSIVE; then looks, floor and
    confirmation decide.
    """
    try:
        effects = effects_of_change(measurement)
    except MalformedSamples as fault:
        return ChangeJudgement(verdict=Verdict.ERROR, reason=f"The samples are malformed: {fault}.")
    correctness = check_change_correctness(measurement)
    if correctness.wrong_side is not None:
        verdict = Verdict.FAIL if correctness.wrong_side == "candidate" else Verdict.ERROR
        return ChangeJudgement(verdict=verdict, reason=correctness.reason)
    figures = _figures(effects, measurement)
    change = figures.change
    verdict, reason = _verdict(effects, measurement, figures)
    caveats = (correctness.caveat, busy_caveat(measurement.load))
    enough = change is not None and change.blocks >= LOOKS[0][0]
    return ChangeJudgement(
        verdict=verdict,
        reason=reason,
        measured=None if change is None else measured_words(change, has_interval=enough),
        value=None if change is None else math.expm1(change.estimate),
        interval=(math.expm1(change.interval[0]), math.expm1(change.interval[1])) if change and enough else None,
        caveat="; ".join(c for c in caveats if c) or None,
        figures=figures,
    )


def _figures(effects: ArmEffects, measurement: ChangeMeasurement) -> ChangeFigures:
    delta, comparisons = measurement.delta, measurement.comparisons
    enough_for_floor = len(effects.aa) >= FLOOR_LOOKS[0]
    return ChangeFigures(
        delta=delta,
        comparisons=comparisons,
        change=judge_change_effects(effects.ab, delta=delta, comparisons=comparisons) if effects.ab else None,
        floor=floor_of(effects.aa, delta=delta) if effects.aa else None,
        sensitivity=sensitivity_of(effects.aa, delta=delta, comparisons=comparisons) if enough_for_floor else None,
        confirmation=confirm(effects.confirmation_times)
        if 0 < len(effects.confirmation) <= CONFIRMATION_BLOCKS
        else None,
    )


def _verdict(effects: ArmEffects, measurement: ChangeMeasurement, figures: ChangeFigures) -> tuple[Verdict, str]:
    change, floor, confirmation = figures.change, figures.floor, figures.confirmation
    ended_early = measurement.budget_exhausted or measurement.interrupted
    strayed = _strayed(effects, measurement, ended_early=ended_early)
    if strayed is not None:
        return Verdict.ERROR, strayed
    if change is not None and measurement.load.busy and not measurement.load.overridden:
        return Verdict.INCONCLUSIVE, f"The machine was busy: {load_words(measurement.load)}."
    samples = (*measurement.samples, *measurement.aa_samples, *measurement.confirmation_samples)
    is_short = any(s.elapsed_ns < MINIMUM_WINDOW_NS for s in samples)
    if is_short and change is not None and change.blocks >= LOOKS[0][0]:
        least = f"{MINIMUM_WINDOW_NS / 1e6:g} ms"
        return Verdict.INCONCLUSIVE, f"A timed run lasted less than {least}; the window is too short."
    return conclude(change, floor, confirmation, delta=measurement.delta, short=why_short(measurement))


def _strayed(effects: ArmEffects, measurement: ChangeMeasurement, *, ended_early: bool) -> str | None:
    """Where the arms are not what the procedure times: blocks too many, or too few without a reason."""
    looks = {blocks for blocks, _ in LOOKS}
    last_look = len(effects.ab) if len(effects.ab) in looks else None
    done: dict[Arm, int] = {"ab": 0, "aa": 0, "confirmation": 0}
    arms: dict[Arm, tuple[float, ...]] = {"ab": effects.ab, "aa": effects.aa, "confirmation": effects.confirmation}
    while True:
        arm = next_block(
            effects.ab[: done["ab"]],
            effects.aa[: done["aa"]],
            effects.confirmation[: done["confirmation"]],
            delta=measurement.delta,
            comparisons=measurement.comparisons,
            last_look=last_look,
        )
        if arm is None or done[arm] == len(arms[arm]):
            break
        done[arm] += 1
    beyond = [name for name, blocks in arms.items() if len(blocks) > done[name]]
    if beyond:
        return f"The arm {beyond[0]!r} has {len(arms[beyond[0]])} blocks; it should have ended with {done[beyond[0]]}."
    if arm is not None and not ended_early:
        return f"The arm {arm!r} ends with {done[arm]} blocks, and nothing is said to have ended early."
    return None
