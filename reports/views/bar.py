"""The geometry of a proportional bar: counts as segments of a width of 100."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Segment", "segments"]


@dataclass(frozen=True)
class Segment:
    """One part of a bar, in units of a hundredth of its width."""

    name: str
    count: int
    start: float
    width: float


def segments(counts: Sequence[tuple[str, int]]) -> tuple[Segment, ...]:
    """Lay counts side by side; empty parts take no room, and no counts at all give no segments."""
    total = sum(count for _, count in counts)
    laid: list[Segment] = []
    before = 0
    for name, count in counts:
        if count:
            laid.append(Segment(name, count, round(100 * before / total, 3), round(100 * count / total, 3)))
            before += count
    return tuple(laid)
