"""A threshold, judged by blocks: looks after 10, 16, 24 and 48, the error budget spread over them.

Each block's effect is d = ln(ratio / threshold), or its negative where at most that is promised. At a look, a
one-sided Wilcoxon signed-rank test asks whether the effects lie above 0 (MET) or below it (MISSED). Noise that allows
neither answer stays UNDECIDED; it never becomes MET.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.judge.signed_rank import hodges_lehmann, signed_rank_p

__all__ = ["LOOKS", "Decision", "SequentialResult", "judge_effects", "next_look"]

LOOKS: tuple[tuple[int, float], ...] = ((10, 0.002), (16, 0.003), (24, 0.003), (48, 0.002))
"""(blocks, alpha): when the samples are looked at, and the chance of a false answer spent there."""


class Decision(Enum):
    """What the effects say about the threshold."""

    MET = "met"
    MISSED = "missed"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class SequentialResult:
    """The outcome of the looks.

    `estimate` and `interval` are the Hodges-Lehmann estimate of the effect and its interval over all `blocks`; the
    interval's confidence is 1 - 2 alpha of the last look taken (the first look's where none was), so that MET means
    exactly that it lies above 0. `decided_at` is the look's number of blocks, or None.
    """

    decision: Decision
    blocks: int
    decided_at: int | None
    estimate: float
    interval: tuple[float, float]
    confidence: float


def judge_effects(effects: Sequence[float], *, comparisons: int = 1) -> SequentialResult:
    """Judge the effects of the blocks in the order in which they were measured.

    MISSED is an accusation, so its alpha is divided by `comparisons`, the number of timed claims in the run; MET is
    not adjusted. A look that could not reach its alpha (2^-blocks above it) is skipped for that answer.

    Raises:
        ValueError: no effect, a non-finite effect, or `comparisons` below 1.
    """
    values = np.asarray(effects, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all() or comparisons < 1:
        raise ValueError("effects must be a non-empty row of finite numbers, and comparisons at least 1")
    decision, decided_at, alpha = Decision.UNDECIDED, None, LOOKS[0][1]
    for blocks, look_alpha in LOOKS:
        if blocks > values.size:
            break
        alpha = look_alpha
        decision = _look(values[:blocks], alpha, comparisons)
        if decision is not Decision.UNDECIDED:
            decided_at = blocks
            break
    estimate, interval = hodges_lehmann(values, alpha=alpha)
    return SequentialResult(decision, int(values.size), decided_at, estimate, interval, 1 - 2 * alpha)


def next_look(blocks: int, *, last: int | None = None) -> int | None:
    """The number of blocks at the next look after `blocks`, or None where there is none (or none up to `last`)."""
    return next((b for b, _ in LOOKS if b > blocks and (last is None or b <= last)), None)


def _look(effects: NDArray[np.float64], alpha: float, comparisons: int) -> Decision:
    smallest = 2.0**-effects.size
    if smallest <= alpha and signed_rank_p(effects, above=True) <= alpha:
        return Decision.MET
    strict_alpha = alpha / comparisons
    if smallest <= strict_alpha and signed_rank_p(effects, above=False) <= strict_alpha:
        return Decision.MISSED
    return Decision.UNDECIDED
