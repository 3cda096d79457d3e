"""How many of the must-pass cases each subject of a run passed, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import CaseStanding, Conformance, conformances, list_title
from nesproof.reports.views.bar import Segment, segments

__all__ = ["MustPass", "MustPassRow", "mustpass"]

_OPEN_SHOWN = 200
_MARKS = {
    "failed": "FAIL",
    "broken": "ERROR",
    "cannot-run": "NOT_APPLICABLE",
    "not-run": "NOT_MEASURED",
    "other-rom": "ERROR",
}
_WORDS = {
    "failed": "failed",
    "broken": "broke",
    "cannot-run": "cannot run",
    "not-run": "not run",
    "other-rom": "other program",
}


@dataclass(frozen=True)
class MustPassRow:
    """One subject against the list."""

    subject: str
    version: str
    passed: int
    cases: int
    in_short: str
    conforms: bool
    bar: tuple[Segment, ...]
    waived: tuple[tuple[str, str, str], ...]
    """(case, until, reason)."""
    open: tuple[tuple[str, str, str, str], ...]
    """(shape, word, case, why) of what neither passed nor is waived."""
    left_out: int


@dataclass(frozen=True)
class MustPass:
    """The list, and the subjects that a case of it was wanted of."""

    title: str
    name: str
    sha256: str
    rows: tuple[MustPassRow, ...]


def mustpass(evidence: Evidence) -> MustPass | None:
    """The counts of a run; None where its document names no list."""
    record = evidence.mustpass
    if record is None:
        return None
    rows = tuple(_row(found) for found in conformances(evidence))
    return MustPass(list_title(record), record.name, record.sha256, rows)


def _row(found: Conformance) -> MustPassRow:
    is_open = found.open
    shapes = [("PASS", found.passed), ("WAIVED", len(found.waived))]
    shapes += [(_MARKS[state], sum(1 for case in is_open if case.state == state)) for state in reversed(list(_MARKS))]
    return MustPassRow(
        subject=found.subject,
        version=found.version,
        passed=found.passed,
        cases=len(found.cases),
        in_short=found.in_short(),
        conforms=found.conforms,
        bar=segments(shapes),
        waived=tuple(_waived(case) for case in found.waived),
        open=tuple((_MARKS[case.state], _WORDS[case.state], case.key, case.said) for case in is_open[:_OPEN_SHOWN]),
        left_out=max(0, len(is_open) - _OPEN_SHOWN),
    )


def _waived(case: CaseStanding) -> tuple[str, str, str]:
    assert case.waiver is not None
    return case.key, case.waiver.expires.isoformat(), case.waiver.reason
