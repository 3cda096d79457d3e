"""The conformance matrix as CSV, for spreadsheets: subjects across, or one row a subject and case."""

from __future__ import annotations

from nesproof.reports.csv_text import csv_bytes
from nesproof.reports.views.conformance_parts import ConformanceMatrix

__all__ = ["conformance_csv", "conformance_long_csv"]


def conformance_csv(matrix: ConformanceMatrix) -> bytes:
    """A row a case: its suite, its id, whether it must pass, and a column a subject; then rows of what each passed."""
    head = ["suite", "case", "must_pass", *(column.label for column in matrix.columns)]
    rows: list[list[str | int | bool | None]] = [
        [row.suite, row.case, row.is_listed, *(cell.word for cell in row.cells)]
        for group in matrix.groups
        for row in group.rows
    ]
    totals = [column.total for column in matrix.columns]
    rows.append([None, "passed", None, *(total.passed for total in totals)])
    rows.append([None, "asked", None, *(total.asked for total in totals)])
    rows.append([None, "cannot run", None, *(total.cannot_run for total in totals)])
    return csv_bytes(head, rows)


def conformance_long_csv(matrix: ConformanceMatrix) -> bytes:
    """A row a subject and case that it was wanted for, with the first failing line or what it lacks."""
    head = ["subject", "version", "measured", "suite", "case", "must_pass", "outcome", "line"]
    return csv_bytes(
        head,
        (
            [of.subject, of.version, of.created, row.suite, row.case, row.is_listed, cell.word, cell.line]
            for group in matrix.groups
            for row in group.rows
            for of, cell in zip(matrix.columns, row.cells, strict=True)
            if cell.state != "not-asked"
        ),
    )
