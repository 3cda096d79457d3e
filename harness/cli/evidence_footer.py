"""The last lines about evidence in a terminal: what it must not be taken for, and where it is kept."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from nesproof.harness.evidence.model import Evidence
from nesproof.harness.plain_text import plain_line

__all__ = ["print_footer"]


def print_footer(evidence: Evidence, console: Console, *, bundle_id: str | None, place: str | None) -> None:
    """Print them; without `place` and `bundle_id` it is kept nowhere."""
    if evidence.fixture is not None:
        made_up = f"Fixture: nothing of this was measured; it was made up: {plain_line(evidence.fixture, limit=400)}"
        console.print(Text(made_up, style="yellow"))
    if evidence.source.dirty:
        console.print(Text("The source tree has uncommitted changes: this evidence is diagnostic.", style="yellow"))
    if place is not None:
        console.print(Text(f"Report: {place}"), soft_wrap=True)
    if bundle_id is not None:
        console.print(Text(f"Bundle: {bundle_id}"), soft_wrap=True)
