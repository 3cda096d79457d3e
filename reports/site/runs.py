"""The runs of a site in order of time, each with a name for its files, and grouped by the machine they ran on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.machines import machine_key, machine_title
from nesproof.harness.evidence.surroundings import Machine
from nesproof.reports.figures import moment
from nesproof.reports.plain_text import one_line, plain, plain_record
from nesproof.reports.site.inputs import RunInput

__all__ = [
    "Label",
    "MachineGroup",
    "Run",
    "by_machine",
    "document_slug",
    "headline_run",
    "in_utc",
    "json_document",
    "runs_of",
]


@dataclass(frozen=True)
class Label:
    """What must stand beside everything that is shown of a run: a word for it, and a sentence."""

    word: str
    sentence: str


@dataclass(frozen=True)
class MachineGroup:
    """Runs that may stand in one series: one machine, and all of them measured or all of them made up."""

    slug: str
    title: str
    fixture: str | None
    """What its runs were made up for; None where they were measured."""


@dataclass(frozen=True)
class Run:
    """One run. Its evidence is plain text; `document` is the same run as it was read, as ASCII JSON."""

    slug: str
    evidence: Evidence
    document: bytes
    bundle_id: str | None
    frames: Mapping[str, bytes]
    labels: tuple[Label, ...]
    machine: MachineGroup

    @property
    def when(self) -> datetime:
        """When it began, in UTC."""
        return in_utc(self.evidence.created_utc)

    @property
    def moment(self) -> str:
        """When it began, for people."""
        return moment(self.evidence.created_utc)

    @property
    def day(self) -> str:
        """The day on which it began."""
        return self.when.strftime("%Y-%m-%d")

    @property
    def commit(self) -> str | None:
        """The commit that ran, whole; None where it was built outside git."""
        return self.evidence.source.commit

    @property
    def short_commit(self) -> str:
        """The commit in twelve digits, or what stands in for it."""
        return self.commit[:12] if self.commit else f"version {self.evidence.source.version}"

    @property
    def label_words(self) -> str:
        """The words of its labels, for places with room for no more; empty where it has none."""
        return ", ".join(label.word for label in self.labels)

    @property
    def title(self) -> str:
        """What a link to it says."""
        return f"{self.short_commit}, {self.moment}"

    @property
    def sha256(self) -> str:
        """SHA-256 of the document as the site offers it."""
        return hashlib.sha256(self.document).hexdigest()


def runs_of(inputs: Iterable[RunInput]) -> tuple[Run, ...]:
    """The runs, oldest first. Of several inputs of one run, the one with most pictures, then with a bundle's id."""
    found: dict[bytes, RunInput] = {}
    for one in inputs:
        document = json_document(one.evidence.model_dump(mode="json"))
        kept = found.get(document)
        if kept is None or _worth(one) > _worth(kept):
            found[document] = one
    runs = [_run(one, document) for document, one in found.items()]
    return tuple(sorted(runs, key=lambda run: (run.when, run.slug)))


def by_machine(runs: Iterable[Run]) -> dict[MachineGroup, tuple[Run, ...]]:
    """The runs of each machine, oldest first; measured machines first, then by title."""
    grouped: dict[MachineGroup, list[Run]] = {}
    for run in runs:
        grouped.setdefault(run.machine, []).append(run)
    ordered = sorted(grouped, key=lambda m: (m.fixture is not None, m.title, m.slug))
    return {machine: tuple(grouped[machine]) for machine in ordered}


def headline_run(runs: Sequence[Run]) -> Run:
    """The run that speaks for a machine: its newest that was asked for a claim, else its newest."""
    return next((run for run in reversed(runs) if any(r.selected for r in run.evidence.claims)), runs[-1])


def json_document(value: object) -> bytes:
    """A document as indented ASCII JSON: nothing in it can act on whatever shows it."""
    return json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


def document_slug(when: datetime, document: bytes) -> str:
    """The name of a document's files: its moment in UTC, and the first digits of its SHA-256."""
    return f"{when:%Y%m%dT%H%M%SZ}-{hashlib.sha256(document).hexdigest()[:10]}"


def in_utc(when: datetime) -> datetime:
    """The moment in UTC; one without a zone is UTC already."""
    return when.replace(tzinfo=timezone.utc) if when.tzinfo is None else when.astimezone(timezone.utc)


def _worth(one: RunInput) -> tuple[int, bool, str]:
    return len(one.frames), one.bundle_id is not None, one.bundle_id or ""


def _run(one: RunInput, document: bytes) -> Run:
    evidence = plain_record(one.evidence if one.shown is None else one.shown)
    return Run(
        slug=document_slug(in_utc(one.evidence.created_utc), document),
        evidence=evidence,
        document=document,
        bundle_id=None if one.bundle_id is None else plain(one.bundle_id),
        frames=one.frames,
        labels=tuple(_labels(one, evidence.fixture)),
        machine=_machine_group(one.evidence.machine, evidence.fixture),
    )


def _labels(one: RunInput, fixture: str | None) -> Iterator[Label]:
    if fixture is not None:
        yield Label("fixture", f"Nothing of this was measured; it was made up: {fixture}")
    if not one.is_consistent:
        yield Label("inconsistent", "Its verdicts do not follow from its own samples.")
    if one.draft is not None:
        yield Label("draft", f"This must not be published: {plain(one.draft)}")


def _machine_group(machine: Machine, fixture: str | None) -> MachineGroup:
    key = machine_key(machine)
    if fixture is not None:
        key += f"-fixture-{hashlib.sha256(fixture.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
    return MachineGroup(slug=key, title=one_line(plain(machine_title(machine))), fixture=fixture)
