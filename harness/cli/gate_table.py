"""A gate in a terminal: the yardstick first, then before beside after beside verdict."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.gate.document import GateDocument
from nesproof.harness.plain_text import plain_line
from nesproof.reports.gate.view import ABSENT, GateRow, GateView, gate_view

__all__ = ["print_gate", "print_yardstick"]

_STYLES = {
    "PASS": "green",
    "UNCHANGED": "green",
    "FAIL": "bold red",
    "ERROR": "bold red",
    "INCONCLUSIVE": "yellow",
    "NOT_MEASURED": "yellow",
    "NOT_APPLICABLE": "dim",
    "WAIVED": "yellow",
}


def print_yardstick(lines: list[str], console: Console) -> None:
    """What the head changes of what it would be measured by."""
    if lines:
        console.print(Text("The yardstick changed; what counts is the base's:", style="bold yellow"))
    for line in lines:
        console.print(Text(f"  {plain_line(line, limit=400)}"), soft_wrap=True)


def print_gate(document: GateDocument, console: Console, *, place: str | None) -> None:
    """Print the two revisions, the table, the counts, and what repeats it."""
    view = gate_view(document)
    console.print(Text(f"base {view.base.short}  {plain_line(view.base.subject, limit=100)}"), soft_wrap=True)
    console.print(Text(f"head {view.head.short}  {plain_line(view.head.subject, limit=100)}"), soft_wrap=True)
    console.print(Text(f"judged by: {plain_line(view.judge)}", style="dim"), soft_wrap=True)
    console.print(Text(f"held to: {view.held_to}", style="dim"), soft_wrap=True)
    console.print(_table(view))
    _print_reasons(view, console)
    _print_remedies(view, console)
    for note in view.notes:
        console.print(Text(note, style="yellow"))
    listed = ", ".join(f"{count} {verdict}" for verdict, _, count in view.counts)
    console.print(Text(f"{listed}; {view.not_selected} NOT_SELECTED", style="bold"))
    console.print(Text(f"Exit code {view.exit_code}: {view.title[0].lower()}{view.title[1:]}."))
    console.print(Text("Repeat: ").append(view.repeat, style="bold"), soft_wrap=True)
    if place is not None:
        console.print(Text(f"Report: {place}"), soft_wrap=True)


def _table(view: GateView) -> Table:
    table = Table(show_lines=True, expand=False)
    table.add_column("Claim", overflow="fold", min_width=16)
    for name in ("Before", "After", "Change"):
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("Floor", justify="right", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    for row in view.rows:
        claim = Text(plain_line(row.id))
        if row.unit:
            claim.append(f"\n{plain_line(row.unit)}", style="dim")
        before, after = (shown.removesuffix(row.unit).rstrip() for shown in (row.before, row.after))
        verdict = Text(row.verdict, style=_STYLES[row.verdict])
        table.add_row(claim, before, after, _change(row), row.floor, verdict)
    return table


def _print_reasons(view: GateView, console: Console) -> None:
    """Why, of each claim that somebody should look at or that has more to tell."""
    for row in view.rows:
        if row.verdict in {"PASS", "UNCHANGED"} and row.caveat is None:
            continue
        text = Text(f"{row.verdict} ", style=_STYLES[row.verdict]).append(plain_line(row.id), style="bold")
        text.append(f": {plain_line(row.reason, limit=600)}", style="default")
        if row.caveat:
            text.append(f" ({plain_line(row.caveat, limit=400)})", style="dim")
        console.print(text, soft_wrap=True)


def _change(row: GateRow) -> Text:
    text = Text(row.change)
    if row.interval != ABSENT:
        text.append("\n" + row.interval.replace(" to ", " to\n"), style="dim")
    return text


def _print_remedies(view: GateView, console: Console) -> None:
    """The commands stand outside the table, each whole on its line, so that they can be copied."""
    remedies: dict[str, list[str]] = {}
    for row in view.rows:
        if row.remedy:
            remedies.setdefault(row.remedy, []).append(row.id)
    for remedy, claims in remedies.items():
        told = Text(f"To measure {', '.join(map(plain_line, claims))}: ")
        console.print(told.append(plain_line(remedy), style="bold"), soft_wrap=True)
