"""Whether a candidate is slower than its baseline, by blocks: looks after 10, 16, 24 and 48.

A block's effect is d = mean ln B - mean ln A of the times, B the candidate's: above 0 is slower. What counts as slower,
delta, is policy and never grows with the noise; noise that allows neither answer stays UNDECIDED.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.judge.signed_rank import hodges_lehmann, signed_rank_p

__all__ = ["DELTA", "BeforeAfter", "Change", "judge_change_effects"]

DELTA = 0.03
"""The policy: an effect of this size or more is a slowdown."""


class Change(Enum):
    """What the effects say about the candidate."""

    SLOWER = "slower"
    """It is slower, and the estimate is delta or more."""
    NOT_SLOWER = "not slower"
    """It is not slower by delta or more."""
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class BeforeAfter:
    """The outcome of the looks. Effects are natural logarithms of ratios of times.

    `estimate` and `interval` are the Hodges-Lehmann estimate of all `blocks` effects and its interval of `confidence`,
    which is 1 - 2 alpha of the last look taken (the first look's where none was). `decided_at` is the number of blocks
    at the look that decided, or None.
    """

    change: Change
    blocks: int
    decided_at: int | None
    estimate: float
    interval: tuple[float, float]
    confidence: float


def judge_change_effects(effects: Sequence[float], *, delta: float = DELTA, comparisons: int = 1) -> BeforeAfter:
    """Judge the effects of the blocks in the order in which they were measured.

    SLOWER is an accusation, so its alpha is divided by `comparisons`, the number of timed claims of the run, and a look
    that could not reach it (2^-blocks above it) is skipped for that answer. NOT_SLOWER is not adjusted.

    Raises:
        ValueError: no effect, a non-finite effect, `comparisons` below 1 or `delta` not above 0.
    """
    values = np.asarray(effects, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all() or comparisons < 1 or not delta > 0:
        raise ValueError("effects must be a non-empty row of finite numbers, comparisons at least 1, delta above 0")
    change, decided_at, alpha = Change.UNDECIDED, None, LOOKS[0][1]
    for blocks, look_alpha in LOOKS:
        if blocks > values.size:
            break
        alpha = look_alpha
        change = _look(values[:blocks], alpha=alpha, delta=delta, comparisons=comparisons)
        if change is not Change.UNDECIDED:
            decided_at = blocks
            break
    estimate, interval = hodges_lehmann(values, alpha=alpha)
    return BeforeAfter(change, int(values.size), decided_at, estimate, interval, 1 - 2 * alpha)


def _look(effects: NDArray[np.float64], *, alpha: float, delta: float, comparisons: int) -> Change:
    strict_alpha = alpha / comparisons
    if (
        2.0**-effects.size <= strict_alpha
        and signed_rank_p(effects, above=True) <= strict_alpha
        and hodges_lehmann(effects, alpha=alpha)[0] >= delta
    ):
        return Change.SLOWER
    if 2.0**-effects.size <= alpha and signed_rank_p(effects - delta, above=False) <= alpha:
        return Change.NOT_SLOWER
    return Change.UNDECIDED
