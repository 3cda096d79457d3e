"""The floor: how small an effect this job could tell from noise, found by timing the baseline against itself.

The half-width of the Hodges-Lehmann interval of the A/A arm is the floor. Above delta / 2 no timing verdict is given.
One arm says how wide the noise is; it gives no rate of false alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nesproof.harness.judge.signed_rank import hodges_lehmann

__all__ = ["FLOOR_CONFIDENCE", "FLOOR_LOOKS", "Floor", "floor_of", "next_floor_look"]

FLOOR_CONFIDENCE = 0.95
"""Confidence of the interval of the A/A arm."""
FLOOR_LOOKS: tuple[int, ...] = (16, 24, 32, 48)
"""Numbers of A/A blocks after which the floor is looked at; the arm goes on until it is low enough."""


@dataclass(frozen=True)
class Floor:
    """The A/A arm in figures; natural logarithms of ratios of times.

    `half_width` is the floor: half of the length of `interval`. `is_low` where it is at most delta / 2 and the arm has
    the blocks of the first look at least.
    """

    blocks: int
    estimate: float
    interval: tuple[float, float]
    half_width: float
    is_low: bool


def floor_of(effects: Sequence[float], *, delta: float) -> Floor:
    """The floor from the effects of all A/A blocks.

    Raises:
        ValueError: no effect, or a non-finite one.
    """
    values = np.asarray(effects, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError("effects must be a non-empty row of finite numbers")
    estimate, (low, high) = hodges_lehmann(values, alpha=(1 - FLOOR_CONFIDENCE) / 2)
    half_width = (high - low) / 2
    is_low = values.size >= FLOOR_LOOKS[0] and half_width <= delta / 2
    return Floor(int(values.size), estimate, (low, high), half_width, is_low)


def next_floor_look(blocks: int) -> int | None:
    """The number of A/A blocks at the next look after `blocks`, or None where there is none."""
    return next((look for look in FLOOR_LOOKS if look > blocks), None)
