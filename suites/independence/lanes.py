"""What the cases share: buttons of many lanes, one console at a time as the oracle, and how they are compared."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.harness.subjects.batch import SubjectBatch
from nesproof.harness.subjects.client import Subject

__all__ = [
    "alone",
    "chunks",
    "lane_buttons",
    "only_rom",
    "pictures_alone",
    "require_alive",
    "require_lanes_equal",
    "staggered",
    "staggered_alone",
]

_STAGGER_FRAMES = 16


def only_rom(roms: Mapping[str, bytes]) -> bytes:
    """The bytes of the case's one ROM."""
    (rom,) = roms.values()
    return rom


def lane_buttons(name: str, lanes: int, frames: int) -> NDArray[np.uint8]:
    """Buttons of every lane on both controllers, uint8 [lanes, frames, 2]: random, of its own, the same everywhere.

    Each lane presses Start at one of the frames 16 to 47, so that games begin at different times.
    """
    return np.stack([_one_lane(random.Random(f"{name}/{lane}"), frames) for lane in range(lanes)])


def _one_lane(chance: random.Random, frames: int) -> NDArray[np.uint8]:
    buttons = np.zeros((frames, 2), np.uint8)
    at = 0
    while at < frames:
        length = 1 + chance.getrandbits(3)
        buttons[at : at + length] = chance.getrandbits(8) & ~0x08, chance.getrandbits(8)
        at += length
    start = 16 + chance.getrandbits(5)
    buttons[start : start + 3, 0] |= 0x08
    return buttons


def staggered(batch: SubjectBatch) -> SubjectBatch:
    """The batch, powered on and 16 frames later, the reset button of lane n pressed after frame n modulo 16.

    So lanes are apart even where a program takes no heed of buttons.
    """
    batch.power_on()
    nothing = np.zeros((batch.lanes, 1), np.uint8)
    for frame in range(_STAGGER_FRAMES):
        batch.step(nothing)
        batch.press_reset(range(frame, batch.lanes, _STAGGER_FRAMES))
    return batch


def staggered_alone(single: Subject, lane: int) -> None:
    """One console, with a cartridge in, brought to where `lane` of a staggered batch stands."""
    before = lane % _STAGGER_FRAMES + 1
    single.power_on()
    single.step(frames=before)
    single.press_reset()
    if before < _STAGGER_FRAMES:
        single.step(frames=_STAGGER_FRAMES - before)


def alone(single: Subject, rom: bytes, buttons: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Where one console ends that plays each lane in turn, from a staggered start: its digests, uint64 [lanes]."""
    single.load(rom)
    digests = []
    for lane, row in enumerate(buttons):
        staggered_alone(single, lane)
        single.step(row)
        digests.append(int(single.digest(), 16))
    return np.array(digests, np.uint64)


def pictures_alone(single: Subject, rom: bytes, buttons: NDArray[np.uint8], lanes: Iterable[int]) -> NDArray[np.uint8]:
    """The last frames of one console that plays `lanes` in turn, from a staggered start, uint8 [K, 240, 256]."""
    single.load(rom)
    pictures = []
    for lane in lanes:
        staggered_alone(single, lane)
        single.step(buttons[lane])
        pictures.append(single.read_frame_indices())
    return np.stack(pictures)


def chunks(name: str, frames: int) -> list[slice]:
    """Frames in random groups of 1 to 8, in their order."""
    chance = random.Random(f"chunks of {name}")
    found, start = [], 0
    while start < frames:
        end = min(frames, start + 1 + chance.getrandbits(3))
        found.append(slice(start, end))
        start = end
    return found


def require_lanes_equal(
    what: str, ours: NDArray[np.uint64], theirs: NDArray[np.uint64], lanes: Sequence[int] | None = None
) -> None:
    """Fail with the first lane that differs; `lanes` are the numbers of the entries, 0 and up by default."""
    differing = np.flatnonzero(ours != theirs)
    if differing.size:
        first = int(differing[0])
        lane = first if lanes is None else lanes[first]
        pytest.fail(
            f"{what}: {differing.size} of {len(ours)} lanes differ, first lane {lane}: "
            f"{int(ours[first]):016x} is not {int(theirs[first]):016x}.",
            pytrace=False,
        )


def require_alive(batch: SubjectBatch) -> None:
    """Fail where the RAM of most lanes is the same: then there is nothing to confuse."""
    kinds, most = len({ram.tobytes() for ram in batch.read_ram()}), min(batch.lanes, _STAGGER_FRAMES)
    if kinds < (most + 1) // 2:
        pytest.fail(f"The RAM of {batch.lanes} lanes with buttons of their own is one of {kinds}.", pytrace=False)
