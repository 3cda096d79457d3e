"""The frames that the newest run of each machine left behind, each decoded and encoded afresh as a file of the site."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from nesproof.reports.figures import counted
from nesproof.reports.images import UnshowablePicture, encoded_afresh
from nesproof.reports.site.runs import MachineGroup, Run, by_machine
from nesproof.reports.views.suites import OUTCOME_WORDS

__all__ = ["Gallery", "GalleryFrame", "GalleryGroup", "SitePicture", "galleries", "site_picture"]

_FRAMES_SHOWN = 1_000


@dataclass(frozen=True)
class SitePicture:
    """One picture. `file` is its path in the site; None where `problem` says why there is none."""

    file: str | None
    png: bytes
    width: int
    height: int
    problem: str

    @property
    def is_wide(self) -> bool:
        """True for several frames side by side, which need a row of their own."""
        return self.width > 2 * self.height


@dataclass(frozen=True)
class GalleryFrame:
    """One final frame, and what its caption says."""

    case_id: str
    subject: str
    mark: str
    word: str
    picture: SitePicture


@dataclass(frozen=True)
class GalleryGroup:
    """The frames of one suite on one subject."""

    title: str
    subject: str
    frames: tuple[GalleryFrame, ...]

    @property
    def count(self) -> str:
        """How many, in words."""
        return counted(len(self.frames), "frame")


@dataclass(frozen=True)
class Gallery:
    """The frames of one machine's newest run that has any."""

    machine: MachineGroup
    run: Run
    groups: tuple[GalleryGroup, ...]
    left_out: int


def galleries(runs: Iterable[Run]) -> tuple[Gallery, ...]:
    """One gallery a machine whose runs left frames."""
    found = []
    for machine, its_runs in by_machine(runs).items():
        with_frames = [run for run in its_runs if run.frames and _cases_with_frames(run)]
        if with_frames:
            found.append(_gallery(machine, with_frames[-1]))
    return tuple(found)


def _cases_with_frames(run: Run) -> int:
    return sum(1 for suite in run.evidence.suites for case in suite.cases if case.frame is not None)


def _gallery(machine: MachineGroup, run: Run) -> Gallery:
    groups: dict[tuple[str, str], list[GalleryFrame]] = {}
    shown = 0
    for suite in run.evidence.suites:
        for case in suite.cases:
            if case.frame is None or shown >= _FRAMES_SHOWN:
                continue
            shown += 1
            mark, word = OUTCOME_WORDS[case.outcome]
            frame = GalleryFrame(case.id, suite.subject, mark, word, site_picture(run, case.frame))
            groups.setdefault((suite.title, suite.subject), []).append(frame)
    return Gallery(
        machine=machine,
        run=run,
        groups=tuple(GalleryGroup(title, subject, tuple(met)) for (title, subject), met in groups.items()),
        left_out=_cases_with_frames(run) - shown,
    )


def site_picture(run: Run, path: str) -> SitePicture:
    """The picture at `path` of the run's bundle (`frames/x.png`) as a file of the site, named by its bytes."""
    data = run.frames.get(path.partition("/")[2])
    if data is None:
        return SitePicture(None, b"", 0, 0, "The picture is missing.")
    try:
        fresh = encoded_afresh(data)
    except UnshowablePicture as why:
        return SitePicture(None, b"", 0, 0, str(why))
    name = f"frames/{hashlib.sha256(fresh.png).hexdigest()[:24]}.png"
    return SitePicture(name, fresh.png, fresh.width, fresh.height, "")
