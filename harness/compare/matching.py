"""Two plays of one input held against each other: what is equal, from where on it is not, and by how many frames one is
ahead. Pure: plays in, a match out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.compare.playing import EDGE_PIXELS, FRAME_SHAPE, Played, Shown
from nesproof.harness.evidence.comparison import (
    MOST_SHIFT_FRAMES,
    Agreement,
    PictureDifference,
    RamDifference,
)
from nesproof.harness.judge.behaviour import agreement

__all__ = [
    "PictureMatch",
    "RamMatch",
    "StateMatch",
    "counter_ahead",
    "match_pictures",
    "match_ram",
    "match_states",
]

_STACK = slice(0x100, 0x200)
_SHIFTS = sorted(range(-MOST_SHIFT_FRAMES, MOST_SHIFT_FRAMES + 1), key=lambda shift: (abs(shift), -shift))
"""The nearest first, so that of several equally good shifts the smallest is taken."""


@dataclass(frozen=True)
class RamMatch:
    """RAM of two plays; see the fields of `BehaviourMatch` of these names."""

    agreement: Agreement
    shift_frames: int = 0
    frames: int = 0
    frames_equal: int = 0
    beside_stack: Agreement = "not-shown"
    undefined_bytes: int = 0
    sha256: tuple[str, str] | None = None
    first: RamDifference | None = None


@dataclass(frozen=True)
class PictureMatch:
    """Pictures of two plays. `first_frames` are the frame numbers, candidate's and baseline's, of the first pair that
    differs, and `differing` its pixels, bool [240, 256]. `edge` is what is left out of pictures that are compared by
    colour, since one of the two never shows anything there: rows at top and bottom, columns at left and right."""

    agreement: Agreement
    shift_frames: int = 0
    frames_equal: int = 0
    first: PictureDifference | None = None
    first_frames: tuple[int, int] = (0, 0)
    differing: NDArray[np.bool_] | None = None
    edge: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True)
class StateMatch:
    """Digests of two plays."""

    agreement: Agreement
    first_frame: int | None = None


def match_ram(candidate: Played, baseline: Played, shown: Shown) -> RamMatch:
    """RAM after every frame, at the shift at which most frames are equal."""
    if not shown.ram or not len(candidate.ram):
        return RamMatch("not-shown")
    differing = {shift: _differing_bytes(candidate.ram, baseline.ram, shift) for shift in _SHIFTS}
    # Where no frame is equal at any shift, the one with the fewest differing bytes is nearest.
    shift = max(_SHIFTS, key=lambda s: (np.count_nonzero(differing[s] == 0) / len(differing[s]), -differing[s].mean()))
    mine, theirs = _aligned(candidate.ram, baseline.ram, shift)
    left_out = np.zeros(mine.shape, bool) if shown.defined_at_power_on else _untouched(mine) & _untouched(theirs)
    unequal = (mine != theirs) & ~left_out
    undefined = int(np.count_nonzero(((mine != theirs) & left_out).any(axis=0)))
    frames_equal = int(np.count_nonzero(~unequal.any(axis=1)))
    beside_stack = unequal.copy()
    beside_stack[:, _STACK] = False
    return RamMatch(
        agreement=agreement(not unequal.any()),
        shift_frames=shift,
        frames=len(mine),
        frames_equal=frames_equal,
        beside_stack=agreement(not beside_stack.any()),
        undefined_bytes=undefined,
        sha256=(_sha256(mine, left_out), _sha256(theirs, left_out)),
        first=_first_ram(mine, theirs, unequal, first_frame=max(0, -shift)),
    )


def match_states(candidate: Played, baseline: Played, shown: Shown) -> StateMatch:
    """Digests after every frame; they are of consoles whose frames end at one moment, so that nothing is shifted."""
    if not shown.states or not len(candidate.states):
        return StateMatch("not-shown")
    count = min(len(candidate.states), len(baseline.states))
    differing = np.flatnonzero(candidate.states[:count] != baseline.states[:count])
    return StateMatch(agreement(not differing.size), int(differing[0]) if differing.size else None)


def match_pictures(candidate: Played, baseline: Played, shown: Shown) -> PictureMatch:
    """Pictures after every frame, at the shift at which most look alike.

    By indices a pixel is equal where its index is. By colours it is where the two colours are each other's partner:
    the one that each stands beside most often over the whole play. Two pictures of one colour each are equal: nobody
    can say more of them.
    """
    if shown.pictures == "nothing" or not candidate.pictures:
        return PictureMatch("not-shown")
    shift = max(_SHIFTS, key=lambda s: _share_equal(candidate.looks, baseline.looks, s))
    pairs = list(_pairs(len(candidate.pictures), len(baseline.pictures), shift))
    edge = (0, 0, 0, 0) if shown.pictures == "indices" else _edge(candidate, baseline)
    inside = np.zeros(FRAME_SHAPE, bool)
    inside[edge[0] : FRAME_SHAPE[0] - edge[1], edge[2] : FRAME_SHAPE[1] - edge[3]] = True
    partners = None if shown.pictures == "indices" else _partners(candidate, baseline, pairs, inside)
    equal = 0
    first: PictureDifference | None = None
    first_frames, first_differing = (0, 0), None
    for mine, theirs in pairs:
        codes = candidate.codes(mine), baseline.codes(theirs)
        differing = _differing_pixels(*codes, partners) & inside
        if partners is not None and all(_is_blank(picture[inside]) for picture in codes):
            differing[:] = False
        if not differing.any():
            equal += 1
        elif first is None:
            row, column = divmod(int(differing.reshape(-1).argmax()), differing.shape[1])
            count = int(np.count_nonzero(differing))
            first = PictureDifference(frame=mine, pixels_differing=count, row=row, column=column)
            first_frames, first_differing = (mine, theirs), differing
    return PictureMatch(
        agreement=agreement(first is None),
        shift_frames=shift,
        frames_equal=equal,
        first=first,
        first_frames=first_frames,
        differing=first_differing,
        edge=edge,
    )


def counter_ahead(candidate: Played, baseline: Played, *, address: int, width: int) -> int | None:
    """How far the candidate's frame counter is ahead of the baseline's at the end of both plays, None without RAM.

    A counter of `width` bytes wraps; the shorter way round is taken.
    """
    if not len(candidate.ram) or not len(baseline.ram):
        return None
    mine, theirs = (
        int.from_bytes(played.ram[-1][address : address + width].tobytes(), "little")
        for played in (candidate, baseline)
    )
    size = 1 << 8 * width
    return (mine - theirs + size // 2) % size - size // 2


def _aligned(
    mine: NDArray[np.uint8], theirs: NDArray[np.uint8], shift: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The rows that belong together: the candidate's f and the baseline's f + shift."""
    mine, theirs = mine[max(0, -shift) :], theirs[max(0, shift) :]
    count = min(len(mine), len(theirs))
    return mine[:count], theirs[:count]


def _differing_bytes(mine: NDArray[np.uint8], theirs: NDArray[np.uint8], shift: int) -> NDArray[np.int64]:
    first, second = _aligned(mine, theirs, shift)
    counts: NDArray[np.int64] = np.count_nonzero(first != second, axis=1) if len(first) else np.array([2048])
    return counts


def _untouched(ram: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where a byte still holds what it held after the first frame, never having held anything else; bool [F, 2048]."""
    return np.logical_and.accumulate(ram == ram[0], axis=0)


def _sha256(ram: NDArray[np.uint8], left_out: NDArray[np.bool_]) -> str:
    kept = ram.copy()
    kept[left_out] = 0
    return hashlib.sha256(kept.tobytes()).hexdigest()


def _first_ram(
    mine: NDArray[np.uint8], theirs: NDArray[np.uint8], unequal: NDArray[np.bool_], *, first_frame: int
) -> RamDifference | None:
    rows = np.flatnonzero(unequal.any(axis=1))
    if not rows.size:
        return None
    row = int(rows[0])
    address = int(unequal[row].argmax())
    return RamDifference(
        frame=first_frame + row,
        bytes_differing=int(np.count_nonzero(unequal[row])),
        address=address,
        candidate=int(mine[row, address]),
        baseline=int(theirs[row, address]),
    )


def _pairs(mine: int, theirs: int, shift: int) -> Iterator[tuple[int, int]]:
    for frame in range(mine):
        if 0 <= frame + shift < theirs:
            yield frame, frame + shift


def _share_equal(mine: Sequence[bytes], theirs: Sequence[bytes], shift: int) -> float:
    pairs = list(_pairs(len(mine), len(theirs), shift))
    return sum(mine[a] == theirs[b] for a, b in pairs) / len(pairs) if pairs else 0.0


def _edge(candidate: Played, baseline: Played) -> tuple[int, int, int, int]:
    """What one of the two leaves blank at each side throughout, and the other does not."""
    mine, theirs = _blank_edge(candidate), _blank_edge(baseline)
    return tuple(max(a, b) if a != b else 0 for a, b in zip(mine, theirs, strict=True))  # type: ignore[return-value]


def _blank_edge(played: Played) -> tuple[int, int, int, int]:
    """How many rows and columns at each side hold the corner's colour alone, in every picture."""
    corner = played.codes(0)[0, 0]
    blank = np.ones(FRAME_SHAPE, bool)
    for frame in range(len(played.pictures)):
        blank &= played.codes(frame) == corner
    rows, columns = np.asarray(blank.all(axis=1)), np.asarray(blank.all(axis=0))
    return _leading(rows), _leading(rows[::-1]), _leading(columns), _leading(columns[::-1])


def _leading(blank: NDArray[np.bool_]) -> int:
    return EDGE_PIXELS if blank[:EDGE_PIXELS].all() else int(blank.argmin())


def _is_blank(codes: NDArray[np.integer[Any]]) -> bool:
    return bool((codes == codes[0]).all())


def _partners(
    candidate: Played, baseline: Played, pairs: Sequence[tuple[int, int]], inside: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each colour of the one, the colour of the other that it stands beside most often, both ways."""
    shape = (len(candidate.palette), len(baseline.palette))
    counts = np.zeros(shape[0] * shape[1], np.int64)
    for mine, theirs in pairs:
        codes = candidate.codes(mine)[inside].astype(np.int64), baseline.codes(theirs)[inside]
        if not all(_is_blank(picture) for picture in codes):
            counts += np.bincount(codes[0] * shape[1] + codes[1], minlength=counts.size)
    table = counts.reshape(shape)
    return table.argmax(axis=1), table.argmax(axis=0)


def _differing_pixels(
    mine: NDArray[np.uint16], theirs: NDArray[np.uint16], partners: tuple[NDArray[np.intp], NDArray[np.intp]] | None
) -> NDArray[np.bool_]:
    if partners is None:
        return np.asarray(mine != theirs)
    return np.asarray((partners[0][mine] != theirs) | (partners[1][theirs] != mine))
