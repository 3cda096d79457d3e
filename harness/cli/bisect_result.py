"""How a bisection's result is printed."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from nesproof.harness.counting import counted
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.plain_text import plain_line

__all__ = ["print_bisection"]

_MOST_LISTED = 20


def print_bisection(document: Bisection, console: Console, *, place: Path) -> None:
    """The commit or the range, what was measured before and after, and what it took."""
    for label, words in _lines(document, place):
        console.print(f"{label:<9} {plain_line(words, limit=500)}", markup=False, highlight=False, soft_wrap=True)


def _lines(document: Bisection, place: Path) -> list[tuple[str, str]]:
    result, subjects = document.result, {c.sha: c.subject for c in document.commits}
    assert result is not None
    lines = [("claim", f"{document.claim.id}: {document.claim.spoken()}")]
    label = "culprit" if result.kind == "culprit" else "range"
    shown = result.commits[:_MOST_LISTED]
    for number, sha in enumerate(shown):
        lines.append((label if number == 0 else "", f"{sha[:12]}  {subjects.get(sha, '')}"))
    if len(result.commits) > len(shown):
        lines.append(("", f"and {len(result.commits) - len(shown)} more"))
    lines.append(("result", result.sentence))
    lines += [(name, words) for name, words in (("before", result.before), ("after", result.after)) if words]
    if document.method is not None:
        lines.append(("method", document.method.sentence))
    if document.is_diagnostic():
        lines.append(("caveat", "timed on a busy machine all the same (--allow-busy): diagnostic"))
    builds = document.builds()
    took = f"{builds['made']} made, {builds['failed']} failed, {builds['cached']} from the cache"
    lines.append(
        ("builds", f"{took}; {counted(len(document.steps), 'step')}, {counted(len(document.commits), 'commit')}")
    )
    lines.append(("report", str(place)))
    return lines
