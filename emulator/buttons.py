"""Buttons as the console takes them: one byte a controller and frame."""

from __future__ import annotations

from enum import IntFlag
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Button", "Buttons", "rows_of_buttons"]

MAX_FRAMES = 10_000_000
"""At most so many frames a call: 46 hours of play, 20 MB of buttons."""

Buttons: TypeAlias = "int | tuple[int, int] | NDArray[np.uint8]"


class Button(IntFlag):
    """One button's bit, in the order in which a controller shifts them out."""

    A = 0x01
    B = 0x02
    SELECT = 0x04
    START = 0x08
    UP = 0x10
    DOWN = 0x20
    LEFT = 0x40
    RIGHT = 0x80


def rows_of_buttons(buttons: Buttons, frames: int | None) -> NDArray[np.uint8]:
    """A uint8 array [F, 2] of what both players hold in each frame.

    Args:
        buttons: an int (player 1, in all frames), a pair of ints, or a uint8 array [F] or [F, 2].
        frames: how many; may be left out with an array, whose length it must equal otherwise. 1 for ints.

    Raises:
        TypeError, ValueError: another dtype or shape, a value above 255, or frames below 0 or above `MAX_FRAMES`.
    """
    if frames is not None and frames < 0:
        raise ValueError(f"frames is {frames}; it must not be negative")
    if frames is not None and frames > MAX_FRAMES:
        raise ValueError(f"frames is {frames}; a call runs at most {MAX_FRAMES}")
    if isinstance(buttons, np.ndarray):
        return _rows_of_array(buttons, frames)
    pair = buttons if isinstance(buttons, tuple) else (buttons, 0)
    if len(pair) != 2:
        raise ValueError(f"buttons has {len(pair)} numbers; a pair is one for each player")
    rows = np.empty((1 if frames is None else frames, 2), np.uint8)
    rows[:] = [_byte(value) for value in pair]
    return rows


def _rows_of_array(buttons: NDArray[np.uint8], frames: int | None) -> NDArray[np.uint8]:
    if buttons.dtype != np.uint8:
        raise TypeError(f"buttons has dtype {buttons.dtype}; uint8 is needed")
    if buttons.ndim == 1:
        rows: NDArray[np.uint8] = np.zeros((len(buttons), 2), np.uint8)
        rows[:, 0] = buttons
    elif buttons.ndim == 2 and buttons.shape[1] == 2:
        rows = np.ascontiguousarray(buttons)
    else:
        raise ValueError(f"buttons has shape {list(buttons.shape)}; [frames] or [frames, 2] is needed")
    if frames is not None and frames != len(rows):
        raise ValueError(f"frames is {frames}, but buttons has {len(rows)} of them; leave frames out")
    return rows


def _byte(value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"buttons are ints, a pair of them or a uint8 array, not {type(value).__name__}")
    if not 0 <= value <= 0xFF:
        raise ValueError(f"buttons is {value}; a controller's byte is 0 to 255")
    return int(value)
