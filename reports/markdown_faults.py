"""Planted faults in Markdown: what survived, and a compact list of the rest."""

from __future__ import annotations

from nesproof.reports.markdown_text import escaped
from nesproof.reports.views.falsification import Matrix

__all__ = ["fault_lines"]

_SHOWN = 20
_FAULTS_SHOWN = 200
_CELL = 120


def fault_lines(shown: Matrix | None) -> list[str]:
    """The lines of the section; none where no fault was to be planted."""
    if shown is None:
        return []
    lines = []
    bad = [f"- **{escaped(p.fault)}** in {escaped(p.claim)} ({p.word}): {escaped(p.reason)}" for p in shown.attention]
    bad += [
        f"- **{escaped(row.id)}**, which {escaped(row.only_suite or '')} alone should see, also fails "
        f"{escaped(', '.join(row.also))}"
        for _, rows in shown.areas
        for row in rows
        if row.also
    ]
    bad += [
        f"- {escaped(claim)} does not stand with no fault on: {escaped(why)}" for claim, why in shown.failing_controls
    ]
    if bad:
        more = [f"- _and {len(bad) - _SHOWN} more_"] if len(bad) > _SHOWN else []
        lines += ["", "**Faults that were not caught as they must be**", "", *bad[:_SHOWN], *more]
    lines += ["", "<details>", f"<summary>Planted faults: {escaped(shown.summary)}</summary>", ""]
    if shown.hooks_missing is not None:
        lines += [escaped(shown.hooks_missing), ""]
    lines += ["| fault | area | killed of tried | what is wrong |", "|---|---|---:|---|"]
    rows = [(area, row) for area, rows in shown.areas for row in rows]
    for area, row in rows[:_FAULTS_SHOWN]:
        counts = f"{row.killed} of {row.tried}"
        lines.append(f"| {escaped(row.id, _CELL)} | {escaped(area)} | {counts} | {escaped(row.sentence, _CELL)} |")
    return [*lines, "", "</details>"]
