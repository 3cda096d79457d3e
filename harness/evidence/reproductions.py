"""Reproductions: one claim in several runs, machine by machine, and whether the runs agree.

Two runs agree on a ratio where their intervals overlap, and on anything else where their verdicts are equal. Runs are
held against each other across machines as well, except for absolute figures, which belong to one machine.

What was made up, measured in a changed source tree or on a busy machine, and what repeats another run's times, is shown
and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from nesproof.harness.claims.model import Claim, ClaimKind
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.machines import machine_key, machine_title
from nesproof.harness.evidence.measurements import RatioMeasurement
from nesproof.harness.evidence.model import ClaimRecord, Evidence

__all__ = [
    "Agreement",
    "Answer",
    "ClaimReproductions",
    "MachineColumn",
    "OnMachine",
    "Reproductions",
    "RunColumn",
    "RunSource",
    "reproductions",
]

Agreement = Literal["agree", "differ", "alone"]
"""Whether the runs that count say the same; "alone" where fewer than two of them can be held against each other."""

_TRIED = (Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED, Verdict.ERROR)
_ANSWERED = (Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED)


@dataclass(frozen=True)
class RunSource:
    """One document that is held against others; `label` is what people call it (the first digits of its id)."""

    label: str
    evidence: Evidence


@dataclass(frozen=True)
class RunColumn:
    """One run: where and when it took place. `marks` say what about it is out of the ordinary."""

    label: str
    machine: str
    """Its `machine_key`."""
    created_utc: datetime
    commit: str | None
    marks: tuple[str, ...]
    counts: bool


@dataclass(frozen=True)
class MachineColumn:
    """One machine, and how many of the runs took place on it."""

    key: str
    title: str
    runs: int


@dataclass(frozen=True)
class Answer:
    """What one run says about one claim."""

    run: str
    """The label of the run."""
    verdict: Verdict
    measured: str | None
    value: float | None
    interval: tuple[float, float] | None
    caveat: str | None
    marks: tuple[str, ...]
    counts: bool


@dataclass(frozen=True)
class OnMachine:
    """One claim on one machine: `holds` of `tried` runs that count came out PASS."""

    machine: str
    answers: tuple[Answer, ...]
    holds: int
    tried: int
    agreement: Agreement


@dataclass(frozen=True)
class ClaimReproductions:
    """One claim in all runs. `variant` tells apart claims of one id that are not measured alike, from 1 on."""

    claim: str
    variant: int
    sentence: str
    kind: ClaimKind
    subject: str
    workload: str | None
    machines: tuple[OnMachine, ...]
    """Those on which a run selected it, in the order of the columns."""
    holds: int
    tried: int
    agreement: Agreement


@dataclass(frozen=True)
class Reproductions:
    """Everything that `nesproof evidence compare` shows."""

    runs: tuple[RunColumn, ...]
    """Oldest first."""
    machines: tuple[MachineColumn, ...]
    claims: tuple[ClaimReproductions, ...]
    """Those that at least one run tried, by id."""
    never_tried: int
    """How many claims were selected, and tried by no run."""

    @property
    def differing(self) -> tuple[ClaimReproductions, ...]:
        """The claims on which runs differ."""
        return tuple(row for row in self.claims if row.agreement == "differ")

    @property
    def compared(self) -> int:
        """How many claims were answered by two runs that count."""
        return sum(1 for row in self.claims if row.agreement != "alone")


def reproductions(sources: Iterable[RunSource]) -> Reproductions:
    """Hold runs against each other. A document that is given twice is one run."""
    ordered = sorted(_distinct(sources), key=lambda s: (s.evidence.created_utc, s.label))
    runs = tuple(_run_column(source) for source in ordered)
    titles = {machine_key(s.evidence.machine): machine_title(s.evidence.machine) for s in ordered}
    machines = tuple(
        MachineColumn(key, title, sum(1 for run in runs if run.machine == key)) for key, title in titles.items()
    )
    rows: dict[tuple[str, object], list[tuple[RunColumn, ClaimRecord]]] = {}
    for source, run in zip(ordered, runs, strict=True):
        for record in source.evidence.claims:
            if record.verdict is Verdict.NOT_SELECTED:
                continue
            rows.setdefault((record.claim.id, _measured_how(record.claim, source.evidence)), []).append((run, record))
    tried = {key: found for key, found in rows.items() if any(record.verdict in _TRIED for _, record in found)}
    claims, variants = [], dict.fromkeys((claim for claim, _ in tried), 0)
    for (claim, _), found in sorted(tried.items(), key=lambda item: item[0][0]):
        variants[claim] += 1
        claims.append(_row(found, variants[claim], list(titles)))
    known = {claim for claim, _ in tried}
    return Reproductions(
        runs=runs,
        machines=machines,
        claims=tuple(claims),
        never_tried=len({claim for claim, _ in rows} - known),
    )


def _distinct(sources: Iterable[RunSource]) -> list[RunSource]:
    found: list[RunSource] = []
    for source in sources:
        if not any(source.evidence == other.evidence for other in found):
            found.append(source)
    return found


def _run_column(source: RunSource) -> RunColumn:
    evidence = source.evidence
    out = []
    if evidence.fixture is not None:
        out.append("fixture")
    if evidence.source.dirty:
        out.append("dirty tree")
    marks = (*out, "interrupted") if evidence.interrupted else tuple(out)
    return RunColumn(
        label=source.label,
        machine=machine_key(evidence.machine),
        created_utc=evidence.created_utc,
        commit=evidence.source.commit,
        marks=marks,
        counts=not out,
    )


def _measured_how(claim: Claim, evidence: Evidence) -> object:
    """What must be equal for two measurements to be of one thing; thresholds and words may differ."""
    identities = {w.key: w.identity_sha256 for w in evidence.workloads}
    how = claim.model_dump_json(
        include={"kind", "subject", "suite", "cases", "workload", "baseline", "candidate_run", "baseline_run", "metric",
                 "where", "over"}
    )  # fmt: skip
    return how, identities.get(claim.workload or "")


def _row(found: Sequence[tuple[RunColumn, ClaimRecord]], variant: int, machines: list[str]) -> ClaimReproductions:
    claim = found[-1][1].claim
    answers = _without_copies(found)
    cells = []
    for machine in machines:
        here = tuple(answer for (run, _), answer in zip(found, answers, strict=True) if run.machine == machine)
        if here:
            cells.append(
                OnMachine(machine, here, holds=_holds(here), tried=_tried(here), agreement=_agreement(claim, here))
            )
    if claim.kind == "absolute":
        within = {cell.agreement for cell in cells}
        overall: Agreement = "differ" if "differ" in within else "agree" if "agree" in within else "alone"
    else:
        overall = _agreement(claim, answers)
    return ClaimReproductions(
        claim=claim.id,
        variant=variant,
        sentence=claim.spoken(),
        kind=claim.kind,
        subject=claim.subject,
        workload=claim.workload,
        machines=tuple(cells),
        holds=_holds(answers),
        tried=_tried(answers),
        agreement=overall,
    )


def _without_copies(found: Sequence[tuple[RunColumn, ClaimRecord]]) -> list[Answer]:
    """The answers in order. One whose times are an earlier run's was copied, not measured, and does not count."""
    seen: dict[tuple[int, ...], str] = {}
    answers = []
    for run, record in found:
        answer = _answer(run, record)
        if isinstance(record.measurement, RatioMeasurement) and record.measurement.samples:
            times = tuple(sample.elapsed_ns for sample in record.measurement.samples)
            first = seen.setdefault(times, run.label)
            if first != run.label:
                answer = replace(answer, marks=(*answer.marks, f"repeats the times of {first}"), counts=False)
        answers.append(answer)
    return answers


def _answer(run: RunColumn, record: ClaimRecord) -> Answer:
    measurement = record.measurement
    is_busy = isinstance(measurement, RatioMeasurement) and measurement.load.busy and measurement.load.overridden
    return Answer(
        run=run.label,
        verdict=record.verdict,
        measured=record.measured,
        value=record.value,
        interval=record.interval,
        caveat=record.caveat,
        marks=(*run.marks, "busy machine") if is_busy else run.marks,
        counts=run.counts and not is_busy,
    )


def _holds(answers: Iterable[Answer]) -> int:
    return sum(1 for answer in answers if answer.counts and answer.verdict is Verdict.PASS)


def _tried(answers: Iterable[Answer]) -> int:
    return sum(1 for answer in answers if answer.counts and answer.verdict in _TRIED)


def _agreement(claim: Claim, answers: Iterable[Answer]) -> Agreement:
    counted = [answer for answer in answers if answer.counts and answer.verdict in _ANSWERED]
    if claim.kind == "ratio":
        intervals = [answer.interval for answer in counted if answer.interval is not None]
        if len(intervals) < 2:
            return "alone"
        # Intervals that overlap in pairs have a point in common, for they lie on one line.
        return "agree" if max(low for low, _ in intervals) <= min(high for _, high in intervals) else "differ"
    if len(counted) < 2:
        return "alone"
    return "agree" if len({answer.verdict for answer in counted}) == 1 else "differ"
