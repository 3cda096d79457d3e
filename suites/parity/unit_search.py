"""Within one frame: the unit, or the block, after which two subjects that were equal differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject

__all__ = ["BlockFound", "FrameUnits", "find_block", "frame_ends", "units_of_frame"]

_UNITS_AT_ONCE = 256
_FRAME_CYCLES_AT_MOST = 29_782
_SLACK_CYCLES = 1_100
"""A frame's last unit can be long: two DMA units and an interrupt sequence."""
_LINES, _DOTS_A_LINE, _VBLANK_LINE = 262, 341, 241
_MOST_BLOCKS = 1 << 20


@dataclass(frozen=True)
class FrameUnits:
    """One frame unit by unit on both subjects.

    `rows` are each one's trace. `parted`: the number of the first unit after which they differ (-1: the reset sequence,
    which has no row), or None where they were equal to the frame's end. `digests` are the first subject's after each
    unit; the trace goes a few units beyond what was compared.
    """

    rows: tuple[NDArray[np.void], NDArray[np.void]]
    digests: NDArray[np.uint64]
    parted: int | None

    @property
    def last(self) -> int:
        """The number of the unit in which the frame ends."""
        ends = frame_ends(self.rows[0])
        return int(ends[0]) if ends.size else len(self.rows[0]) - 1


@dataclass(frozen=True)
class BlockFound:
    """The first block after which a state is not one that the units pass through.

    `first` and `last` are the numbers of the units that it must have consisted of; `blocks` is how many there were.
    """

    blocks: int
    first: int
    last: int


def units_of_frame(
    subjects: tuple[Subject, Subject],
    states: tuple[bytes, bytes],
    buttons: tuple[int, int],
    *,
    at_least_units: int = 0,
) -> FrameUnits:
    """Run the frame that begins with `states` unit by unit, as far as the subjects are equal.

    The frame's end stops it, but not before `at_least_units`.
    """
    for subject, state in zip(subjects, states, strict=True):
        subject.load_state(state)
    rows: tuple[list[NDArray[np.void]], list[NDArray[np.void]]] = ([], [])
    digests: list[NDArray[np.uint64]] = []
    done = 0
    held: tuple[int, int] | None = buttons
    while True:
        ours, theirs = (s.units.run(_UNITS_AT_ONCE, buttons=held, digest_every=1) for s in subjects)
        held = None
        rows[0].append(ours[0])
        rows[1].append(theirs[0])
        digests.append(ours[1])
        parted = _first_difference(ours, theirs)
        if parted is not None or (done + _UNITS_AT_ONCE >= at_least_units and _is_over(rows[0])):
            return FrameUnits(
                (np.concatenate(rows[0]), np.concatenate(rows[1])),
                np.concatenate(digests),
                None if parted is None else done + parted,
            )
        done += _UNITS_AT_ONCE


def find_block(fast: Subject, state: bytes, buttons: tuple[int, int], units: FrameUnits) -> BlockFound | None:
    """The fewest blocks after which `fast` is where its units never are; None where a whole frame of blocks is right.

    Where blocks are once wrong they are taken to stay so: a state that is wrong only in passing is not found.
    """
    cycles = units.rows[0]["cycle"]
    number_at = {int(cycle): number for number, cycle in enumerate(cycles.tolist())}

    def after(blocks: int) -> tuple[int, bool]:
        fast.load_state(state)
        fast.units.run_blocks(blocks, buttons=buttons)
        digest = int(fast.digest(), 16)
        cycle = int(fast.units.run(1)[0]["cycle"][0])
        number = number_at.get(cycle)
        is_right = number is not None and number > 0 and int(units.digests[number - 1]) == digest
        return cycle, is_right

    fast.load_state(state)
    wrong = fast.units.run_blocks(_MOST_BLOCKS, buttons=buttons)
    if after(wrong)[1]:
        return None
    right = 0
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if after(middle)[1]:
            right = middle
        else:
            wrong = middle
    # One unit follows the blocks before the state is looked at, so that the wrong block begins one unit earlier.
    first = max(0, int(np.searchsorted(cycles, after(right)[0])) - 1)
    last = max(first, int(np.searchsorted(cycles, after(wrong)[0])) - 1)
    return BlockFound(wrong, first, min(last, len(cycles) - 1))


def _first_difference(
    ours: tuple[NDArray[np.void], NDArray[np.uint64]], theirs: tuple[NDArray[np.void], NDArray[np.uint64]]
) -> int | None:
    """The number of the first unit after which state or the next row differs; -1 where it did before the first."""
    rows = np.flatnonzero(ours[0] != theirs[0])
    digests = np.flatnonzero(ours[1] != theirs[1])
    found = [int(rows[0]) - 1] if rows.size else []
    found += [int(digests[0])] if digests.size else []
    return min(found, default=None)


def _is_over(chunks: list[NDArray[np.void]]) -> bool:
    """True once the trace has passed the start of the vertical blank, where frames end."""
    cycles = int(chunks[-1]["cycle"][-1]) - int(chunks[0]["cycle"][0])
    return cycles > _FRAME_CYCLES_AT_MOST + _SLACK_CYCLES or frame_ends(np.concatenate(chunks[-2:])).size > 0


def frame_ends(rows: NDArray[np.void]) -> NDArray[np.int64]:
    """The numbers of the units in which a frame ends: those whose next row lies behind the vertical blank's start."""
    since_vblank = (rows["scanline"].astype(np.int64) - _VBLANK_LINE) % _LINES * _DOTS_A_LINE + rows["dot"]
    # Dot 0 of the line belongs to the frame before.
    return np.flatnonzero(np.diff((since_vblank - 1) % (_LINES * _DOTS_A_LINE)) < 0)
