"""The first frame at which two plays look different: both pictures and what differs between them, side by side."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

__all__ = ["difference_png"]

_GAP_PIXELS = 8
_RED = (255, 32, 32)


def difference_png(candidate: NDArray[np.uint8], baseline: NDArray[np.uint8], differing: NDArray[np.bool_]) -> bytes:
    """A PNG of 784 x 240 pixels: the candidate's picture, the baseline's, and where they differ, red on faint grey.

    Pictures are RGB, uint8 [240, 256, 3], each in its subject's own colours; `differing` is bool [240, 256].
    """
    grey = (candidate.mean(axis=2) / 4).astype(np.uint8)
    difference = np.repeat(grey[:, :, np.newaxis], 3, axis=2)
    difference[differing] = _RED
    gap = np.full((candidate.shape[0], _GAP_PIXELS, 3), 255, np.uint8)
    whole = np.concatenate([candidate, gap, baseline, gap, difference], axis=1)
    out = io.BytesIO()
    Image.fromarray(whole).save(out, "PNG", optimize=True)
    return out.getvalue()
