"""When a claim stepped from one run to another: what the documents' own figures say, and nothing more.

A step is a change of answer (the same promise holds, or does not; a waived one does not), two intervals that do not
overlap, or a counted figure that moved. A count of cases may not move at all, any other count by no more than
`COUNTED_TOLERANCE`. A figure that was timed without an interval steps only with its answer. Runs without an answer
(inconclusive, broken, not measured) say nothing.
"""

from __future__ import annotations

from typing import Literal

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence.model import ClaimRecord
from nesproof.reports.figures import amount, number
from nesproof.reports.wording import VERDICT_WORDS

__all__ = ["ANSWERS", "COUNTED_TOLERANCE", "STEP_WORDS", "Direction", "Moved", "moved"]

ANSWERS = (Verdict.PASS, Verdict.WAIVED, Verdict.FAIL)
"""The verdicts that answer whether a promise holds."""
COUNTED_TOLERANCE = 0.002
"""As a share: a counted figure that differs by less is the same figure."""
STEP_WORDS = (
    "A claim stepped where its answer changed (the same promise holds, or does not; a waived one does not), where two "
    f"intervals do not overlap, or where a counted figure moved by more than {COUNTED_TOLERANCE:.1%} (a count of "
    "cases: at all). Each answer is held against the one before it and against the first one since the last step. A "
    "figure that was timed without an interval steps only with its answer, and runs without an answer say nothing. A "
    "step may be the machine's doing as well as a commit's; a bisection tells which."
)
"""The same for readers of the site."""
_COUNTED = frozenset({"memory", "static", "model", "instructions"})

Direction = Literal["worse", "better"]
Moved = tuple[Direction, str]
"""Which way, and why that is a step, as a clause."""


def moved(before: ClaimRecord, after: ClaimRecord) -> Moved | None:
    """Whether the claim stepped between two of its records; None where it did not, or where one has no answer."""
    if before.verdict not in ANSWERS or after.verdict not in ANSWERS:
        return None
    holds = [record.verdict is Verdict.PASS for record in (before, after)]
    if holds[0] != holds[1] and _promised(before) == _promised(after):
        return _way(holds[0]), f"from {VERDICT_WORDS[before.verdict]} to {VERDICT_WORDS[after.verdict]}"
    if before.interval is not None and after.interval is not None:
        return _of_intervals(before.interval, after.interval, at_most=after.claim.at_most is not None)
    if before.value is not None and after.value is not None:
        return _of_counts(before.value, after.value, after)
    return None


def _promised(record: ClaimRecord) -> tuple[float | None, float | None]:
    return record.claim.at_least, record.claim.at_most


def _of_intervals(before: tuple[float, float], after: tuple[float, float], *, at_most: bool) -> Moved | None:
    rose, fell = min(after) > max(before), max(after) < min(before)
    if not rose and not fell:
        return None
    spans = " and ".join(f"{number(min(pair))} to {number(max(pair))}" for pair in (before, after))
    return _way(rose == at_most), f"the intervals {spans} do not overlap"


def _of_counts(before: float, after: float, record: ClaimRecord) -> Moved | None:
    kind = record.claim.kind
    if kind == "exact":
        share = f"of the cases passed went from {before:.1%} to {after:.1%}"
        return None if before == after else (_way(after < before), f"the share {share}")
    tolerance = COUNTED_TOLERANCE
    if kind == "memory":  # of a process's memory, which wavers, a claim says how much of a rise means nothing
        tolerance = max(tolerance, record.claim.max_increase or 0.0)
    if kind not in _COUNTED or abs(after - before) <= tolerance * max(abs(before), abs(after)):
        return None
    rose = after > before
    return _way(rose == (record.claim.at_most is not None)), f"counted {amount(before)}, then {amount(after)}"


def _way(worse: bool) -> Direction:
    return "worse" if worse else "better"
