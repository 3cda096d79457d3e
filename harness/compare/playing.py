"""What a subject shows when it plays a workload's input from power-on, frame by frame."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.evidence.comparison import PicturesBy
from nesproof.harness.probes.lanes import wait_for_game
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.workloads import Workload

__all__ = ["EDGE_PIXELS", "FRAME_SHAPE", "Played", "Shown", "play"]

FRAME_SHAPE = (240, 256)
EDGE_PIXELS = 8
"""So many rows and columns at each side of a picture some emulators cut off."""
MOST_COLOURS = 1024
"""A console shows 64 colours in 8 kinds of emphasis; what has more than this many is no picture of one, and its further
colours share the last code."""
_MOST_TOGETHER = 200
"""Colours in one picture; what has more looks like itself alone."""
_UNKNOWN = 0xFFFF
_GREY = 4
"""An index without a known colour is drawn as this many times itself, grey."""


@dataclass(frozen=True)
class Shown:
    """What is read after every frame: what both subjects of a comparison can show.

    `defined_at_power_on`: both say what RAM holds then.
    """

    ram: bool
    pictures: PicturesBy
    states: bool
    defined_at_power_on: bool


@dataclass
class Played:
    """One subject's play of F frames.

    `ram` is uint8 [F, 2048] (F = 0 where it shows none), `states` uint64 [F] digests. `pictures` are compressed rows of
    codes, uint16 [240, 256] each; a code is a palette index, or the number of a colour, and `palette` gives its colour,
    RGB. `looks` are hashes of the pictures without their edge that are equal where the pictures are: for colours,
    whichever these are.
    """

    ram: NDArray[np.uint8]
    states: NDArray[np.uint64]
    pictures: list[bytes] = field(default_factory=list)
    looks: list[bytes] = field(default_factory=list)
    palette: list[tuple[int, int, int]] = field(default_factory=list)
    waited_frames: int = 0
    """How many of the F frames were waited between warm-up and window, without a button."""

    def codes(self, frame: int) -> NDArray[np.uint16]:
        """The picture after that frame, uint16 [240, 256]."""
        return np.frombuffer(zlib.decompress(self.pictures[frame]), np.uint16).reshape(FRAME_SHAPE)

    def rgb(self, frame: int) -> NDArray[np.uint8]:
        """The picture after that frame in the subject's own colours, uint8 [240, 256, 3]."""
        return np.array(self.palette, np.uint8)[self.codes(frame)]

    def equals(self, other: Played) -> bool:
        """True where all that was read is equal, colours included."""
        return (
            np.array_equal(self.ram, other.ram)
            and np.array_equal(self.states, other.states)
            and self.pictures == other.pictures
            and self.palette == other.palette
        )


def play(
    name: str,
    workload: Workload,
    rom: bytes,
    stream: bytes,
    *,
    shown: Shown,
    input_shift_frames: int = 0,
    log_path: Path | None = None,
) -> Played:
    """Play warm-up, what the workload waits for, and window, in a process of the subject's own.

    With `input_shift_frames` frame f gets the input of frame f + that many (none where there is none). Where the window
    waits for the game, that aligns them anew, and the warm-up's input alone is shifted.

    Raises:
        SubjectUnavailable, SubjectRefused, SubjectFailed, NotCapable: the subject did not play.
    """
    inputs = np.frombuffer(stream, np.uint8).copy()
    moved = inputs[: workload.warmup_frames] if workload.wait_for else inputs
    moved[:] = _shifted(moved, input_shift_frames)
    with open_subject(name, log_path=log_path) as subject:
        subject.load(rom)
        subject.power_on()
        return _Recorder(subject, shown).run(workload, inputs)


def _shifted(inputs: NDArray[np.uint8], by: int) -> NDArray[np.uint8]:
    padded = np.zeros_like(inputs)
    if by >= 0:
        padded[: len(inputs) - by] = inputs[by:]
    else:
        padded[-by:] = inputs[:by]
    return padded


class _Recorder:
    """Reads a subject after every frame."""

    def __init__(self, subject: Subject, shown: Shown) -> None:
        self._subject = subject
        self._shown = shown
        self._ram: list[NDArray[np.uint8]] = []
        self._states: list[int] = []
        self._codes = _IndexCodes(subject) if shown.pictures == "indices" else _ColourCodes(subject)
        self._pictures: list[bytes] = []
        self._looks: list[bytes] = []

    def run(self, workload: Workload, inputs: NDArray[np.uint8]) -> Played:
        """Everything that the subject shows."""
        self._step_through(inputs[: workload.warmup_frames])
        nothing = np.zeros(1, np.uint8)
        waited = wait_for_game(workload, read_ram=self._subject.read_ram, step=lambda: self._step_through(nothing))
        self._step_through(inputs[workload.warmup_frames :])
        return Played(
            ram=np.stack(self._ram) if self._ram else np.zeros((0, 2048), np.uint8),
            states=np.array(self._states, np.uint64),
            pictures=self._pictures,
            looks=self._looks,
            palette=self._codes.palette,
            waited_frames=waited,
        )

    def _step_through(self, inputs: NDArray[np.uint8]) -> None:
        for buttons in inputs:
            self._subject.step(int(buttons))
            if self._shown.ram:
                self._ram.append(self._subject.read_ram())
            if self._shown.states:
                self._states.append(int(self._subject.digest(), 16))
            if self._shown.pictures != "nothing":
                codes = self._codes.read()
                self._pictures.append(zlib.compress(codes.tobytes(), 1))
                self._looks.append(_look(codes, is_exact=self._shown.pictures == "indices"))


class _IndexCodes:
    """Codes that are palette indices. An index's colour is looked up when it is first seen."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._known: set[int] = set()
        self.palette: list[tuple[int, int, int]] = [(_GREY * n % 256,) * 3 for n in range(64)]

    def read(self) -> NDArray[np.uint16]:
        indices = (self._subject.read_frame_indices() & 0x3F).astype(np.uint16)
        new = set(np.flatnonzero(np.bincount(indices.reshape(-1), minlength=64)).tolist()) - self._known
        if new and "frame" in self._subject.capabilities:
            colours = self._subject.read_frame().reshape(-1, 3)
            for index in sorted(new):
                red, green, blue = colours[int((indices.reshape(-1) == index).argmax())].tolist()
                self.palette[index] = (red, green, blue)
        self._known |= new
        return indices


class _ColourCodes:
    """Codes that number the colours in the order in which they are first seen."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._code_of: NDArray[np.uint16] = np.zeros(0, np.uint16)
        self.palette: list[tuple[int, int, int]] = []

    def read(self) -> NDArray[np.uint16]:
        if not self._code_of.size:
            self._code_of = np.full(1 << 24, _UNKNOWN, np.uint16)
        channels = self._subject.read_frame().astype(np.uint32)
        packed = channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2]
        codes: NDArray[np.uint16] = self._code_of[packed]
        unknown = codes == _UNKNOWN
        if unknown.any():
            for colour in np.unique(packed[unknown]).tolist():
                if len(self.palette) < MOST_COLOURS:
                    self.palette.append((colour >> 16, colour >> 8 & 0xFF, colour & 0xFF))
                self._code_of[colour] = len(self.palette) - 1
            codes = self._code_of[packed]
        return codes


def _look(codes: NDArray[np.uint16], *, is_exact: bool) -> bytes:
    """A hash of the picture within its edge; unless exact, of where which colours are one, whichever they are."""
    flat = codes[EDGE_PIXELS:-EDGE_PIXELS, EDGE_PIXELS:-EDGE_PIXELS].reshape(-1)
    present = np.flatnonzero(np.bincount(flat))
    if not is_exact and len(present) <= _MOST_TOGETHER:
        by_place = sorted(present.tolist(), key=lambda code: int((flat == code).argmax()))
        number_of = np.zeros(int(present[-1]) + 1, np.uint16)
        number_of[by_place] = np.arange(len(by_place), dtype=np.uint16)
        flat = number_of[flat]
    return hashlib.blake2b(flat.tobytes(), digest_size=8).digest()
