"""What the top of a report says: how the run ended, and every count."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.reports.figures import duration, moment
from nesproof.reports.plain_text import one_line
from nesproof.reports.views.bar import Segment, segments
from nesproof.reports.wording import (
    BY_URGENCY,
    COMPARED_MEANING,
    EXIT_MARK,
    EXIT_MEANING,
    STRICT_MEANING,
    VERDICT_MEANING,
    VERDICT_WORDS,
)

__all__ = ["Count", "Headline", "exit_words", "headline"]


@dataclass(frozen=True)
class Count:
    """How many claims fared one way."""

    verdict: str
    word: str
    meaning: str
    count: int


@dataclass(frozen=True)
class Headline:
    """The top of a report."""

    exit_code: int
    mark: str
    """The verdict whose shape and colour stand for the exit code."""
    title: str
    meaning: str
    counts: tuple[Count, ...]
    """One entry a verdict, zeros too, most urgent first."""
    bar: tuple[Segment, ...]
    claims: int
    selected: int
    unproven: int
    falsification: str | None
    """How many faults were planted and killed; None where none was to be."""
    created: str
    duration: str
    profile: str
    command: str
    version: str
    commit: str | None
    is_dirty: bool
    is_interrupted: bool
    fixture: str | None
    """What the document was made up for; None where it was measured."""
    bundle_id: str | None


def exit_words(evidence: Evidence) -> tuple[str, str]:
    """What the exit code of a run means: a headline, and a sentence."""
    if evidence.comparisons and not any(record.selected for record in evidence.claims):
        return COMPARED_MEANING[evidence.exit_code]
    has_failed = any(record.verdict is Verdict.FAIL for record in evidence.claims)
    if evidence.strict and evidence.exit_code is ExitCode.FAIL and not has_failed:
        return STRICT_MEANING
    return EXIT_MEANING[evidence.exit_code]


def headline(evidence: Evidence, bundle_id: str | None) -> Headline:
    """The headline of a run."""
    title, meaning = exit_words(evidence)
    counts = evidence.counts()
    return Headline(
        exit_code=int(evidence.exit_code),
        mark=EXIT_MARK[evidence.exit_code].value,
        title=title,
        meaning=meaning,
        counts=tuple(Count(v.value, VERDICT_WORDS[v], VERDICT_MEANING[v], counts[v]) for v in BY_URGENCY),
        bar=segments([(v.value, counts[v]) for v in _LEFT_TO_RIGHT]),
        claims=len(evidence.claims),
        selected=sum(1 for c in evidence.claims if c.selected),
        unproven=evidence.unproven(),
        falsification=None if evidence.falsification is None else evidence.falsification.in_short(),
        created=moment(evidence.created_utc),
        duration=duration(evidence.duration_s),
        profile=evidence.profile,
        command=one_line(evidence.command),
        version=evidence.source.version,
        commit=evidence.source.commit,
        is_dirty=evidence.source.dirty is True,
        is_interrupted=evidence.interrupted,
        fixture=evidence.fixture,
        bundle_id=bundle_id,
    )


_LEFT_TO_RIGHT = (
    Verdict.PASS,
    Verdict.WAIVED,
    Verdict.INCONCLUSIVE,
    Verdict.NOT_MEASURED,
    Verdict.ERROR,
    Verdict.FAIL,
    Verdict.NOT_APPLICABLE,
    Verdict.NOT_SELECTED,
)
