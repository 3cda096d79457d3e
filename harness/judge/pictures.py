"""No picture, no drawing speed: what a timed run drew last, and somewhere on the way, held against the reference's."""

from __future__ import annotations

from collections.abc import Sequence

from nesproof.harness.evidence.model import ExpectedState, RunRecord, Sample

__all__ = ["PicturesUnseen", "check_pictures", "unseen_pictures"]

PicturesUnseen = str
"""A clause that says which pictures nobody could look at."""


def check_pictures(
    samples: Sequence[Sample], expected: ExpectedState, run: RunRecord, *, gives_digest: bool
) -> str | None:
    """Why the frames that a side says it drew are not those frames; None where they are, or where none are drawn.

    Of a subject that gives our digest, the sampled consoles' last pictures must be the reference's, and those of the
    spot checks too. Another one's pictures must repeat in every run and process, and must change where the reference's
    do. Evidence without the reference's pictures is from before they were taken; `unseen_pictures` says so.
    """
    if run.draw == "none" or not expected.pictures:
        return None
    return _full(samples, expected, run) if gives_digest else _weaker(samples, expected)


def unseen_pictures(
    samples: Sequence[Sample], expected: ExpectedState, run: RunRecord, *, gives_digest: bool
) -> PicturesUnseen | None:
    """What a reader must know of a side's pictures although nothing is wrong with them."""
    if run.draw == "none" or not samples:
        return None
    if not expected.pictures:
        return "its pictures were not held against the reference's"
    if gives_digest:
        return None
    if not any(sample.pictures for sample in samples):
        return "it shows no picture"
    return "its pictures must repeat in every process and change where the reference's do"


def _full(samples: Sequence[Sample], expected: ExpectedState, run: RunRecord) -> str | None:
    lanes = tuple(entry for entry in expected.pictures if entry.lane < run.num_envs)
    for sample in samples:
        where = f"block {sample.block}, position {sample.position}, run {sample.run}"
        if sample.pictures != lanes:
            shown = "shows no picture" if not sample.pictures else "shows another picture than the reference"
            return f"{where} {shown} at the end of the window"
        if sample.run == 0:
            if sample.spot is None:
                return f"{where} has no spot check of its pictures"
            number = sample.spot.frames
            if number > len(expected.first_pictures) or number % run.frame_skip:
                return f"{where} has its spot check after {number} frames, where none is looked at"
            if sample.spot.picture != expected.first_pictures[number - 1]:
                return f"{where} shows another picture than the reference after {number} frames of the window"
    return None


def _weaker(samples: Sequence[Sample], expected: ExpectedState) -> str | None:
    if not any(sample.pictures for sample in samples):
        return None
    if len({sample.pictures for sample in samples}) > 1:
        return "its last picture differs between its own processes or runs"
    moved = [n for n, picture in enumerate(expected.first_pictures, start=1) if picture != expected.pictures[0].picture]
    for sample in samples:
        spot = sample.spot
        if spot is not None and spot.frames in moved and spot.picture == sample.pictures[0].picture:
            return f"it shows after {spot.frames} frames of the window what it shows at its end"
    return None
