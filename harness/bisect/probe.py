"""What one measurement says of a commit: good, bad, unknown or skip. Pure: verdicts in the search's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from nesproof.harness.bisect.search import Answer
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import ChangeMeasurement, Measurement, SuiteRun
from nesproof.harness.judge import judge_change, judge_claim

__all__ = ["ANSWER_OF", "Told", "told_by", "told_by_timing"]

ANSWER_OF: dict[Verdict, Answer] = {
    Verdict.PASS: Answer.GOOD,
    Verdict.WAIVED: Answer.GOOD,
    Verdict.FAIL: Answer.BAD,
    Verdict.INCONCLUSIVE: Answer.UNKNOWN,
    Verdict.NOT_APPLICABLE: Answer.SKIP,
    Verdict.NOT_MEASURED: Answer.SKIP,
    Verdict.ERROR: Answer.SKIP,
    Verdict.NOT_SELECTED: Answer.SKIP,
}


@dataclass(frozen=True)
class Told:
    """An answer and what it rests on. `figure` is the figure; of a timing by how much the time changed."""

    answer: Answer
    verdict: Verdict
    reason: str
    measured: str | None
    figure: float | None


def told_by(claim: Claim, measurement: Measurement, suites: Sequence[SuiteRun], *, on: date) -> Told:
    """What the claim's verdict says; a FAIL that a waiver covers on that day is good."""
    judged = judge_claim(claim, measurement, {run.id: run for run in suites}, on=on)
    return Told(ANSWER_OF[judged.verdict], judged.verdict, judged.reason, judged.measured, judged.value)


def told_by_timing(measurement: ChangeMeasurement) -> Told:
    """What a timing against another commit says: bad where this one is slower by the policy's delta.

    Frames that are not the other's frames say nothing about speed.
    """
    judged = judge_change(measurement)
    wrong_frames = judged.verdict is Verdict.FAIL and judged.value is None
    answer = Answer.SKIP if wrong_frames else ANSWER_OF[judged.verdict]
    return Told(answer, judged.verdict, judged.reason, judged.measured, judged.value)
