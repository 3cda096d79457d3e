"""Wilcoxon's signed-rank test and the Hodges-Lehmann estimate that belongs to it.

The null distribution of the rank sum is computed once for each number of effects, since a simulation asks for it many
thousand times; a test holds it against SciPy. Where effects are tied or zero, SciPy decides.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["hodges_lehmann", "null_tail", "signed_rank_p", "walsh_averages"]

Effects = NDArray[np.float64]


def signed_rank_p(effects: Effects, *, above: bool) -> float:
    """The one-sided p-value of Wilcoxon's signed-rank test that the effects lie above (or below) 0.

    Exact where no effect is zero and no two sizes are equal. Effects of exactly zero carry no evidence; with nothing
    else the p-value is 1.
    """
    sizes = np.abs(effects)
    order = np.argsort(sizes)
    ordered = sizes[order]
    if ordered.size == 0 or ordered[-1] == 0:
        return 1.0
    if ordered[0] == 0 or (ordered[1:] == ordered[:-1]).any():
        return _approximate_p(effects, above=above)
    against = effects[order] < 0 if above else effects[order] > 0
    rank_sum = int((np.flatnonzero(against) + 1).sum())
    return float(null_tail(effects.size)[rank_sum])


def _approximate_p(effects: Effects, *, above: bool) -> float:
    from scipy import stats  # half a second to import, and few effects hold ties

    result = stats.wilcoxon(
        effects,
        zero_method="wilcox",
        alternative="greater" if above else "less",
        method="approx",
        correction=True,
    )
    return float(result.pvalue)


def hodges_lehmann(effects: Effects, *, alpha: float) -> tuple[float, tuple[float, float]]:
    """The median of the Walsh averages (means of all pairs, each with itself too), and its interval.

    The interval holds the shifts that one-sided signed-rank tests at `alpha` on either side do not reject, so its
    confidence is 1 - 2 alpha. With too few effects for that it runs from the least to the greatest.
    """
    walsh = np.sort(walsh_averages(effects))
    skipped = max(_critical_rank_sum(effects.size, alpha), 0)
    middle = walsh.size // 2
    estimate = walsh[middle] if walsh.size % 2 else (walsh[middle - 1] + walsh[middle]) / 2
    return float(estimate), (float(walsh[skipped]), float(walsh[walsh.size - 1 - skipped]))


def walsh_averages(effects: Effects) -> Effects:
    """The means of all pairs along the last axis, each with itself too; float64 [..., n (n + 1) / 2], unsorted."""
    first, second = _pairs(effects.shape[-1])
    averages: Effects = (effects[..., first] + effects[..., second]) / 2
    return averages


@lru_cache(maxsize=64)
def _pairs(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(n)
    return first, second


@lru_cache(maxsize=64)
def null_tail(n: int) -> Effects:
    """P(T <= t) for t from 0 to n (n + 1) / 2: T is the rank sum of one sign where both signs are as likely."""
    ways: Effects = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: ways.size - rank]
        ways = (ways + shifted) / 2
    tail = np.minimum(np.cumsum(ways), 1.0)
    tail.setflags(write=False)
    return tail


@lru_cache(maxsize=256)
def _critical_rank_sum(n: int, alpha: float) -> int:
    """The greatest rank sum c with P(T <= c) <= alpha for n effects, or -1: how many Walsh averages are cut off."""
    return int(np.searchsorted(null_tail(n), alpha, side="right")) - 1
