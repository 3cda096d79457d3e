"""How a before/after is put into words."""

from __future__ import annotations

import math

from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import ChangeMeasurement
from nesproof.harness.judge.before_after import BeforeAfter

__all__ = ["change_percent", "measured_words", "why_short"]


def change_percent(effect: float) -> str:
    """An effect (ln of a ratio of times) as a change of the time: "+5.0 %"."""
    return f"{100 * math.expm1(effect):+.1f} %"


def measured_words(change: BeforeAfter, *, has_interval: bool) -> str:
    """The figure for people: "+4.9 % time (+3.8 % to +6.1 % at 99.6 %, 10 blocks)"."""
    blocks = counted(change.blocks, "block")
    if not has_interval:
        return f"{change_percent(change.estimate)} time ({blocks}: no interval)"
    low, high = (change_percent(bound) for bound in change.interval)
    return f"{change_percent(change.estimate)} time ({low} to {high} at {100 * change.confidence:.1f} %, {blocks})"


def why_short(measurement: ChangeMeasurement) -> str:
    """The end of a sentence about too few blocks."""
    if measurement.interrupted:
        return " before the interruption"
    return " within the budget" if measurement.budget_exhausted else ""
