"""Badges: of each machine's newest run, of each claim's newest answer on it, and of each subject's must-pass count.

What a badge says is `shields`' to say; here it gets a place in the site and a picture. A badge of a run that must not
be taken at its word (made up, inconsistent, not to be published) says that and nothing else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from nesproof.harness.evidence.conformance import conformances
from nesproof.reports.shields import Badge, badge_json, claim_badge, conformance_badge, overall_badge
from nesproof.reports.site.history import ClaimHistory
from nesproof.reports.site.runs import MachineGroup, Run, headline_run

__all__ = ["MachineBadges", "SiteBadge", "machine_badges"]

_FILLS = {"brightgreen": "#0b6b3c", "red": "#ab1220", "yellow": "#7b4a00", "orange": "#8a3b00"}
_OTHER_FILL = "#4b5563"
"""Colours like shields.io's on which white text reads well."""
_CHARACTER_PX = 6.9
"""The width of a character of a common sans-serif face at 11 pixels; a picture cannot measure its text."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9.-]{0,80}")


@dataclass(frozen=True)
class SiteBadge:
    """One badge. `path` is that of its files in the site, without their suffix."""

    path: str
    badge: Badge

    @property
    def fill(self) -> str:
        """The colour behind the message."""
        return _FILLS.get(self.badge.colour, _OTHER_FILL)

    @property
    def label_width(self) -> int:
        """The label's part, in pixels."""
        return _width(self.badge.label)

    @property
    def message_width(self) -> int:
        """The message's part, in pixels."""
        return _width(self.badge.message)

    @property
    def width(self) -> int:
        """The whole picture, in pixels."""
        return self.label_width + self.message_width

    @property
    def words(self) -> str:
        """What it says to whoever cannot see it."""
        return f"{self.badge.label}: {self.badge.message}"

    def endpoint(self) -> bytes:
        """What a shields.io endpoint badge is drawn from."""
        return badge_json(self.badge)


@dataclass(frozen=True)
class MachineBadges:
    """The badges of one machine."""

    machine: MachineGroup
    run: Run
    whole: SiteBadge
    subjects: tuple[SiteBadge, ...]
    claims: tuple[tuple[ClaimHistory, SiteBadge], ...]

    @property
    def all(self) -> tuple[SiteBadge, ...]:
        """Every badge of the machine."""
        return (self.whole, *self.subjects, *(badge for _, badge in self.claims))


def machine_badges(
    machines: Mapping[MachineGroup, tuple[Run, ...]], histories: Iterable[ClaimHistory]
) -> tuple[MachineBadges, ...]:
    """The badges of each machine, in the order of the machines."""
    all_histories = tuple(histories)
    found = []
    for machine, runs in machines.items():
        run, folder = headline_run(runs), f"badges/{machine.slug}"
        claims = []
        for history in all_histories:
            if machine in history.newest:
                point = history.newest[machine]
                badge = claim_badge(point.run.evidence, point.record)
                claims.append((history, _placed(f"{folder}/claims/{history.slug}", badge, point.run)))
        found.append(
            MachineBadges(
                machine=machine,
                run=run,
                whole=_placed(f"{folder}/verify", overall_badge(run.evidence), run),
                subjects=_of_subjects(folder, runs),
                claims=tuple(claims),
            )
        )
    return tuple(found)


def _of_subjects(folder: str, runs: tuple[Run, ...]) -> tuple[SiteBadge, ...]:
    """Of each subject from the newest run that counts it by a must-pass list."""
    found: dict[str, SiteBadge] = {}
    for run in runs:
        for standing in conformances(run.evidence):
            path = f"{folder}/conformance-{_file_name(standing.subject)}"
            found[standing.subject] = _placed(path, conformance_badge(run.evidence, standing), run)
    return tuple(found[subject] for subject in sorted(found))


def _placed(path: str, badge: Badge, run: Run) -> SiteBadge:
    if run.labels:
        badge = replace(badge, message=run.label_words, colour="lightgrey")
    return SiteBadge(path, badge)


def _file_name(subject: str) -> str:
    if _SAFE.fullmatch(subject):
        return subject
    return f"subject-{hashlib.sha256(subject.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _width(text: str) -> int:
    return round(len(text) * _CHARACTER_PX) + 14
