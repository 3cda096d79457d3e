"""The one table from palette entries to RGB.

It is generated here, from a model of the composite signal, and copied from nobody: the 2C02 puts out a square wave
between two levels whose phase is the hue (https://www.nesdev.org/wiki/NTSC_video); a television averages it to a
luma and two chroma components. Voltages, relative to sync, are those of the wiki's measurement; hue 0 and 13 are
flat, 14 and 15 black; emphasis attenuates the parts of the wave that lie in the phases of the other colours.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLOURS", "EMPHASES", "grey_palette", "rgb_palette"]

COLOURS = 64
EMPHASES = 8

_LOW = (0.228, 0.312, 0.552, 0.880)
_HIGH = (0.616, 0.840, 1.100, 1.100)
_BLACK, _WHITE = 0.312, 1.100
_ATTENUATION = 0.746
_SAMPLES = 12
_HUE_OFFSET = 3.9  # in twelfths of a turn: turns hue 8 to yellow, where the colour burst has it
_SATURATION = 0.9


def _in_phase(hue: int, sample: int) -> bool:
    return (hue + sample) % _SAMPLES < _SAMPLES // 2


def _signal(colour: int, emphasis: int, sample: int) -> float:
    """The signal, 0 at black and 1 at white, in one twelfth of a colour cycle."""
    hue, level = colour & 0x0F, colour >> 4
    if hue > 13:
        level = 1
    low, high = _LOW[level], _HIGH[level]
    if hue == 0:
        low = high
    elif hue > 12:
        high = low
    voltage = high if _in_phase(hue, sample) else low
    attenuated = any(emphasis >> bit & 1 and _in_phase(phase, sample) for bit, phase in ((0, 0), (1, 4), (2, 8)))
    if attenuated and hue < 14:
        voltage *= _ATTENUATION
    return (voltage - _BLACK) / (_WHITE - _BLACK)


def _rgb(colour: int, emphasis: int) -> tuple[int, int, int]:
    levels = [_signal(colour, emphasis, sample) for sample in range(_SAMPLES)]
    angles = [2 * np.pi * (sample + _HUE_OFFSET) / _SAMPLES for sample in range(_SAMPLES)]
    luma = sum(levels) / _SAMPLES
    i = _SATURATION * 2 * sum(level * np.cos(angle) for level, angle in zip(levels, angles, strict=True)) / _SAMPLES
    q = _SATURATION * 2 * sum(level * np.sin(angle) for level, angle in zip(levels, angles, strict=True)) / _SAMPLES
    # FCC's YIQ to RGB.
    red = luma + 0.946882 * i + 0.623557 * q
    green = luma - 0.274788 * i - 0.635691 * q
    blue = luma - 1.108545 * i + 1.709007 * q
    return tuple(round(255 * min(1.0, max(0.0, part))) for part in (red, green, blue))


@lru_cache(maxsize=1)
def rgb_palette() -> NDArray[np.uint8]:
    """The palette, uint8 [512, 3]; the index is `emphasis << 6 | entry`. Read-only."""
    table = np.array(
        [_rgb(colour, emphasis) for emphasis in range(EMPHASES) for colour in range(COLOURS)], dtype=np.uint8
    )
    table.setflags(write=False)
    return table


@lru_cache(maxsize=1)
def grey_palette() -> NDArray[np.uint8]:
    """The luma of `rgb_palette`'s colours by BT.601, rounded, uint8 [512]. Read-only."""
    table: NDArray[np.uint8] = np.rint(rgb_palette() @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)
    table.setflags(write=False)
    return table
