"""What the evidence document holds of one subject beside another: whether they play alike, and how fast each is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nesproof.harness.evidence.fields import BundlePath, LongText, Name, Record, Sha256, Text
from nesproof.harness.evidence.measurements import Measurement

__all__ = [
    "COUNTER_TOLERANCE_FRAMES",
    "MOST_SHIFT_FRAMES",
    "Agreement",
    "BehaviourMatch",
    "Comparison",
    "ComparisonOutcome",
    "PictureDifference",
    "PicturesBy",
    "RamDifference",
]

Agreement = Literal["equal", "differs", "not-shown"]
"""Whether two subjects show the same in every frame compared; "not-shown" where one of them cannot show it."""

PicturesBy = Literal["indices", "colours", "nothing"]
"""What pictures are compared by: palette indices, or colours, of which each one of a subject's stands for one of the
other's throughout; nothing, where one of them shows no picture."""

ComparisonOutcome = Literal["alike", "differs", "refused", "inconclusive", "broken", "unavailable", "not-measured"]
"""How a comparison ended.

- alike: what both show is the same, and the ratio of their speeds, where it was asked for, has a narrow interval;
- differs: what they show is not the same; a ratio is given with that in the same line;
- refused: the timed frames of one of them are not the right ones, so that its speed means nothing;
- inconclusive: alike, but the noise allows no narrow interval;
- broken: a subject died, hung or answered nonsense;
- unavailable: a subject, its cartridge or something that it needs is not here;
- not-measured: the time or a person ended the run before it.
"""

MOST_SHIFT_FRAMES = 4
COUNTER_TOLERANCE_FRAMES = 1
"""How far the game's frame counters may lie from each other at the end and still agree."""

_Shift = Annotated[int, Field(ge=-MOST_SHIFT_FRAMES, le=MOST_SHIFT_FRAMES)]


class RamDifference(Record):
    """The first frame after which RAM differs: how many bytes do, and the first of them."""

    frame: int = Field(ge=0)
    bytes_differing: int = Field(ge=1, le=2048)
    address: int = Field(ge=0, lt=2048)
    candidate: int = Field(ge=0, le=255)
    baseline: int = Field(ge=0, le=255)

    def in_words(self) -> str:
        """ "frame 12, $0010: 0C against 0D"."""
        return f"frame {self.frame}, ${self.address:04X}: {self.candidate:02X} against {self.baseline:02X}"


class PictureDifference(Record):
    """The first frame whose picture differs: how many pixels do, and a picture of both and their difference."""

    frame: int = Field(ge=0)
    pixels_differing: int = Field(ge=1, le=240 * 256)
    row: int = Field(default=0, ge=0, lt=240)
    column: int = Field(default=0, ge=0, lt=256)
    """The first differing pixel, in the order of drawing."""
    picture: BundlePath | None = None


class BehaviourMatch(Record):
    """How two subjects play one input from power-on, frame by frame.

    Frames count from 0, the first after power-on: warm-up, what the workload waits for, window.
    """

    frames: int = Field(ge=0)
    """How many frames the shorter of the two plays has."""
    waited_frames: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]] = (0, 0)
    """How many of them the candidate and the baseline waited: each until its own RAM says that the window may begin."""
    shift_frames: _Shift = 0
    """RAM after the candidate's frame `f` is held against the baseline's after frame `f + shift_frames`: a subject may
    end a frame at another point of the picture."""
    input_shift_frames: _Shift = 0
    """The candidate got in its frame `f` the input of frame `f + input_shift_frames`, where that makes both see each
    button at the same moment of the game."""
    ram: Agreement
    ram_frames_equal: int | None = Field(default=None, ge=0)
    """After how many of the frames all of RAM is equal."""
    ram_sha256: tuple[Sha256, Sha256] | None = None
    """SHA-256 over the RAM after every frame compared, the candidate's and the baseline's: a run again gives them."""
    first_ram: RamDifference | None = None
    ram_beside_stack: Agreement = "not-shown"
    """The same without the stack's page, $0100 to $01FF, where dead bytes tell at which instruction interrupts came."""
    undefined_bytes: int = Field(default=0, ge=0, le=2048)
    """Bytes that differ until one of the two first changes them: what power-on left there, which is left out where one
    of the two does not say what RAM holds at power-on."""
    pictures: Agreement
    pictures_by: PicturesBy = "nothing"
    picture_shift_frames: _Shift = 0
    """As `shift_frames`, for pictures: at the same moment a picture may be whole where RAM is a frame further on."""
    picture_frames_equal: int | None = Field(default=None, ge=0)
    first_picture: PictureDifference | None = None
    states: Agreement = "not-shown"
    """Whether the digests of the whole state are equal after every frame, where both give ours."""
    first_state_frame: int | None = Field(default=None, ge=0)
    """The first frame after which they differ."""
    counter_ahead_frames: int | None = None
    """How far the candidate's frame counter, as the game keeps it in RAM, is ahead of the baseline's at the end."""
    frame_counters: Agreement = "not-shown"
    """Whether that is at most `COUNTER_TOLERANCE_FRAMES`, to either side: the weaker check. Where RAM or every picture
    is equal, so that the shift of RAM is one of moments, it may be as far ahead as RAM is, give or take as much."""
    unsteady: tuple[Literal["candidate", "baseline"], ...] = Field(default=(), max_length=2)
    """The sides that did not repeat their own play in a second process."""
    batch_checked: tuple[Literal["candidate", "baseline"], ...] = Field(default=(), max_length=2)
    """The sides of several consoles, some of which were held against the subject's console alone."""
    batch_differs: tuple[Literal["candidate", "baseline"], ...] = Field(default=(), max_length=2)
    """Those whose batch does not play as their console alone."""
    remark: Text = ""

    def frames_at(self, shift_frames: int) -> int:
        """How many frames have one beside them where the candidate's are shifted by so many."""
        shorter = min(self.waited_frames)
        mine, theirs = (self.frames + waited - shorter for waited in self.waited_frames)
        return max(0, min(mine - max(0, -shift_frames), theirs - max(0, shift_frames)))

    @property
    def stands_elsewhere(self) -> bool:
        """True where RAM differs only as it must: every picture is equal, the frame counters agree, and yet RAM is
        nearest at another shift than pictures are. The two end their frames at different moments, the one before what
        the program does at the end of a picture and the other within or after it.
        """
        is_elsewhere = self.shift_frames != self.picture_shift_frames
        return self.ram == "differs" and self.pictures == self.frame_counters == "equal" and is_elsewhere

    @property
    def only_stack_differs(self) -> bool:
        """True where RAM differs in the stack's page alone, of two that promise no common state: dead bytes there tell
        at which instruction of a waiting loop an interrupt came, and that hangs on how a console wakes up.
        """
        return self.ram == "differs" and self.ram_beside_stack == "equal" and self.states == "not-shown"

    @property
    def differs(self) -> bool:
        """True where anything that both show is not the same; RAM, unless one of the two reasons above explains it."""
        shown = {self.pictures, self.states, self.frame_counters}
        ram_differs = self.ram == "differs" and not self.stands_elsewhere and not self.only_stack_differs
        return ram_differs or "differs" in shown or bool(self.unsteady) or bool(self.batch_differs)

    def in_short(self) -> str:
        """A clause: "RAM, pictures and state of 320 frames are equal", or what differs and from where on."""
        ram = ("RAM apart from the stack's page", "equal") if self.only_stack_differs else ("RAM", self.ram)
        shown = [ram, ("pictures", self.pictures), ("states", self.states)]
        equal = [name for name, agreement in shown if agreement == "equal"]
        parts = [part for part in (self._ram_words(), self._picture_words(), self._state_words()) if part]
        parts += [f"the {side} does not repeat its own play in a second process" for side in self.unsteady]
        parts += [f"the {side}'s batch does not play as its console alone" for side in self.batch_differs]
        if self.frame_counters == "differs":
            parts.append(f"frame counter {self.counter_ahead_frames or 0:+d} at the end")
        elif self.frame_counters == "equal" and self.ram == "differs":
            parts.append("frame counters agree at the end")
        if equal:
            at = len(parts) if self.differs else 0  # what differs is said first
            parts.insert(at, f"{_listed(equal)} of {self.frames} frames equal")
        if self.undefined_bytes:
            parts.append(f"{self.undefined_bytes} bytes that power-on leaves undefined aside")
        if self.shift_frames:
            parts.append(f"its RAM is {abs(self.shift_frames)} {'ahead' if self.shift_frames > 0 else 'behind'}")
        return "; ".join(parts) or "neither RAM nor pictures are shown by both"

    def _ram_words(self) -> str:
        if self.ram != "differs" or self.first_ram is None:
            return ""
        if self.only_stack_differs:
            return f"dead bytes of the stack differ from {self.first_ram.in_words()}"
        aside = ", apart from the stack's page all" if self.ram_beside_stack == "equal" else ""
        equal = f"{self.ram_frames_equal or 0} of {self.frames} frames equal{aside}"
        if self.stands_elsewhere:
            return f"RAM is read at another moment of the frame ({equal})"
        return f"RAM differs from {self.first_ram.in_words()} ({equal})"

    def _picture_words(self) -> str:
        if self.pictures != "differs" or self.first_picture is None:
            return ""
        first = self.first_picture
        where = f"frame {first.frame}, row {first.row}, column {first.column}"
        return f"pictures differ from {where} ({self.picture_frames_equal or 0} of {self.frames} equal)"

    def _state_words(self) -> str:
        return "" if self.states != "differs" else f"states differ from frame {self.first_state_frame}"


class Comparison(Record):
    """Two subjects on one workload: behaviour first, then speed. No promise is held to it."""

    id: Name
    workload: Name
    candidate: Name
    baseline: Name
    behaviour: BehaviourMatch | None
    """None where it was not compared; `measurement` says why where that is why nothing was timed."""
    measurement: Measurement
    """A ratio measurement, or why there is none."""
    outcome: ComparisonOutcome
    ratio: float | None = Field(default=None, gt=0)
    """How many times the frames per second of the baseline the candidate makes."""
    interval: tuple[float, float] | None = None
    candidate_fps: float | None = Field(default=None, gt=0)
    """Median frames per second over processes; absolute figures belong to this machine alone."""
    baseline_fps: float | None = Field(default=None, gt=0)
    words: LongText
    """One line that says all of it, a difference in behaviour included."""
    rerun: Text = ""
    """The command that makes this comparison alone."""


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
