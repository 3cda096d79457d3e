"""What a job could have seen: the power against a slowdown of 5 %, and the smallest effect that it would mostly see.

Both come from resampling the effects of the A/A blocks, shifted by the slowdown, through the looks of the A/B arm. The
draws are seeded, so that the same samples give the same figures anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.judge.signed_rank import null_tail, walsh_averages

__all__ = ["POWER_EFFECT", "POWER_WANTED", "Sensitivity", "sensitivity_of"]

POWER_EFFECT = math.log(1.05)
"""The slowdown for which the power is said."""
POWER_WANTED = 0.9
"""The smallest effect is the one that is seen with this chance."""
_DRAWS = 500
_SEED = 20_240_229
_LARGEST_EFFECT = math.log(4.0)
_STEP = 0.0005


@dataclass(frozen=True)
class Sensitivity:
    """`power` is the share of resampled jobs, slowed by 5 %, whose looks accuse; `smallest_effect` (ln of a ratio of
    times) is seen with the chance `POWER_WANTED`, or None where not even a fourfold time would be.
    """

    power: float
    smallest_effect: float | None


def sensitivity_of(aa_effects: Sequence[float], *, delta: float, comparisons: int) -> Sensitivity:
    """Resample the A/A blocks through all looks.

    Raises:
        ValueError: no effect.
    """
    effects = np.asarray(aa_effects, dtype=np.float64)
    if effects.size == 0:
        raise ValueError("there are no A/A blocks to resample")
    rng = np.random.default_rng(_SEED)
    draws = effects[rng.integers(0, effects.size, size=(_DRAWS, LOOKS[-1][0]))]
    looks = _Looks(draws, delta=delta, comparisons=comparisons)
    power = looks.share_seen(POWER_EFFECT)
    if looks.share_seen(_LARGEST_EFFECT) < POWER_WANTED:
        return Sensitivity(power, None)
    low, high = 0.0, _LARGEST_EFFECT
    while high - low > _STEP:
        middle = (low + high) / 2
        low, high = (low, middle) if looks.share_seen(middle) >= POWER_WANTED else (middle, high)
    return Sensitivity(power, high)


class _Looks:
    """The looks of many resampled jobs at once; a shift moves every effect, and so every estimate, alike."""

    def __init__(self, draws: NDArray[np.float64], *, delta: float, comparisons: int) -> None:
        self._delta = delta
        self._draws = draws
        self._looks: list[tuple[int, int, NDArray[np.float64]]] = []
        for blocks, alpha in LOOKS:
            strict_alpha = alpha / comparisons
            # The greatest rank sum of negative effects that still rejects "not slower"; -1 where the look cannot.
            critical = int(np.searchsorted(null_tail(blocks), strict_alpha, side="right")) - 1
            if critical >= 0:
                estimates = np.median(walsh_averages(draws[:, :blocks]), axis=1)
                self._looks.append((blocks, critical, estimates))

    def share_seen(self, shift: float) -> float:
        """The share of jobs in which a look accuses, all effects shifted by `shift`."""
        seen = np.zeros(len(self._draws), dtype=bool)
        for blocks, critical, estimates in self._looks:
            shifted = self._draws[:, :blocks] + shift
            ranks = np.argsort(np.argsort(np.abs(shifted), axis=1), axis=1) + 1
            seen |= ((ranks * (shifted <= 0)).sum(axis=1) <= critical) & (estimates + shift >= self._delta)
        return float(seen.mean())
