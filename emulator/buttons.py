"""Buttons as the console takes them: one byte a controller and frame."""

from __future__ import annotations

import operator
from enum import IntFlag
from typing import Literal, TypeAlias, get_args, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["RECORDS", "Button", "Buttons", "Record", "pictures_of", "rows_for_batch", "rows_of_buttons"]

MAX_FRAMES = 10_000_000
"""At most so many frames a call: 46 hours of play, 20 MB of buttons."""

Record = Literal["none", "last", "last2", "all"]
"""Which frames of a step are kept for drawing."""

RECORDS: tuple[str, ...] = get_args(Record)

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
    frames = _checked_frames(frames)
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


def _byte(value: int | np.integer) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"buttons are ints, a pair of them or a uint8 array, not {type(value).__name__}")
    if not 0 <= value <= 0xFF:
        raise ValueError(f"buttons is {value}; a controller's byte is 0 to 255")
    return int(value)


def rows_for_batch(
    buttons: ArrayLike, num_envs: int, frames: int | None, record: str
) -> tuple[NDArray[np.uint8], int, str]:
    """The arguments of a batch's step in their plainest form: a contiguous array [N], [N, F] or [N, F, 2], F, record.

    Args:
        buttons: uint8 [N], [N, F] or [N, F, 2], or an int for all consoles.
        num_envs: N.
        frames: F; 1, or the array's, where it is None.
        record: one of `RECORDS`.

    Raises:
        TypeError, ValueError: another dtype, shape, number or record.
    """
    if record not in RECORDS:
        raise ValueError(f"there is no record {record!r}; it is one of: {', '.join(RECORDS)}")
    frames = _checked_frames(frames)
    if isinstance(buttons, (int, np.integer)):
        return np.full(num_envs, _byte(buttons), np.uint8), 1 if frames is None else frames, record
    rows = np.asarray(buttons)
    if rows.dtype != np.uint8:
        raise TypeError(f"buttons has dtype {rows.dtype}; uint8 is needed")
    forms = f"[{num_envs}], [{num_envs}, frames] or [{num_envs}, frames, 2]"
    if rows.ndim not in (1, 2, 3) or len(rows) != num_envs or (rows.ndim == 3 and rows.shape[2] != 2):
        raise ValueError(f"buttons has shape {list(rows.shape)}; {forms} is needed")
    if rows.ndim == 1:
        return np.ascontiguousarray(rows), 1 if frames is None else frames, record
    if frames is None and rows.ndim == 2 and rows.shape[1] == 2:
        raise ValueError(
            f"buttons of shape {list(rows.shape)} may be two frames or two players; "
            f"say frames=2, or give [{num_envs}, 1, 2]"
        )
    if frames is not None and frames != rows.shape[1]:
        raise ValueError(f"frames is {frames}, but buttons of shape {list(rows.shape)} has {rows.shape[1]} of them")
    return np.ascontiguousarray(rows), _checked_frames(rows.shape[1]), record


def pictures_of(record: str, frames: int) -> int:
    """How many pictures a step of so many frames leaves.

    Raises:
        ValueError: the record is not one of `RECORDS`.
    """
    if record not in RECORDS:
        raise ValueError(f"there is no record {record!r}; it is one of: {', '.join(RECORDS)}")
    return {"none": 0, "last": min(frames, 1), "last2": min(frames, 2), "all": frames}[record]


@overload
def _checked_frames(frames: int) -> int: ...
@overload
def _checked_frames(frames: None) -> None: ...
@overload
def _checked_frames(frames: int | None) -> int | None: ...
def _checked_frames(frames: int | None) -> int | None:
    if frames is None:
        return None
    if isinstance(frames, bool):
        raise TypeError("frames is a number, not a bool")
    count = operator.index(frames)
    if count < 0:
        raise ValueError(f"frames is {count}; it must not be negative")
    if count > MAX_FRAMES:
        raise ValueError(f"frames is {count}; a call runs at most {MAX_FRAMES}")
    return count
