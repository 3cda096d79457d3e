"""Two subjects in lockstep, unit by unit: the trace after every unit, the whole state after every few."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.trace import TRACE_DTYPE
from nesproof.suites.parity.unit_search import frame_ends

__all__ = ["UNITS_AT_ONCE", "Lockstep", "in_lockstep"]

UNITS_AT_ONCE = 2_048
_DIGEST_EVERY = 8
_JAMMED_FOR_UNITS = 64


@dataclass(frozen=True)
class Lockstep:
    """How far two subjects were compared. `jammed`: the CPU stopped for good, and the comparison with it.

    `parted` is None where they were equal; else the states of both, at most 2,048 units before they differ. `frames`
    is how many frames ended before.
    """

    units: int
    frames: int
    jammed: bool
    parted: tuple[bytes, bytes] | None = None


def in_lockstep(subjects: tuple[Subject, Subject], units: int, *, buttons: tuple[int, int]) -> Lockstep:
    """Run both from where they are for `units` units with `buttons`, as long as they are equal."""
    done = frames = 0
    before = np.empty(0, TRACE_DTYPE)
    held: tuple[int, int] | None = buttons
    while done < units:
        states = subjects[0].save_state(), subjects[1].save_state()
        count = min(UNITS_AT_ONCE, units - done)
        ours, theirs = (s.units.run(count, buttons=held, digest_every=_DIGEST_EVERY) for s in subjects)
        held = None
        last = subjects[0].digest(), subjects[1].digest()
        if not _equal(ours, theirs) or last[0] != last[1]:
            return Lockstep(done, frames, False, states)
        done += count
        frames += len(frame_ends(np.concatenate([before, ours[0]])))
        before = ours[0][-1:]
        if stopped := _jammed_units(ours[0]):
            return Lockstep(done - stopped, frames, True)
    return Lockstep(done, frames, False)


def _equal(
    ours: tuple[NDArray[np.void], NDArray[np.uint64]], theirs: tuple[NDArray[np.void], NDArray[np.uint64]]
) -> bool:
    return np.array_equal(ours[0], theirs[0]) and np.array_equal(ours[1], theirs[1])


def _jammed_units(rows: NDArray[np.void]) -> int:
    """How many of the last units are cycles of a CPU that has stopped; 0 where it runs."""
    moving = np.flatnonzero(
        (np.diff(rows["cycle"].astype(np.int64)) != 1) | (np.diff(rows["pc"].astype(np.int64)) != 0)
    )
    standing = len(rows) - (int(moving[-1]) + 2 if moving.size else 0)
    return standing if standing >= _JAMMED_FOR_UNITS else 0
