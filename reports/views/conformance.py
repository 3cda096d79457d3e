"""The conformance matrix: test cases down the page, subjects across it, from one evidence document or several.

It decides nothing: a cell says what the document says of one case on one subject. A case for which a subject does not
declare enough is "cannot run", which is neither passed nor failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import conformance, conforming_subjects, list_title
from nesproof.harness.evidence.model import FailedMeasurement, SuiteRun, UnavailableMeasurement
from nesproof.reports.figures import moment
from nesproof.reports.plain_text import one_line, shortened
from nesproof.reports.views.conformance_parts import (
    CELL_WORDS,
    AbsentSubject,
    Cell,
    Column,
    ConformanceMatrix,
    Group,
    Row,
    Total,
)

__all__ = ["conformance_matrix", "failing_line"]

_LINE_SHOWN = 240
_Place = tuple[int, str]
"""A column before it is one: document and subject."""


def conformance_matrix(documents: Sequence[Evidence], *, least_columns: int = 2) -> ConformanceMatrix | None:
    """The matrix of the documents' suite runs; None where fewer than `least_columns` subjects can be held side by side.

    A suite is in it where at least `least_columns` subjects were wanted for the same case.
    """
    runs: dict[_Place, dict[str, list[SuiteRun]]] = {}
    for number, document in enumerate(documents):
        for run in document.suites:
            runs.setdefault((number, run.subject), {}).setdefault(run.suite, []).append(run)
    suites = dict.fromkeys(suite for of_subject in runs.values() for suite in of_subject)
    chosen = [suite for suite in suites if _is_shared(suite, runs, least_columns)]
    places = [place for place, of_subject in runs.items() if any(suite in of_subject for suite in chosen)]
    if len(places) < least_columns:
        return None
    listed = {(c.suite, c.case) for d in documents if d.mustpass is not None for c in d.mustpass.cases}
    # What somebody fails comes before what all that can be asked pass.
    groups = tuple(
        sorted((_group(suite, places, runs, listed) for suite in chosen), key=lambda group: not group.has_trouble)
    )
    lists = {(list_title(d.mustpass), d.mustpass.sha256) for d in documents if d.mustpass is not None}
    title, sha256 = next(iter(lists)) if len(lists) == 1 else (None, None)
    return ConformanceMatrix(
        columns=_columns(documents, places, groups),
        groups=groups,
        absent=tuple(absent for document in documents for absent in _absent(document)),
        list_title=title,
        list_sha256=sha256,
    )


def failing_line(message: str) -> str:
    """The first line of a message that says something, and with it the line that names the failure, if another does."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    if not lines:
        return ""
    said = next((line for line in lines[1:] if "fail" in line.casefold() or "error" in line.casefold()), None)
    return shortened(lines[0] if said is None else f"{lines[0]} {said}", _LINE_SHOWN)


def _wanted(runs: Iterable[SuiteRun]) -> list[str]:
    return [case for run in runs for case in (*run.expected, *(left.id for left in run.cannot_run))]


def _is_shared(suite: str, runs: dict[_Place, dict[str, list[SuiteRun]]], least: int) -> bool:
    seen = Counter(case for of_subject in runs.values() for case in set(_wanted(of_subject.get(suite, ()))))
    return any(times >= least for times in seen.values())


def _group(
    suite: str,
    places: Sequence[_Place],
    runs: dict[_Place, dict[str, list[SuiteRun]]],
    listed: set[tuple[str, str]],
) -> Group:
    of_suite = [runs[place].get(suite, []) for place in places]
    cases = dict.fromkeys(case for some in of_suite for case in _wanted(some))
    by_column = [_cells(some) for some in of_suite]
    rows = tuple(
        Row(
            suite=suite,
            case=case,
            is_listed=(suite, case) in listed,
            cells=tuple(cells.get(case, _cell("not-asked")) for cells in by_column),
        )
        for case in cases
    )
    title = next(run.title for some in of_suite for run in some)
    return Group(suite, title, rows, tuple(_total(row.cells[n] for row in rows) for n in range(len(places))))


def _cells(runs: Sequence[SuiteRun]) -> dict[str, Cell]:
    """What one subject did with the cases of one suite."""
    found: dict[str, Cell] = {}
    for run in runs:
        problem = "" if run.problem is None else failing_line(run.problem)
        found.update({case: _cell("broken" if problem else "not-run", line=problem) for case in run.expected})
        found.update({left.id: _cell("cannot-run", line=_lacking(left.lacks)) for left in run.cannot_run})
        for result in run.cases:
            state = {"error": "broken", "skipped": "not-run"}.get(result.outcome, result.outcome)
            line = "" if state == "passed" else failing_line(result.message)
            found[result.id] = _cell(state, line=line, frame=result.frame)
    return found


def _lacking(lacks: Sequence[str]) -> str:
    return shortened(f"The case wants {', '.join(lacks)}.", _LINE_SHOWN)


def _cell(state: str, *, line: str = "", frame: str | None = None) -> Cell:
    return Cell(state, *CELL_WORDS[state], one_line(line), frame)


def _total(cells: Iterable[Cell]) -> Total:
    seen = Counter(cell.state for cell in cells)
    asked = sum(seen.values()) - seen["cannot-run"] - seen["not-asked"]
    return Total(passed=seen["passed"], asked=asked, cannot_run=seen["cannot-run"])


def _columns(documents: Sequence[Evidence], places: Sequence[_Place], groups: Sequence[Group]) -> tuple[Column, ...]:
    titles = [f"{subject} {documents[number].version_of(subject)}".strip() for number, subject in places]
    moments = [moment(documents[number].created_utc) for number, _ in places]
    columns = []
    for position, (number, subject) in enumerate(places):
        document = documents[number]
        columns.append(
            Column(
                document=number,
                subject=subject,
                version=document.version_of(subject),
                label=_label(position, titles, moments),
                created=moments[position],
                fixture=document.fixture,
                total=_total(row.cells[position] for group in groups for row in group.rows),
                listed=conformance(document, subject) if subject in conforming_subjects(document) else None,
            )
        )
    return tuple(columns)


def _label(position: int, titles: Sequence[str], moments: Sequence[str]) -> str:
    """The column's title, and as much of its moment as tells it from the others."""
    title, created = titles[position], moments[position]
    twins = [when for name, when in zip(titles, moments, strict=True) if name == title]
    if len(twins) == 1:
        return title
    if [when[:10] for when in twins].count(created[:10]) == 1:
        return f"{title} ({created[:10]})"
    return f"{title} ({created})" if twins.count(created) == 1 else f"{title} ({created}, no. {position + 1})"


def _absent(document: Evidence) -> list[AbsentSubject]:
    """Subjects of selected claims that came up nowhere in the document."""
    present = {run.subject for run in document.suites} | {record.name for record in document.subjects}
    found: dict[str, AbsentSubject] = {}
    for record in document.claims:
        subject, measurement = record.claim.subject, record.measurement
        if not record.selected or subject in present or subject in found:
            continue
        if isinstance(measurement, (UnavailableMeasurement, FailedMeasurement)):
            is_broken = isinstance(measurement, FailedMeasurement)
            remedy = None if record.remedy is None else one_line(record.remedy)
            found[subject] = AbsentSubject(subject, is_broken, failing_line(record.reason), remedy)
    return list(found.values())
