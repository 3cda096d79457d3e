"""A threshold, judged by blocks: looks after 10, 16, 24 and 48, the error budget spread over them.

Each block's effect is d = ln(ratio / threshold), or its negative where at most that is promised. At a look, a
one-sided Wilcoxon signed-rank test asks whether the effects lie above 0 (MET) or below it (MISSED). Noise that allows
neither answer stays UNDECIDED; it never becomes MET.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

__all__ = ["LOOKS", "Decision", "SequentialResult", "hodges_lehmann", "judge_effects", "next_look", "signed_rank_p"]

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


def signed_rank_p(effects: NDArray[np.float64], *, above: bool) -> float:
    """The one-sided p-value of Wilcoxon's signed-rank test that the effects lie above (or below) 0.

    Exact where no effect is zero and no two sizes are equal. Effects of exactly zero carry no evidence; with nothing
    else the p-value is 1.
    """
    nonzero = effects[effects != 0]
    if nonzero.size == 0:
        return 1.0
    exact = nonzero.size == effects.size and np.unique(np.abs(nonzero)).size == nonzero.size
    result = stats.wilcoxon(
        effects,
        zero_method="wilcox",
        alternative="greater" if above else "less",
        method="exact" if exact else "approx",
        correction=not exact,
    )
    return float(result.pvalue)


def hodges_lehmann(effects: NDArray[np.float64], *, alpha: float) -> tuple[float, tuple[float, float]]:
    """The median of the Walsh averages (means of all pairs, each with itself too), and its interval.

    The interval holds the shifts that one-sided signed-rank tests at `alpha` on either side do not reject, so its
    confidence is 1 - 2 alpha. With too few effects for that it runs from the least to the greatest.
    """
    first, second = np.triu_indices(effects.size)
    walsh = np.sort((effects[first] + effects[second]) / 2)
    skipped = max(_critical_rank_sum(effects.size, alpha), 0)
    return float(np.median(walsh)), (float(walsh[skipped]), float(walsh[walsh.size - 1 - skipped]))


@lru_cache(maxsize=64)
def _critical_rank_sum(n: int, alpha: float) -> int:
    """The greatest rank sum c with P(T <= c) <= alpha for n effects, or -1: how many Walsh averages are cut off."""
    ways: NDArray[np.float64] = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: ways.size - rank]
        ways = (ways + shifted) / 2
    return int(np.searchsorted(np.cumsum(ways), alpha, side="right")) - 1
