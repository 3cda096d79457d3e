"""A FAIL is confirmed on fresh blocks before it is said: what was found among many looks must be found once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nesproof.harness.judge.signed_rank import hodges_lehmann, signed_rank_p

__all__ = ["CONFIRMATION_ALPHA", "CONFIRMATION_BLOCKS", "Confirmation", "confirm"]

CONFIRMATION_BLOCKS = 10
CONFIRMATION_ALPHA = 0.05


@dataclass(frozen=True)
class Confirmation:
    """What the fresh blocks say: the p-value of "not slower", and the estimate of their effect."""

    blocks: int
    p_value: float
    estimate: float
    is_confirmed: bool


def confirm(effects: Sequence[float]) -> Confirmation:
    """Judge the effects of the fresh blocks; fewer than `CONFIRMATION_BLOCKS` confirm nothing.

    Raises:
        ValueError: no effect, or a non-finite one.
    """
    values = np.asarray(effects, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError("effects must be a non-empty row of finite numbers")
    p_value = signed_rank_p(values, above=True)
    estimate, _ = hodges_lehmann(values, alpha=CONFIRMATION_ALPHA)
    is_confirmed = values.size >= CONFIRMATION_BLOCKS and p_value <= CONFIRMATION_ALPHA and estimate > 0
    return Confirmation(int(values.size), p_value, estimate, is_confirmed)
