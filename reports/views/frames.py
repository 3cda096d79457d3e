"""The final frames that cases left behind, ready to be shown in groups."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.evidence import Evidence
from nesproof.reports.images import Picture, embedded
from nesproof.reports.views.conformance_parts import ConformanceMatrix
from nesproof.reports.views.suites import OUTCOME_WORDS

__all__ = ["Frame", "FrameGroup", "frame_groups", "frames", "thumbnails"]

TOTAL_BYTES = 3_500_000
"""Room for pictures in one page, in bytes of its text."""
THUMBNAIL_BYTES = 1_200_000
"""Room for the same pictures shown small beside what went wrong, in bytes of the page's text."""
FEW = 4
"""So few frames are never worth folding."""
SHOWN_AT_ONCE = 24
"""Up to so many frames, no group is folded."""


@dataclass(frozen=True)
class Frame:
    """One final frame with what its caption says."""

    case_id: str
    suite: str
    subject: str
    mark: str
    word: str
    path: str
    picture: Picture


@dataclass(frozen=True)
class FrameGroup:
    """Frames that belong together: those of cases that did not pass, or of one branch of a suite's cases."""

    title: str
    subject: str
    frames: tuple[Frame, ...]
    is_open: bool


def frames(evidence: Evidence, frames_dir: Path | None) -> tuple[Frame, ...]:
    """Every frame that a case names, in the order of the evidence. What does not fit the page becomes words; frames of
    cases that passed make room for those of cases that did not."""
    named = [(run, case, case.frame) for run in evidence.suites for case in run.cases if case.frame is not None]
    pictures: dict[int, Picture] = {}
    room = TOTAL_BYTES
    for place in sorted(range(len(named)), key=lambda n: named[n][1].outcome == "passed"):
        pictures[place] = embedded(named[place][2], frames_dir, room)
        room -= _size(pictures[place])
    return tuple(
        Frame(case.id, run.suite, run.subject, *OUTCOME_WORDS[case.outcome], path, pictures[place])
        for place, (run, case, path) in enumerate(named)
    )


def frame_groups(shown: tuple[Frame, ...]) -> tuple[FrameGroup, ...]:
    """The frames by suite, subject and first part of the case id.

    Frames of cases that did not pass come first, then the groups with most to see: those whose pictures take most
    bytes. Where there are many frames, larger groups after the first are folded.
    """
    grouped: dict[tuple[str, str, str], list[Frame]] = {}
    for frame in shown:
        if frame.mark == "PASS":
            branch = frame.case_id.partition("/")[0] if "/" in frame.case_id else ""
            grouped.setdefault((frame.suite, branch, frame.subject), []).append(frame)
    by_interest = sorted(grouped.items(), key=lambda item: -sum(_size(f.picture) for f in item[1]) / len(item[1]))
    groups = [
        FrameGroup(
            title=f"{suite}: {branch}" if branch else suite,
            subject=subject,
            frames=tuple(members),
            is_open=n == 0 or len(members) <= FEW or len(shown) <= SHOWN_AT_ONCE,
        )
        for n, ((suite, branch, subject), members) in enumerate(by_interest)
    ]
    unsettled = tuple(frame for frame in shown if frame.mark != "PASS")
    if unsettled:
        subjects = ", ".join(dict.fromkeys(frame.subject for frame in unsettled))
        groups.insert(0, FrameGroup("Cases that did not pass", subjects, unsettled, True))
    return tuple(groups)


def thumbnails(matrix: ConformanceMatrix, shown: tuple[Frame, ...]) -> dict[str, Frame]:
    """The frames of the matrix's troubles by path, as far as they fit the page a second time."""
    by_path = {frame.path: frame for frame in shown if frame.picture.data_uri is not None}
    kept: dict[str, Frame] = {}
    room = THUMBNAIL_BYTES
    for trouble in matrix.troubles:
        for _, cell in trouble.where:
            frame = None if cell.frame is None else by_path.get(cell.frame)
            if frame is not None and _size(frame.picture) <= room:
                room -= _size(frame.picture)
                kept[frame.path] = frame
    return kept


def _size(picture: Picture) -> int:
    return 0 if picture.data_uri is None else len(picture.data_uri)
