"""No digest, no speed: a timed run counts only where it ends in the state that an untimed reference run reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nesproof.harness.evidence.model import ChangeMeasurement, ExpectedState, RatioMeasurement, RunRecord, Sample
from nesproof.harness.judge.order import SIDES, Side
from nesproof.harness.judge.pictures import check_pictures, unseen_pictures

__all__ = ["COUNTER_TOLERANCE_FRAMES", "MINIMUM_LANES", "Correctness", "check_change_correctness", "check_correctness"]

COUNTER_TOLERANCE_FRAMES = 1
"""How far the game's own frame counter may lie from the reference's where the subject cannot give our digest."""


MINIMUM_LANES = 2
"""Of several consoles at least so many are held against the reference."""


@dataclass(frozen=True)
class Correctness:
    """Whether the timed frames were the right ones.

    `wrong_side` is the side whose frames were not, or None; `reason` says how; `caveat` names a weaker check.
    """

    wrong_side: Side | None
    reason: str
    caveat: str | None


def check_correctness(measurement: RatioMeasurement) -> Correctness:
    """Hold every sample of both sides against the expected state of what they play."""
    sides = []
    for side in SIDES:
        run, subject = measurement.side(side)
        samples = [s for s in measurement.samples if s.side == side]
        given = side in measurement.digest_from
        sides.append(_Side(side, subject, run, samples, given, measurement.expected_of(side)))
    return _checked(sides)


def check_change_correctness(measurement: ChangeMeasurement) -> Correctness:
    """Hold every sample of both builds, of all arms, against the expected state; an A/A arm is the baseline's."""
    arms = (*measurement.samples, *measurement.confirmation_samples)
    of_candidate = [s for s in arms if s.side == "candidate"]
    of_baseline = [s for s in arms if s.side == "baseline"] + list(measurement.aa_samples)
    sides = []
    expected = (measurement.expected_of_candidate or measurement.expected, measurement.expected)
    for side, label, samples, state in zip(
        SIDES, (measurement.candidate, measurement.baseline), (of_candidate, of_baseline), expected, strict=True
    ):
        who = f"{measurement.subject} ({label})"
        given = side in measurement.digest_from
        sides.append(_Side(side, who, measurement.run, samples, given, state))
    return _checked(sides)


@dataclass(frozen=True)
class _Side:
    side: Side
    subject: str
    run: RunRecord
    samples: Sequence[Sample]
    gives_digest: bool
    expected: ExpectedState


def _checked(sides: Sequence[_Side]) -> Correctness:
    caveats = []
    for one in sides:
        expected = one.expected
        check = _full_check if one.gives_digest else _weaker_check
        fault = check(one, expected) or check_pictures(one.samples, expected, one.run, gives_digest=one.gives_digest)
        if fault is not None:
            reason = f"The timed frames of {one.subject} are not the right ones: {fault}. No digest, no speed."
            return Correctness(one.side, reason, None)
        if not one.gives_digest:
            caveats.append(
                f"weaker check of {one.subject}: it cannot give the digest, so its RAM must repeat in every process "
                f"and its frame counter match the reference's within {COUNTER_TOLERANCE_FRAMES} frame"
            )
        unseen = unseen_pictures(one.samples, expected, one.run, gives_digest=one.gives_digest)
        if unseen is not None:
            caveats.append(f"weaker check of what {one.subject} draws: {unseen}")
    return Correctness(None, "", "; ".join(caveats) or None)


def _full_check(of: _Side, expected: ExpectedState) -> str | None:
    lanes = tuple(entry for entry in expected.lane_digests if entry.lane < of.run.num_envs)
    if of.run.num_envs > 1 and len(lanes) < MINIMUM_LANES:
        return f"only {len(lanes)} of {of.run.num_envs} lanes are held against the reference"
    for sample in of.samples:
        where = f"block {sample.block}, position {sample.position}, run {sample.run}"
        if sample.digest is None:
            return f"{where} yielded no digest"
        if sample.digest != expected.digest:
            return f"{where} ended with digest {sample.digest}, the reference with {expected.digest}"
        if sample.ram_sha256 != expected.ram_sha256 or sample.frame_counter != expected.frame_counter:
            return f"{where} ended with another RAM or frame counter than the reference"
        if of.run.num_envs > 1 and sample.lane_digests != lanes:
            return f"{where} ended with other digests of its sampled lanes than the reference"
    return None


def _weaker_check(of: _Side, expected: ExpectedState) -> str | None:
    if any(sample.digest is not None or sample.lane_digests for sample in of.samples):
        return "it gave a digest although it declares that it cannot"
    if len({sample.ram_sha256 for sample in of.samples}) > 1:
        return "its RAM differs between its own processes or runs"
    wanted = expected.frame_counter
    for sample in of.samples:
        if abs(sample.frame_counter - wanted) > COUNTER_TOLERANCE_FRAMES:
            return f"its frame counter reads {sample.frame_counter}, the reference's {wanted}"
    return None
