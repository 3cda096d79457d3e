"""The order of a block: ABBA or BAAB, drawn from the run's seed, so that linear drift cancels and nobody chose it."""

from __future__ import annotations

import random
from typing import Literal

__all__ = ["BLOCK_REPLICATES", "Side", "block_order"]

Side = Literal["candidate", "baseline"]

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
