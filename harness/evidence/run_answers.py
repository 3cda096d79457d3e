"""What one run says about each claim and each comparison in it, as what other runs can be held against."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from nesproof.harness.claims.model import ClaimKind
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.comparison import Comparison, ComparisonOutcome
from nesproof.harness.evidence.machines import machine_key
from nesproof.harness.evidence.measurements import Measurement, RatioMeasurement
from nesproof.harness.evidence.model import Evidence

__all__ = ["Answer", "Asked", "AskedKind", "RunColumn", "answers_of", "run_column", "times_ns"]

AskedKind = ClaimKind | Literal["comparison"]

_TRIED = (Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED, Verdict.ERROR)
_SETTLED = (Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED)
_COMPARED: tuple[ComparisonOutcome, ...] = ("alike", "differs", "inconclusive")
_ATTEMPTED: tuple[ComparisonOutcome, ...] = (*_COMPARED, "refused", "broken")


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
class Answer:
    """What one run says: of a claim its verdict, of a comparison its outcome."""

    run: str
    """The label of the run."""
    verdict: Verdict | None
    outcome: ComparisonOutcome | None
    measured: str | None
    value: float | None
    interval: tuple[float, float] | None
    caveat: str | None
    marks: tuple[str, ...]
    counts: bool

    @property
    def holds(self) -> bool:
        """A claim that passed, or subjects that play alike."""
        return self.verdict is Verdict.PASS or self.outcome == "alike"

    @property
    def was_tried(self) -> bool:
        """True where it was measured, or the measurement broke."""
        return self.verdict in _TRIED or self.outcome in _ATTEMPTED

    @property
    def is_settled(self) -> bool:
        """True where another run's answer can be held against this one."""
        return self.verdict in _SETTLED or self.outcome in _COMPARED


@dataclass(frozen=True)
class Asked:
    """A claim or a comparison of one run, and the run's answer.

    `how` is equal where two measurements are of one thing; thresholds and words may differ.
    """

    name: str
    how: object
    sentence: str
    kind: AskedKind
    subject: str
    workload: str | None
    answer: Answer


def run_column(label: str, evidence: Evidence, *, copied_from: str | None = None) -> RunColumn:
    """The run of a document. What was made up, copied from another run, or measured by a changed source tree, does not
    count.
    """
    marks = []
    if copied_from is not None:
        marks.append(f"repeats the times of {copied_from}")
    if evidence.fixture is not None:
        marks.append("fixture")
    if evidence.source.dirty:
        marks.append("dirty tree")
    return RunColumn(
        label=label,
        machine=machine_key(evidence.machine),
        created_utc=evidence.created_utc,
        commit=evidence.source.commit,
        marks=(*marks, "interrupted") if evidence.interrupted else tuple(marks),
        counts=not marks,
    )


def answers_of(evidence: Evidence, run: RunColumn) -> Iterator[Asked]:
    """Every claim that the run selected, then every comparison, in the document's order."""
    identities = {w.key: w.identity_sha256 for w in evidence.workloads}
    for record in evidence.claims:
        if record.verdict is Verdict.NOT_SELECTED:
            continue
        claim = record.claim
        marks, counts = _marks(run, record.measurement)
        answer = Answer(
            run.label,
            record.verdict,
            None,
            record.measured,
            record.value,
            record.interval,
            record.caveat,
            marks,
            counts,
        )
        how = (json.dumps(claim.question()), *(identities.get(key) for key in claim.workloads or ("",)))
        yield Asked(claim.id, how, claim.spoken(), claim.kind, claim.subject, claim.workload, answer)
    for comparison in evidence.comparisons:
        yield _compared(comparison, run, identities.get(comparison.workload))


def _compared(comparison: Comparison, run: RunColumn, identity: str | None) -> Asked:
    measurement = comparison.measurement
    marks, counts = _marks(run, measurement)
    return Asked(
        name=f"comparison:{comparison.id}",
        how=(comparison.candidate, comparison.baseline, comparison.workload, identity),
        sentence=f"{comparison.candidate} beside {comparison.baseline} on {comparison.workload}.",
        kind="comparison",
        subject=comparison.candidate,
        workload=comparison.workload,
        answer=Answer(
            run.label, None, comparison.outcome, comparison.words, comparison.ratio, comparison.interval, None, marks,
            counts,
        ),
    )  # fmt: skip


def _marks(run: RunColumn, measurement: Measurement | None) -> tuple[tuple[str, ...], bool]:
    if isinstance(measurement, RatioMeasurement) and measurement.load.busy and measurement.load.overridden:
        return (*run.marks, "busy machine"), False
    return run.marks, run.counts


def times_ns(evidence: Evidence) -> frozenset[tuple[int, ...]]:
    """For each timing of the run the times of all its samples: no two runs measure the very same."""
    timings = (m for _, m in evidence.measurements() if isinstance(m, RatioMeasurement) and m.samples)
    return frozenset(tuple(sample.elapsed_ns for sample in timing.samples) for timing in timings)
