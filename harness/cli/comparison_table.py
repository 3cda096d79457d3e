"""Comparisons in a terminal: a table a workload, and under it one line for each that says all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.evidence_footer import print_footer
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.reports.views.comparisons import ComparisonRow, ComparisonSide, ComparisonTable

__all__ = ["print_comparison_rows", "print_comparisons"]

_STYLES = {
    "alike": "green",
    "differs": "bold red",
    "refused": "bold red",
    "inconclusive": "yellow",
    "broken": "bold red",
    "unavailable": "dim",
    "not-measured": "yellow",
}


def print_comparisons(evidence: Evidence, console: Console, *, bundle_id: str | None, place: str | None) -> None:
    """Print tables, the line of each comparison, what the exit code means and where the report lies."""
    from nesproof.reports.views.headline import exit_words

    print_comparison_rows(evidence, console)
    console.print(Text(f"Exit code {evidence.exit_code:d}: {exit_words(evidence)[0]}.", style="bold"))
    print_footer(evidence, console, bundle_id=bundle_id, place=place)


def print_comparison_rows(evidence: Evidence, console: Console) -> None:
    """Print tables and the line of each comparison; nothing where there is none."""
    from nesproof.reports.views.comparisons import comparison_rows, comparison_tables

    if not evidence.comparisons:
        return
    rows = comparison_rows(evidence)
    for table in comparison_tables(rows):
        if any(row.ratio_value is not None for row in table.rows):
            console.print(_printed(table))
    seen: set[str] = set()
    for row in rows:
        for line in _lines(row, is_alone=len(rows) == 1):
            if line.plain not in seen:
                console.print(line, soft_wrap=True)
            seen.add(line.plain)
    console.print(Text("Frames/s belong to this machine; ratios travel.", style="dim"))


def _lines(row: ComparisonRow, *, is_alone: bool) -> list[Text]:
    """What is said of a comparison: all of it where it is alone or has no ratio; in a table, how the two play."""
    pair = f"{row.candidate.subject} beside {row.baseline.subject}, {row.workload}: "
    said = row.words if is_alone or row.ratio_value is None else f"{pair}{row.behaviour}"
    lines = [Text(plain_line(said, limit=2_000), style="" if is_alone else _STYLES[row.outcome])]
    if row.remark:
        lines.append(Text(f"  {plain_line(row.remark)}", style="dim"))
    if row.remedy:
        lines.append(Text("  To measure it: ").append(plain_line(row.remedy), style="bold"))
    return lines


def _printed(table: ComparisonTable) -> Table:
    shown = Table(title=Text(plain_line(f"{table.workload}, {table.baseline.subject} = 1")), expand=False)
    shown.add_column("Subject", overflow="fold", min_width=12)
    shown.add_column("How", overflow="fold", min_width=12)
    for name in ("Times", "Frames/s", "Env-steps/s"):
        shown.add_column(name, justify="right")
    shown.add_column("Plays", overflow="fold", min_width=8)
    for row in table.rows:
        times = Text("" if row.ratio_value is None else row.ratio)
        if row.interval:
            times.append(f"\n{row.interval}", style="dim")
        shown.add_row(*_side(row.candidate, times), Text(row.outcome_word, style=_STYLES[row.outcome]))
    if table.baseline.frames_per_second_value is not None:
        shown.add_row(*_side(table.baseline, Text("1")), Text("the baseline", style="dim"))
    return shown


def _side(side: ComparisonSide, times: Text) -> list[Text]:
    timed = side.frames_per_second_value is not None
    return [
        Text(plain_line(f"{side.subject} {side.version}")),
        Text(_how(side) if side.consoles is not None else ""),
        times,
        Text(side.frames_per_second if timed else ""),
        Text(side.env_steps_per_second if timed else ""),
    ]


def _how(side: ComparisonSide) -> str:
    several = f", {side.consoles} consoles on {side.threads}" if (side.consoles, side.threads) != (1, 1) else ""
    calls = f", {side.frame_skip} a call" if side.frame_skip != 1 else ""
    return f"draws {side.drawing}{several}{calls}"
