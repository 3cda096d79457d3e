"""What a gate says about one claim, and the exit code that all of it adds up to."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of

__all__ = ["GateVerdict", "gate_exit_code"]


class GateVerdict(str, Enum):
    """How one claim fares from the base to the head: the verdicts of a run, and one more."""

    PASS = "PASS"
    """Measured, and no worse by what the gate allows."""
    FAIL = "FAIL"
    """Measured, and worse."""
    UNCHANGED = "UNCHANGED"
    """Nothing that decides the figure differs between the two builds, so that nothing was timed."""
    INCONCLUSIVE = "INCONCLUSIVE"
    """Measured, but the noise or the sample allows neither answer."""
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """Something that the claim requires is not on this machine; the remedy is named."""
    NOT_MEASURED = "NOT_MEASURED"
    """Selected, but no measurement came about (no budget, interrupted before)."""
    WAIVED = "WAIVED"
    """Would fail, and a waiver of the base's with reason and expiry covers it."""
    ERROR = "ERROR"
    """The measurement itself broke."""
    NOT_SELECTED = "NOT_SELECTED"
    """Outside what this gate was asked for."""


def gate_exit_code(verdicts: Iterable[GateVerdict], *, interrupted: bool = False) -> ExitCode:
    """The exit code of a gate: as of any run, where UNCHANGED counts as PASS does."""
    seen = {Verdict.PASS if v is GateVerdict.UNCHANGED else Verdict(v.value) for v in verdicts}
    return exit_code_of(seen - {Verdict.NOT_SELECTED}, interrupted=interrupted)
