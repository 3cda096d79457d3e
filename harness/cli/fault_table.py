"""Planted faults in a terminal: one row a fault, or an area where there are many; what was not caught, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.evidence.model import Evidence
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.reports.views.falsification import FaultRow, Matrix, PairCell

__all__ = ["print_faults"]

_ROWS = 15
"""More faults than that are shown area by area; the report has them all."""
_OUTCOMES = {"killed": "green", "survived": "bold red", "broken": "bold red", "not tried": "dim"}
"""The words for the outcomes of a pair, with their styles."""


def print_faults(evidence: Evidence, console: Console) -> None:
    """Print the faults of the run, where any was to be planted."""
    from nesproof.reports.views.falsification import matrix

    shown = matrix(evidence)
    if shown is None:
        return
    faults = [row for _, rows in shown.areas for row in rows]
    if faults:
        console.print(_by_fault(faults) if len(faults) <= _ROWS else _by_area(shown))
    for pair in shown.attention:
        _warn(console, f"{plain_line(pair.fault)} in {plain_line(pair.claim)}: {pair.word}.", pair.reason)
    for row in faults:
        if row.also:
            also = ", ".join(map(plain_line, row.also))
            _warn(console, f"{plain_line(row.id)} is also killed by {also}", f"although {row.only_suite} alone should.")
    for claim, reason in shown.failing_controls:
        _warn(console, f"{plain_line(claim)} does not stand with no fault on:", reason)
    if shown.hooks_missing is not None:
        console.print(Text(f"No build with hooks: {plain_line(shown.hooks_missing)}"), soft_wrap=True)


def _by_fault(faults: list[FaultRow]) -> Table:
    table = _table("Fault", "What is wrong")
    table.columns[0].no_wrap = True
    for row in faults:
        table.add_row(Text(plain_line(row.id)), Text(plain_line(row.sentence)), *_counts(row.pairs))
    return table


def _by_area(shown: Matrix) -> Table:
    table = _table("Area", "Faults")
    for area, rows in shown.areas:
        table.add_row(area, str(len(rows)), *_counts(pair for row in rows for pair in row.pairs))
    return table


def _table(*headings: str) -> Table:
    table = Table(expand=False, title="Planted faults, and the claims that name them", title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for word in _OUTCOMES:
        table.add_column(word.capitalize(), justify="right")
    return table


def _counts(pairs: Iterable[PairCell]) -> list[Text]:
    words = [pair.word for pair in pairs]
    return [Text(str(words.count(word)), style=style if word in words else "dim") for word, style in _OUTCOMES.items()]


def _warn(console: Console, what: str, why: str) -> None:
    console.print(
        Text(f"{what} ", style="bold red").append(plain_line(why, limit=400), style="not bold"), soft_wrap=True
    )
