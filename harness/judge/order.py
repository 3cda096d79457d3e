"""The order of a block: ABBA or BAAB, drawn from the run's seed, so that linear drift cancels and nobody chose it."""

from __future__ import annotations

import random
from typing import Literal

__all__ = ["BLOCK_REPLICATES", "SIDES", "Arm", "Side", "arm_order", "arm_seed", "block_order"]

Side = Literal["candidate", "baseline"]
SIDES: tuple[Side, ...] = ("candidate", "baseline")
Arm = Literal["ab", "aa", "confirmation"]
"""The arms of a before/after: baseline against candidate, baseline against itself, and the fresh blocks of a FAIL."""

_ARM_OFFSETS: dict[Arm, int] = {"ab": 0, "aa": 1_000_003, "confirmation": 2_000_003}

BLOCK_REPLICATES = 4
"""Processes in a block, two of each side."""


def block_order(seed: int, block: int) -> tuple[Side, Side, Side, Side]:
    """Which side runs at positions 0 to 3 of block number `block` (from 0).

    The same for the same seed everywhere: Python keeps `random.Random(seed).random()` stable between versions.
    """
    generator = random.Random(seed)  # noqa: S311 - an order of processes, no secret
    for _ in range(block):
        generator.random()
    if generator.random() < 0.5:
        return ("candidate", "baseline", "baseline", "candidate")
    return ("baseline", "candidate", "candidate", "baseline")


def arm_seed(seed: int, arm: Arm) -> int:
    """The seed of an arm's order: the measurement's own for "ab", and one derived from it for the others."""
    return seed + _ARM_OFFSETS[arm]


def arm_order(seed: int, arm: Arm, block: int) -> tuple[Side, Side, Side, Side]:
    """Which side runs at positions 0 to 3 of a block of an arm. In the arm "aa" both sides are the baseline's build."""
    return block_order(arm_seed(seed, arm), block)
