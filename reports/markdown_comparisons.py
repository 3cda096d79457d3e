"""Comparisons in Markdown: a table a workload, each row with what is to be known beside its ratio."""

from __future__ import annotations

from nesproof.reports.markdown_text import escaped
from nesproof.reports.views.comparisons import ComparisonRow, ComparisonTable

__all__ = ["comparison_lines"]

_ROWS_SHOWN = 60
_CELL = 160


def comparison_lines(tables: tuple[ComparisonTable, ...]) -> list[str]:
    """The tables as lines; none where nothing was compared."""
    lines: list[str] = []
    for table in tables:
        named = f"{escaped(table.baseline.subject, _CELL)} {escaped(table.baseline.version or '-', _CELL)} = 1"
        lines += [
            "",
            f"**Beside each other on {escaped(table.workload, _CELL)}** ({named}; frames/s belong to this machine)",
            "",
            "| subject | plays | times | drawn | consoles | frames/s | how they play |",
            "|---|---|---:|---|---:|---:|---|",
            *(_line(row) for row in table.rows[:_ROWS_SHOWN]),
        ]
        if len(table.rows) > _ROWS_SHOWN:
            lines += ["", f"_And {len(table.rows) - _ROWS_SHOWN} more rows._"]
    return lines


def _line(row: ComparisonRow) -> str:
    side = row.candidate
    times = f"{row.ratio} ({row.interval})" if row.interval else row.ratio
    skip = f", {side.frame_skip} frames a call" if side.frame_skip not in {None, 1} else ""
    threads = f" on {side.threads} threads" if side.threads not in {None, 1} else ""
    cells = (
        escaped(f"{side.subject} {side.version}", _CELL),
        row.outcome_word,
        times,
        f"{side.drawing}{skip}",
        "" if side.consoles is None else f"{side.consoles}{threads}",
        side.frames_per_second,
        escaped(row.behaviour, _CELL),
    )
    return f"| {' | '.join(cells)} |"
