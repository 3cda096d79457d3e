"""A FAIL is confirmed on fresh blocks before it is said: what one of several looks found must be found once more.

Ten blocks are few, and one process that a neighbour slowed can turn the sign of a block and make it the largest. So the
p-value comes from the processes' ranks: their times, each less the median of its block, are ranked together; a block
counts by how much the candidate's ranks exceed the baseline's; and since the order of each block was drawn, ABBA or
BAAB, every choice of signs of these counts is as likely where there is no difference. All of them are enumerated, so
that the p-value is exact, and a slowed process weighs no more than a rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.judge.signed_rank import hodges_lehmann

__all__ = ["CONFIRMATION_ALPHA", "CONFIRMATION_BLOCKS", "BlockTimes", "Confirmation", "confirm"]

CONFIRMATION_BLOCKS = 10
CONFIRMATION_ALPHA = 0.05


class BlockTimes(NamedTuple):
    """Natural logarithms of the times of a block's processes, two of each side."""

    baseline: tuple[float, float]
    candidate: tuple[float, float]


@dataclass(frozen=True)
class Confirmation:
    """What the fresh blocks say: the p-value of "not slower", and the Hodges-Lehmann estimate of their effect."""

    blocks: int
    p_value: float
    estimate: float
    is_confirmed: bool


def confirm(blocks: Sequence[BlockTimes]) -> Confirmation:
    """Judge the fresh blocks; fewer than `CONFIRMATION_BLOCKS` confirm nothing.

    Raises:
        ValueError: no block, more than `CONFIRMATION_BLOCKS`, or a time that is not finite.
    """
    times = np.asarray([(*block.baseline, *block.candidate) for block in blocks], dtype=np.float64)
    if not 0 < len(times) <= CONFIRMATION_BLOCKS or not np.isfinite(times).all():
        raise ValueError(f"there must be 1 to {CONFIRMATION_BLOCKS} blocks of finite times")
    p_value = _p_value(times)
    effects = times[:, 2:].mean(axis=1) - times[:, :2].mean(axis=1)
    estimate, _ = hodges_lehmann(effects, alpha=CONFIRMATION_ALPHA)
    is_confirmed = len(times) == CONFIRMATION_BLOCKS and p_value <= CONFIRMATION_ALPHA and estimate > 0
    return Confirmation(len(times), p_value, estimate, is_confirmed)


def _p_value(times: NDArray[np.float64]) -> float:
    """`times` is float64 [blocks, 4]: two of the baseline, two of the candidate."""
    from scipy import stats  # half a second to import, and most runs confirm nothing

    aligned = times - np.median(times, axis=1, keepdims=True)
    ranks = np.asarray(stats.rankdata(aligned)).reshape(times.shape)
    counts = ranks[:, 2:].sum(axis=1) - ranks[:, :2].sum(axis=1)
    # Ranks are halves at the finest, so the sums are exact.
    return float(np.mean(_every_choice_of_signs(len(times)) @ counts >= counts.sum()))


@lru_cache(maxsize=CONFIRMATION_BLOCKS)
def _every_choice_of_signs(blocks: int) -> NDArray[np.float64]:
    """float64 [2^blocks, blocks] of +1 and -1."""
    bits = (np.arange(2**blocks)[:, None] >> np.arange(blocks)) & 1
    return np.asarray(1 - 2 * bits, dtype=np.float64)
