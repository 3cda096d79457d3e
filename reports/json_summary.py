"""The JSON summary: a flat, stable account of a run for scripts. Its JSON Schema is `schema/report-1.schema.json`.

The evidence document is the full record; this file leaves out raw samples and the machine, and changes less often.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.claims import ClaimKind, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import Conformance, conformances, list_title
from nesproof.harness.evidence.falsification import Falsification, PairOutcome
from nesproof.harness.evidence.model import CaseOutcome, ClaimRecord, SuiteRun
from nesproof.reports.format import Material
from nesproof.reports.json_comparisons import ComparisonSummary, comparison_summaries
from nesproof.reports.views.claims import claimed
from nesproof.reports.views.falsification import pair_reason
from nesproof.reports.views.headline import exit_words
from nesproof.reports.views.suites import missing_cases

__all__ = ["JsonSummary", "Summary"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimSummary(_Part):
    """One claim."""

    id: str
    sentence: str
    kind: ClaimKind
    subject: str
    baseline: str | None
    suite: str | None
    cases: str | None = Field(description="Glob over the case ids of the suite; null for claims without a suite.")
    workload: str | None
    metric: str | None
    at_least: float | None
    at_most: float | None
    claimed: str = Field(description="What is promised, in few words.")
    measured: str | None = Field(description="What was measured, in words; null where nothing was.")
    value: float | None
    interval: tuple[float, float] | None
    selected: bool
    verdict: Verdict
    reason: str
    caveat: str | None
    remedy: str | None = Field(description="One command that makes the claim measurable here; null where none would.")
    rerun: str = Field(description="The command that measures this claim alone.")
    breaks_when: str
    killed_by: tuple[str, ...]
    unproven: bool = Field(description="True while no planted fault is known to make this claim fail.")


class CaseSummary(_Part):
    """One case of a suite run."""

    id: str
    outcome: CaseOutcome | Literal["missing"] = Field(description='"missing": expected, but without a result.')
    message: str
    duration_s: float = Field(ge=0)
    details: dict[str, int | float | str | bool]
    frame: str | None = Field(description="The final frame's path in the bundle.")


class LeftOutSummary(_Part):
    """A case that the subject cannot be asked."""

    id: str
    lacks: tuple[str, ...] = Field(description="What the case wants and the subject does not declare.")


class SuiteSummary(_Part):
    """One run of one suite on one subject."""

    id: str
    suite: str
    title: str
    subject: str
    oracle: str
    expected: int = Field(ge=0, description="How many cases were fixed before anything ran.")
    problem: str | None = Field(description="Set where the run itself broke.")
    duration_s: float = Field(ge=0)
    cases: tuple[CaseSummary, ...]
    cannot_run: tuple[LeftOutSummary, ...] = Field(description="Cases that count neither as passed nor as failed.")


class ConformanceSummary(_Part):
    """How one subject stands with the must-pass list; counts are of its cases, and add up to `cases`."""

    subject: str
    version: str
    cases: int = Field(ge=0)
    passed: int = Field(ge=0)
    failed: int = Field(ge=0)
    broken: int = Field(ge=0)
    cannot_run: int = Field(ge=0)
    not_run: int = Field(ge=0)
    other_rom: int = Field(ge=0, description="Played with another program than the list's.")
    waived: int = Field(ge=0, description="How many of those that did not pass a waiver lets through.")
    conforms: bool = Field(description="Every case passed or is waived.")
    sentence: str = Field(description="What may be said.")


class MustPassSummary(_Part):
    """The must-pass list that the run is counted by."""

    name: str
    sha256: str
    title: str
    subjects: tuple[ConformanceSummary, ...] = Field(description="Those that a case of the list was wanted of.")


class PairSummary(_Part):
    """A fault, planted, and a claim that names it."""

    fault: str
    claim: str
    outcome: PairOutcome = Field(description="Killed only where the claim failed by its own assertion.")
    case: str | None = Field(description="The first case of the claim's suite that failed; null without one.")
    reason: str = Field(description="The assertion that failed, or why the pair was not killed or not tried.")
    duration_s: float = Field(ge=0)


class FaultSummary(_Part):
    """A fault of the catalogue."""

    id: str
    sentence: str
    area: str
    means: str


class FalsificationSummary(_Part):
    """Faults planted on purpose; counts are of faults."""

    planted: int = Field(ge=0)
    killed: int = Field(ge=0, description="Faults that every claim killed which names them and could be tried.")
    survived: int = Field(ge=0, description="Faults that one of these claims did not kill; a crash is no kill.")
    pairs_not_tried: int = Field(ge=0)
    hooks_key: str | None = Field(description="The build with hooks; null where there is none.")
    faults: tuple[FaultSummary, ...]
    pairs: tuple[PairSummary, ...]


class Summary(_Part):
    """The summary of one run of nesproof."""

    schema_id: Literal["nesproof.report"] = Field(description="Names this format.")
    schema_version: Literal[1] = Field(description="Rises when a field changes its meaning or goes away.")
    bundle_id: str | None = Field(description="SHA-256 of the bundle's manifest; null where it is not known.")
    created_utc: datetime
    duration_s: float = Field(ge=0)
    profile: str
    command: str
    fixture: str | None = Field(description="What it was made up for, where nothing was measured; null otherwise.")
    interrupted: bool
    exit_code: int
    exit_meaning: str
    version: str
    commit: str | None
    dirty: bool | None
    tree_sha256: str
    counts: dict[Verdict, int] = Field(description="How many claims fared how; every verdict is a key, zeros too.")
    unproven: int = Field(ge=0)
    falsification: FalsificationSummary | None = Field(description="Null where no fault was to be planted.")
    claims: tuple[ClaimSummary, ...]
    suites: tuple[SuiteSummary, ...]
    comparisons: tuple[ComparisonSummary, ...] = Field(description="Subjects beside each other, without a promise.")
    mustpass: MustPassSummary | None = Field(description="Null where the document names no list.")


class JsonSummary:
    """The run as `report.json`."""

    file_name = "report.json"

    def render(self, material: Material) -> bytes:
        """The JSON document in ASCII, indented, with a line feed at its end."""
        summary = _summary(material.evidence, material.bundle_id)
        return summary.model_dump_json(indent=2, ensure_ascii=True).encode("ascii") + b"\n"


def _summary(evidence: Evidence, bundle_id: str | None) -> Summary:
    title, _ = exit_words(evidence)
    unproven = evidence.unproven_claims()
    return Summary(
        schema_id="nesproof.report",
        schema_version=1,
        bundle_id=bundle_id,
        created_utc=evidence.created_utc,
        duration_s=evidence.duration_s,
        profile=evidence.profile,
        command=evidence.command,
        fixture=evidence.fixture,
        interrupted=evidence.interrupted,
        exit_code=int(evidence.exit_code),
        exit_meaning=title,
        version=evidence.source.version,
        commit=evidence.source.commit,
        dirty=evidence.source.dirty,
        tree_sha256=evidence.source.tree_sha256,
        counts=evidence.counts(),
        unproven=len(unproven),
        falsification=None if evidence.falsification is None else _falsification(evidence.falsification),
        claims=tuple(_claim(r, is_unproven=r.claim.id in unproven) for r in evidence.claims),
        suites=tuple(_suite(run) for run in evidence.suites),
        comparisons=comparison_summaries(evidence),
        mustpass=_mustpass(evidence),
    )


def _mustpass(evidence: Evidence) -> MustPassSummary | None:
    record = evidence.mustpass
    if record is None:
        return None
    return MustPassSummary(
        name=record.name,
        sha256=record.sha256,
        title=list_title(record),
        subjects=tuple(_conformance(found) for found in conformances(evidence)),
    )


def _conformance(found: Conformance) -> ConformanceSummary:
    counts = found.counts()
    return ConformanceSummary(
        subject=found.subject,
        version=found.version,
        cases=len(found.cases),
        passed=counts["passed"],
        failed=counts["failed"],
        broken=counts["broken"],
        cannot_run=counts["cannot-run"],
        not_run=counts["not-run"],
        other_rom=counts["other-rom"],
        waived=len(found.waived),
        conforms=found.conforms,
        sentence=found.sentence(),
    )


def _falsification(trials: Falsification) -> FalsificationSummary:
    planted, survived = len(trials.planted()), len(trials.survivors())
    return FalsificationSummary(
        planted=planted,
        killed=planted - survived,
        survived=survived,
        pairs_not_tried=trials.counts()["not-tried"],
        hooks_key=None if trials.hooks is None else trials.hooks.key,
        faults=tuple(FaultSummary(id=f.id, sentence=f.sentence, area=f.area, means=f.means) for f in trials.faults),
        pairs=tuple(
            PairSummary(
                fault=pair.fault,
                claim=pair.claim,
                outcome=pair.outcome,
                case=pair.case,
                reason=pair_reason(pair),
                duration_s=pair.duration_s,
            )
            for pair in trials.pairs
        ),
    )


def _claim(record: ClaimRecord, *, is_unproven: bool) -> ClaimSummary:
    claim = record.claim
    return ClaimSummary(
        id=claim.id,
        sentence=claim.spoken(),
        kind=claim.kind,
        subject=claim.subject,
        baseline=claim.baseline,
        suite=claim.suite,
        cases=claim.cases if claim.suite is not None else None,
        workload=claim.workload,
        metric=claim.metric,
        at_least=claim.at_least,
        at_most=claim.at_most,
        claimed=claimed(claim),
        measured=record.measured,
        value=record.value,
        interval=record.interval,
        selected=record.selected,
        verdict=record.verdict,
        reason=record.reason,
        caveat=record.caveat,
        remedy=record.remedy,
        rerun=record.rerun,
        breaks_when=claim.breaks_when,
        killed_by=claim.killed_by,
        unproven=is_unproven,
    )


def _suite(run: SuiteRun) -> SuiteSummary:
    measured = tuple(
        CaseSummary(
            id=case.id,
            outcome=case.outcome,
            message=case.message,
            duration_s=case.duration_s,
            details=case.details,
            frame=case.frame,
        )
        for case in run.cases
    )
    missing = tuple(
        CaseSummary(id=case_id, outcome="missing", message="", duration_s=0.0, details={}, frame=None)
        for case_id in missing_cases(run)
    )
    return SuiteSummary(
        id=run.id,
        suite=run.suite,
        title=run.title,
        subject=run.subject,
        oracle=run.oracle,
        expected=len(run.expected),
        problem=run.problem,
        duration_s=run.duration_s,
        cases=measured + missing,
        cannot_run=tuple(LeftOutSummary(id=left.id, lacks=left.lacks) for left in run.cannot_run),
    )
