"""Two subjects side by side, frame by frame, until they part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject

__all__ = ["Parting", "StatesDiffer", "follow_both"]

_SHORTEST_STRETCH_FRAMES, _STRETCH_BITS = 10, 6


@dataclass(frozen=True)
class Parting:
    """Two subjects were in equal states after `equal_frames` frames, and were not after `frame` more than that.

    `frame` counts from power-on, beginning with 0: the first frame after which digests or pictures differ. `one` and
    `other` are the states after `equal_frames` frames.
    """

    equal_frames: int
    frame: int
    one: bytes
    other: bytes
    digests: tuple[int, int]
    pictures: tuple[int, int]


class StatesDiffer(Exception):
    """Digests are equal, yet the saved states are not: of the fields outside the digest, one differs."""

    def __init__(self, frame: int, one: bytes, other: bytes) -> None:
        super().__init__(f"After frame {frame} the digests are equal, but the saved states are not the same bytes.")
        self.frame = frame
        self.one = one
        self.other = other


def follow_both(one: Subject, other: Subject, buttons: NDArray[np.uint8], *, seed: str) -> Parting | None:
    """Step both from where they are through `buttons`, uint8 [F, 2]; the first frame at which they part, or None.

    After random numbers of frames drawn from `seed` their states, which must be the same bytes, change places: each
    goes on from what the other saved.

    Raises:
        StatesDiffer: the states are not the same bytes though the digests are equal.
    """
    frame = 0
    for start, end in _stretches(len(buttons), seed):
        states = one.save_state(), other.save_state()
        if states[0] != states[1]:
            raise StatesDiffer(frame, *states)
        one.load_state(states[1])
        other.load_state(states[0])
        ours = one.follow(buttons[start:end], pictures=True)
        theirs = other.follow(buttons[start:end], pictures=True)
        digests, pictures = np.stack([ours[0], theirs[0]]), np.stack([_present(ours[1]), _present(theirs[1])])
        parted = np.flatnonzero((digests[0] != digests[1]) | (pictures[0] != pictures[1]))
        if parted.size:
            at = int(parted[0])
            return Parting(start, start + at, *states, _pair(digests[:, at]), _pair(pictures[:, at]))
        frame = end
    return None


def _stretches(frames: int, seed: str) -> Iterator[tuple[int, int]]:
    """Stretches of 10 to 73 frames that cover `frames`."""
    chance = random.Random(f"stretches of {seed}")
    start = 0
    while start < frames:
        end = min(frames, start + _SHORTEST_STRETCH_FRAMES + chance.getrandbits(_STRETCH_BITS))
        yield start, end
        start = end


def _present(pictures: NDArray[np.uint64] | None) -> NDArray[np.uint64]:
    assert pictures is not None
    return pictures


def _pair(values: NDArray[np.uint64]) -> tuple[int, int]:
    return int(values[0]), int(values[1])
