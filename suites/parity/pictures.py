"""Two pictures and what differs between them, side by side in one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["first_difference", "side_by_side"]

_GAP_PIXELS = 8
_RED = (255, 32, 32)


def first_difference(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[int, int] | None:
    """Row and column of the first pixel, in the order of drawing, at which two pictures [240, 256] differ."""
    places = np.flatnonzero((one != other).reshape(-1))
    return None if not places.size else (int(places[0]) // one.shape[1], int(places[0]) % one.shape[1])


def side_by_side(
    rgb: tuple[NDArray[np.uint8], NDArray[np.uint8]], indices: tuple[NDArray[np.uint8], NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """One picture, then the other, then where their palette indices differ: red on the first one, faint and grey.

    Pictures are uint8 [240, 256, 3] and [240, 256]; the result is uint8 [240, 784, 3].
    """
    grey = (rgb[0].mean(axis=2) / 4).astype(np.uint8)
    difference = np.repeat(grey[:, :, np.newaxis], 3, axis=2)
    difference[indices[0] != indices[1]] = _RED
    gap = np.full((rgb[0].shape[0], _GAP_PIXELS, 3), 255, np.uint8)
    return np.concatenate([rgb[0], gap, rgb[1], gap, difference], axis=1)
