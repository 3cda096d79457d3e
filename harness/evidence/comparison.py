"""What the evidence document holds of one subject beside another: whether they play alike, and how fast each is."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nesproof.harness.evidence.fields import BundlePath, LongText, Name, Record, Text
from nesproof.harness.evidence.measurements import Measurement

__all__ = ["Agreement", "BehaviourMatch", "Comparison", "PictureDifference", "RamDifference"]

Agreement = Literal["equal", "differs", "not-shown"]
"""Whether two subjects show the same in every frame compared; "not-shown" where one of them cannot show it."""


class RamDifference(Record):
    """The first frame after which RAM differs: how many bytes do, and the first of them."""

    frame: int = Field(ge=0)
    bytes_differing: int = Field(ge=1, le=2048)
    address: int = Field(ge=0, lt=2048)
    candidate: int = Field(ge=0, le=255)
    baseline: int = Field(ge=0, le=255)


class PictureDifference(Record):
    """The first frame whose picture differs: how many pixels do, and a picture of both and their difference."""

    frame: int = Field(ge=0)
    pixels_differing: int = Field(ge=1, le=240 * 256)
    picture: BundlePath | None = None


class BehaviourMatch(Record):
    """How two subjects play one input from power-on, frame by frame."""

    frames: int = Field(ge=0)
    """How many frames were compared."""
    shift_frames: int = Field(default=0, ge=-4, le=4)
    """The candidate's frame `f` is held against the baseline's frame `f + shift_frames`: a subject may end a frame at
    another point of the picture."""
    ram: Agreement
    pictures: Agreement
    first_ram: RamDifference | None = None
    first_picture: PictureDifference | None = None
    frame_counters: Agreement = "not-shown"
    """Whether the game's own frame counter, as RAM shows it, ends within one frame of the other's: the weaker check."""
    remark: Text = ""


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
    ratio: float | None = Field(default=None, gt=0)
    """How many times the frames per second of the baseline the candidate makes."""
    interval: tuple[float, float] | None = None
    candidate_fps: float | None = Field(default=None, gt=0)
    """Median frames per second over processes; absolute figures belong to this machine alone."""
    baseline_fps: float | None = Field(default=None, gt=0)
    words: LongText
    """One line that says all of it, a difference in behaviour included."""
