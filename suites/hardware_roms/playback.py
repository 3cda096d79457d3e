"""Plays a program the way a person at the console would, and looks at it every few frames until it has reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nesproof.harness.subjects.client import Subject
from nesproof.roms_manifest import Run

__all__ = ["Played", "Report", "ResetWanted", "Watcher", "play"]


@dataclass(frozen=True)
class Report:
    """A program's verdict. `text` is what it says for people, "" where it says nothing."""

    passed: bool
    reason: str
    text: str = ""


@dataclass(frozen=True)
class ResetWanted:
    """The program asks for the console's reset button, in `delay_frames` frames at the earliest."""

    delay_frames: int


class Watcher(Protocol):
    """Reads one protocol, by the `way` that it says. It is asked every `frames_between_looks` frames and may remember
    what it saw."""

    way: str
    frames_between_looks: int

    def look(self, subject: Subject) -> Report | ResetWanted | None:
        """What the program says now; None while it has not reported."""
        ...

    def so_far(self, subject: Subject) -> str:
        """What can be said of a program that reached its limit without a report."""
        ...


@dataclass(frozen=True)
class Played:
    """How a program ended. `frames` counts from power-on, resets included."""

    report: Report
    frames: int
    resets: int


def play(subject: Subject, rom: bytes, run: Run, watcher: Watcher, *, limit_frames: int) -> Played:
    """Power on and play until the program reports; reaching `limit_frames` is a failure."""
    subject.load(rom)
    subject.power_on()
    frame = resets = 0
    while frame < limit_frames:
        frame = _advance(subject, run, frame, min(watcher.frames_between_looks, limit_frames - frame))
        seen = watcher.look(subject)
        if isinstance(seen, Report):
            return Played(seen, frame, resets)
        if isinstance(seen, ResetWanted):
            frame = _advance(subject, run, frame, seen.delay_frames)
            subject.press_reset()
            resets += 1
    reason = f"No verdict within {limit_frames} frames: {watcher.so_far(subject)}"
    return Played(Report(passed=False, reason=reason), frame, resets)


def _advance(subject: Subject, run: Run, frame: int, count: int) -> int:
    subject.step(np.array([run.buttons_at(frame + i) for i in range(count)], dtype=np.uint8))
    return frame + count
