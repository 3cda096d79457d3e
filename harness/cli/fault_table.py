"""Planted faults in a terminal: one row a fault, and what was not caught by name."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.evidence.model import Evidence
from nesproof.harness.plain_text import plain_line

__all__ = ["print_faults"]

_STYLES = {"FAIL": "bold red", "ERROR": "bold red", "NOT_APPLICABLE": "dim", "PASS": "green"}


def print_faults(evidence: Evidence, console: Console) -> None:
    """Print the faults of the run, where any was to be planted."""
    from nesproof.reports.views.falsification import OUTCOME_MARKS, matrix

    shown = matrix(evidence)
    if shown is None:
        return
    table = Table(expand=False)
    table.add_column("Fault", overflow="fold")
    table.add_column("Area")
    table.add_column("What is wrong", ratio=1, overflow="fold")
    for heading in ("killed", "survived", "broken", "not tried"):
        table.add_column(heading.capitalize(), justify="right")
    for area, rows in shown.areas:
        for row in rows:
            counts = {word: sum(1 for p in row.pairs if p.word == word) for _, word, _ in OUTCOME_MARKS.values()}
            cells = [
                Text(str(counts[word]), style=_STYLES[mark] if counts[word] else "dim")
                for mark, word, _ in sorted(OUTCOME_MARKS.values(), key=lambda entry: _ORDER.index(entry[1]))
            ]
            table.add_row(Text(plain_line(row.id)), area, Text(plain_line(row.sentence)), *cells)
    console.print(table)
    for pair in shown.attention:
        told = Text(f"{plain_line(pair.fault)} in {plain_line(pair.claim)}: {pair.word}. ", style="bold red")
        console.print(told.append(plain_line(pair.reason, limit=400), style="default"), soft_wrap=True)
    for _, rows in shown.areas:
        for row in rows:
            if row.also:
                told = Text(
                    f"{plain_line(row.id)} is also killed by {', '.join(map(plain_line, row.also))}", style="bold red"
                )
                console.print(told.append(f", although {row.only_suite} alone should see it."), soft_wrap=True)
    for claim, reason in shown.failing_controls:
        told = Text(f"{plain_line(claim)} does not stand with no fault on: ", style="bold red")
        console.print(told.append(plain_line(reason, limit=400), style="default"), soft_wrap=True)
    if shown.hooks_missing is not None:
        console.print(Text(f"No build with hooks: {plain_line(shown.hooks_missing)}"), soft_wrap=True)


_ORDER = ("killed", "survived", "broken", "not tried")
