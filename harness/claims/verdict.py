"""The verdict on one claim, and the exit code that a set of verdicts adds up to."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum

__all__ = ["ExitCode", "Verdict", "exit_code_of", "worst_of"]


class Verdict(str, Enum):
    """How one claim fared in one run."""

    PASS = "PASS"
    """Measured, and the promise holds."""
    FAIL = "FAIL"
    """Measured, and the promise does not hold."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """Measured, but the noise or the sample allows neither answer."""
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """Something that the claim requires is not on this machine; the remedy is named."""
    NOT_MEASURED = "NOT_MEASURED"
    """Selected, but no measurement came about (zero cases, no budget, interrupted before)."""
    WAIVED = "WAIVED"
    """Would fail, and a waiver with reason and expiry covers it."""
    ERROR = "ERROR"
    """The measurement itself broke (a subject died, hung or answered nonsense)."""
    NOT_SELECTED = "NOT_SELECTED"
    """Outside the set that this profile selects."""


class ExitCode(IntEnum):
    """The process exit codes of `nesproof`."""

    OK = 0
    FAIL = 1
    USAGE = 2
    INCONCLUSIVE = 3
    FALSIFIER_SURVIVED = 4
    ERROR = 5
    NOT_MEASURED = 6
    INTERRUPTED = 130


_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.USAGE,
    ExitCode.FAIL,
    ExitCode.FALSIFIER_SURVIVED,
    ExitCode.ERROR,
    ExitCode.NOT_MEASURED,
    ExitCode.INCONCLUSIVE,
    ExitCode.OK,
)


def worst_of(codes: Iterable[int]) -> ExitCode:
    """The exit code that stands where several apply; OK where there is none."""
    return min(map(ExitCode, codes), key=_WORST_FIRST.index, default=ExitCode.OK)


def exit_code_of(
    verdicts: Iterable[Verdict], *, interrupted: bool = False, falsifier_survived: bool = False
) -> ExitCode:
    """Combine the verdicts of a run: where several codes apply, the order is 130, 2, 1, 4, 5, 6, 3, 0.

    A run without a single PASS (nothing but NOT_APPLICABLE, say) measured nothing, and is never 0.
    """
    seen = set(verdicts)
    if interrupted:
        return ExitCode.INTERRUPTED
    if Verdict.FAIL in seen:
        return ExitCode.FAIL
    if falsifier_survived:
        return ExitCode.FALSIFIER_SURVIVED
    if Verdict.ERROR in seen:
        return ExitCode.ERROR
    if Verdict.NOT_MEASURED in seen:
        return ExitCode.NOT_MEASURED
    if Verdict.INCONCLUSIVE in seen:
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if Verdict.PASS in seen else ExitCode.NOT_MEASURED
