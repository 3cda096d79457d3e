"""The final frames that cases left behind, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.evidence import Evidence
from nesproof.reports.images import Picture, embedded
from nesproof.reports.views.suites import OUTCOME_WORDS

__all__ = ["Frame", "frames"]

TOTAL_BYTES = 3_500_000
"""Room for pictures in one page, in bytes of its text."""


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


def frames(evidence: Evidence, frames_dir: Path | None) -> tuple[Frame, ...]:
    """Every frame that a case names, in the order of the evidence. What does not fit the page becomes words."""
    shown: list[Frame] = []
    room = TOTAL_BYTES
    for run in evidence.suites:
        for case in run.cases:
            if case.frame is None:
                continue
            picture = embedded(case.frame, frames_dir, room)
            room -= 0 if picture.data_uri is None else len(picture.data_uri)
            mark, word = OUTCOME_WORDS[case.outcome]
            shown.append(Frame(case.id, run.suite, run.subject, mark, word, case.frame, picture))
    return tuple(shown)
