"""The rules by which two subjects' plays are compared, and a document that tells of it is checked."""

from __future__ import annotations

from collections.abc import Set

from nesproof.harness.evidence.comparison import COUNTER_TOLERANCE_FRAMES, Agreement, PicturesBy

__all__ = ["agreement", "counters_agree", "pictures_by"]


def agreement(is_equal: bool) -> Agreement:
    """Of something that both show."""
    return "equal" if is_equal else "differs"


def pictures_by(one: Set[str], other: Set[str]) -> PicturesBy:
    """How pictures of two subjects with these capabilities are compared."""
    both = one & other
    return "indices" if "frame-indices" in both else "colours" if "frame" in both else "nothing"


def counters_agree(ahead: int | None, *, ram: Agreement, pictures: Agreement, shift_frames: int) -> Agreement:
    """Whether the candidate's counter is ahead by no more than a frame, or by as much as RAM is, give or take a frame,
    where RAM or every picture is equal, so that `shift_frames` is one of moments. `ahead` is None without RAM."""
    if ahead is None:
        return "not-shown"
    shift = shift_frames if "equal" in {ram, pictures} else 0
    return agreement(min(abs(ahead), abs(ahead - shift)) <= COUNTER_TOLERANCE_FRAMES)
