"""Buttons and pictures in the shape that stable-retro gave them, which other environments took over."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["MASKS", "framed"]

_BITS = (1, None, 2, 3, 4, 5, 6, 7, 0)
"""For each of its nine buttons (B, none, Select, Start, Up, Down, Left, Right, A) the bit of our byte."""
MASKS = np.array([[0 if bit is None else byte >> bit & 1 for bit in _BITS] for byte in range(256)], np.uint8)
"""Its nine buttons for each of our bytes, uint8 [256, 9]."""
_EDGE = 8


def framed(picture: Any) -> bytes:
    """A picture of 224 x 240 as RGB [240, 256, 3], with a black border in place of the pixels that are cut off."""
    whole = np.zeros((240, 256, 3), np.uint8)
    whole[_EDGE:-_EDGE, _EDGE:-_EDGE] = picture
    return bytes(whole.tobytes())
