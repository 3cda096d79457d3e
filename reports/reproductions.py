"""Reproductions as CSV, one line a claim, machine and run, and as JSON by `schema/reproductions-1.schema.json`."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence.comparison import ComparisonOutcome
from nesproof.harness.evidence.reproductions import Agreement, AskedKind, Reproductions
from nesproof.reports.csv_text import csv_bytes
from nesproof.reports.plain_text import one_line, plain, plain_record

__all__ = ["ReproductionsDocument", "reproductions_csv", "reproductions_json"]

_COLUMNS = (
    "claim", "variant", "kind", "subject", "workload", "machine", "run", "verdict", "value", "low", "high", "measured",
    "counts", "marks", "holds_on_machine", "tried_on_machine", "agreement_on_machine", "agreement", "sentence",
)  # fmt: skip


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class _Run(_Part):
    label: str
    machine: str
    created_utc: datetime
    commit: str | None
    marks: tuple[str, ...]
    counts: bool


class _Machine(_Part):
    key: str
    title: str
    runs: int


class _Answer(_Part):
    run: str
    verdict: Verdict | None
    outcome: ComparisonOutcome | None
    measured: str | None
    value: float | None
    interval: tuple[float, float] | None
    caveat: str | None
    marks: tuple[str, ...]
    counts: bool


class _OnMachine(_Part):
    machine: str
    answers: tuple[_Answer, ...]
    holds: int
    tried: int
    agreement: Agreement


class _Claim(_Part):
    claim: str
    variant: int
    sentence: str
    kind: AskedKind
    subject: str
    workload: str | None
    machines: tuple[_OnMachine, ...]
    holds: int
    tried: int
    agreement: Agreement


class ReproductionsDocument(_Part):
    """What `nesproof evidence compare --json` writes."""

    schema_id: Literal["nesproof.reproductions"] = "nesproof.reproductions"
    schema_version: Literal[1] = 1
    runs: tuple[_Run, ...]
    machines: tuple[_Machine, ...]
    claims: tuple[_Claim, ...]
    never_tried: int


def reproductions_json(found: Reproductions) -> bytes:
    """The document, UTF-8."""
    document = plain_record(ReproductionsDocument.model_validate(found))
    return document.model_dump_json(indent=1).encode() + b"\n"


def reproductions_csv(found: Reproductions) -> bytes:
    """One line for each answer of each run."""
    return csv_bytes(
        _COLUMNS,
        (
            (
                row.claim,
                row.variant,
                row.kind,
                _line(row.subject),
                _line(row.workload),
                cell.machine,
                _line(answer.run),
                answer.outcome if answer.verdict is None else answer.verdict.value,
                answer.value,
                None if answer.interval is None else answer.interval[0],
                None if answer.interval is None else answer.interval[1],
                _line(answer.measured),
                answer.counts,
                "; ".join(answer.marks),
                cell.holds,
                cell.tried,
                cell.agreement,
                row.agreement,
                _line(row.sentence),
            )
            for row in found.claims
            for cell in row.machines
            for answer in cell.answers
        ),
    )


def _line(text: str | None) -> str | None:
    return None if text is None else one_line(plain(text))
