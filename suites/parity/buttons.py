"""Random buttons: the same for a name and a seed on every machine and in every version of Python and NumPy."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

__all__ = ["random_buttons"]

_START = 0x08
_TITLE_FRAMES = 30
_LONGEST_HOLD_FRAMES = 32


def random_buttons(name: str, seed: int, frames: int) -> NDArray[np.uint8]:
    """Both controllers' buttons, uint8 [frames, 2].

    Whatever combination of eight buttons there is comes up, opposite directions too; each is held for up to 32 frames.
    Controller 1 presses Start early, so that a game begins, and rarely after, so that it is not paused all the time.
    """
    return np.stack([_one_player(f"{name}/{seed}/{player}", frames) for player in (1, 2)], axis=1)


def _one_player(name: str, frames: int) -> NDArray[np.uint8]:
    chance = random.Random(name)  # getrandbits of a seeded generator is the same everywhere
    buttons = np.zeros(frames, np.uint8)
    at = _TITLE_FRAMES + chance.getrandbits(3)
    buttons[at : at + 3] = _START
    at += 6
    while at < frames:
        mask = chance.getrandbits(8)
        if chance.getrandbits(4):
            mask &= ~_START
        if not chance.getrandbits(2):
            mask = 0
        length = 1 + chance.getrandbits(5) % _LONGEST_HOLD_FRAMES
        buttons[at : at + length] = mask
        at += length
    return buttons
