"""The gate as Markdown: for a job's summary and a comment, inert whatever the document says."""

from __future__ import annotations

from collections.abc import Sized

from nesproof.harness.gate.document import GateDocument
from nesproof.reports.gate.view import ABSENT, GateRow, GateView, gate_view
from nesproof.reports.markdown_comment import code, escaped

__all__ = ["LARGEST_CHARACTERS", "gate_markdown"]

LARGEST_CHARACTERS = 58_000
"""GitHub refuses a comment above 65,536 characters, and something may stand around it."""
_ROWS_SHOWN = 120
_DETAILS_SHOWN = 30
_LINES_SHOWN = 40
_CELL = 120

_SIGNS = {
    "PASS": "✅",
    "UNCHANGED": "🟰",
    "FAIL": "❌",
    "ERROR": "💥",
    "NOT_MEASURED": "⭕",
    "INCONCLUSIVE": "❔",
    "WAIVED": "🏳️",
    "NOT_APPLICABLE": "➖",
}


def gate_markdown(document: GateDocument) -> str:
    """The Markdown document, small enough for a comment on GitHub."""
    view = gate_view(document)
    lines = [*_head(view), *_yardstick(view), *_table(view), *_details(view), *_states(view)]
    end = ["", "Repeat it in a clone:", "", code(view.repeat), "", _foot(view), ""]
    room = LARGEST_CHARACTERS - sum(len(line) + 1 for line in end)
    return "\n".join([*_bounded(lines, room), *end])


def _bounded(lines: list[str], room: int) -> list[str]:
    """As many whole lines as fit; a fold that was opened is closed."""
    note = "_The rest is left out for size; the document holds all of it._"
    room -= len(note) + 40
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            is_folded = kept.count("<details>") > kept.count("</details>")
            return [*kept, *(["", "</details>"] if is_folded else []), "", note]
        kept.append(line)
    return kept


def _head(view: GateView) -> list[str]:
    listed = ", ".join(f"{count} {word}" for _, word, count in view.counts if count) or "no claim"
    lines = [
        f"## nesproof gate: {view.title[0].lower()}{view.title[1:]}",
        "",
        f"**Exit code {view.exit_code}.** {listed}; {view.not_selected} not selected.",
        "",
        f"- base: {code(view.base.short)} {escaped(view.base.subject, 100)} ({escaped(view.base.asked, 60)})",
        f"- head: {code(view.head.short)} {escaped(view.head.subject, 100)} ({escaped(view.head.asked, 60)})",
        f"- judged by: {escaped(view.judge)}",
        f"- held to: {escaped(view.held_to)}",
    ]
    lines += [f"- {escaped(view.merge_base_note)}"] if view.merge_base_note else []
    return [*lines, *(f"- **{escaped(note)}**" for note in view.notes)]


def _yardstick(view: GateView) -> list[str]:
    if not view.yardstick:
        return []
    shown = [f"- {escaped(line, 300)}" for line in view.yardstick[:_LINES_SHOWN]]
    return [
        "",
        "**The yardstick changed.** What counts here is the base's.",
        "",
        *shown,
        *_more(view.yardstick, _LINES_SHOWN),
    ]


def _table(view: GateView) -> list[str]:
    lines = [
        "",
        "| verdict | claim | before | after | change | interval | floor |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in view.rows[:_ROWS_SHOWN]:
        cells = (
            f"{_SIGNS[row.verdict]} {row.word}",
            escaped(row.id, _CELL),
            *(escaped(cell, _CELL) for cell in (row.before, row.after, row.change, row.interval, row.floor)),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines + _more(view.rows, _ROWS_SHOWN)


def _details(view: GateView) -> list[str]:
    rows = [row for row in view.rows if not row.is_settled or row.caveat]
    if not rows:
        return []
    lines = ["", "<details>", "<summary>Why, and how to measure again</summary>", ""]
    for row in rows[:_DETAILS_SHOWN]:
        lines += _detail(row)
    return [*lines, *_more(rows, _DETAILS_SHOWN), "", "</details>"]


def _detail(row: GateRow) -> list[str]:
    lines = [f"- **{escaped(row.id)}** ({row.word}): {escaped(row.reason, 900)}"]
    lines += [f"  - {escaped(row.caveat)}"] if row.caveat is not None else []
    lines += [f"  - {escaped(row.how)}"] if row.how != ABSENT else []
    lines += [f"  - remedy: {code(row.remedy)}"] if row.remedy is not None else []
    return [*lines, f"  - again: {code(row.rerun)}"]


def _states(view: GateView) -> list[str]:
    parted = [f"- {escaped(where)}: {escaped(seen)}" for where, seen, mark in view.states if mark != "PASS"]
    return ["", "Where the timed workloads end:", "", *parted] if parted else []


def _more(items: Sized, shown: int) -> list[str]:
    count = len(items) - shown
    return ["", f"_And {count} more._"] if count > 0 else []


def _foot(view: GateView) -> str:
    return (
        f"<sub>nesproof {escaped(view.version)}, {view.created}, took {view.duration}, on {escaped(view.machine)}. "
        "Of times, a change above zero is slower; the floor is what this job's noise hides.</sub>"
    )
