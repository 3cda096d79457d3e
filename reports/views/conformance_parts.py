"""What a conformance matrix is made of: cells, columns (subjects), rows (cases), and totals."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence.conformance import Conformance

__all__ = ["CELL_WORDS", "AbsentSubject", "Cell", "Column", "ConformanceMatrix", "Group", "Row", "Total", "Trouble"]

CELL_WORDS: dict[str, tuple[str, str]] = {
    "failed": ("FAIL", "failed"),
    "broken": ("ERROR", "broke"),
    "not-run": ("NOT_MEASURED", "no result"),
    "cannot-run": ("NOT_APPLICABLE", "cannot run"),
    "passed": ("PASS", "passed"),
    "not-asked": ("NOT_SELECTED", "not asked"),
}
"""State to the shape that marks it and the word for it."""

ALIKE_SHOWN = 120
"""So many cases of one suite that pass wherever they can be asked are listed beside those that do not; the rest is
counted."""
ALIKE_ALONE_SHOWN = 12
"""The same of a suite in which there is nothing else."""


@dataclass(frozen=True)
class Cell:
    """One case on one subject. `frame` is a path in the bundle of the column's document; `line` the first failing line,
    or what the subject lacks."""

    state: str
    mark: str
    word: str
    line: str = ""
    frame: str | None = None

    @property
    def is_trouble(self) -> bool:
        """True where the case was asked and did not pass."""
        return self.state in {"failed", "broken", "not-run"}


@dataclass(frozen=True)
class Total:
    """How a subject fared in one suite, or in all of the matrix. `asked` leaves out what it cannot run."""

    passed: int
    asked: int
    cannot_run: int

    @property
    def is_empty(self) -> bool:
        """True where it was wanted for nothing of it."""
        return not self.asked and not self.cannot_run


@dataclass(frozen=True)
class Column:
    """One subject of one document; `document` is that document's place among those given, from 0."""

    document: int
    subject: str
    version: str
    label: str
    """Subject and version; with the day where two columns would read the same."""
    created: str
    fixture: str | None
    total: Total
    listed: Conformance | None
    """Its count against the must-pass list that the document names."""

    @property
    def list_count(self) -> str | None:
        """The must-pass count in short: "94 of 96; 2 failed"."""
        return None if self.listed is None else self.listed.in_short()


@dataclass(frozen=True)
class Row:
    """One case; `cells` are in the order of the columns."""

    suite: str
    case: str
    is_listed: bool
    """True where it is a must-pass case of the list that one of the documents names."""
    cells: tuple[Cell, ...]

    @property
    def is_shared(self) -> bool:
        """True where at least two subjects were wanted for it, or there is one alone."""
        return len(self.cells) == 1 or sum(cell.state != "not-asked" for cell in self.cells) > 1

    @property
    def is_alike(self) -> bool:
        """True where it passes on every subject that can be asked."""
        return not any(cell.is_trouble for cell in self.cells)


@dataclass(frozen=True)
class Group:
    """The cases of one suite."""

    suite: str
    title: str
    rows: tuple[Row, ...]
    totals: tuple[Total, ...]

    @property
    def has_trouble(self) -> bool:
        """True where something failed, broke or is missing in it."""
        return not all(row.is_alike for row in self.rows)

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows that a page lists: all in which something is wrong, and some of the others; of those, none that a
        single subject of several was wanted for."""
        room = ALIKE_SHOWN if self.has_trouble else ALIKE_ALONE_SHOWN
        kept = []
        for row in self.rows:
            if row.is_alike and (room <= 0 or not row.is_shared):
                continue
            room -= row.is_alike
            kept.append(row)
        return tuple(kept)

    @property
    def left_out(self) -> int:
        """How many rows a page does not list."""
        return len(self.rows) - len(self.shown)


@dataclass(frozen=True)
class Trouble:
    """A row in which something failed, broke or is missing, and where: (column, cell) of each."""

    row: Row
    where: tuple[tuple[Column, Cell], ...]


@dataclass(frozen=True)
class AbsentSubject:
    """A subject that was to be measured and has no column: why, and the command that helps."""

    subject: str
    is_broken: bool
    """True where it was started and broke; False where it is not here."""
    reason: str
    remedy: str | None


@dataclass(frozen=True)
class ConformanceMatrix:
    """The whole matrix. `list_title` names the must-pass list where all documents that name one name the same."""

    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    absent: tuple[AbsentSubject, ...]
    list_title: str | None
    list_sha256: str | None

    @property
    def cases(self) -> int:
        """How many rows there are."""
        return sum(len(group.rows) for group in self.groups)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """The rows in which something failed, broke or is missing."""
        rows = (row for group in self.groups for row in group.rows if not row.is_alike)
        return tuple(
            Trouble(
                row,
                tuple((column, cell) for column, cell in zip(self.columns, row.cells, strict=True) if cell.is_trouble),
            )
            for row in rows
        )
