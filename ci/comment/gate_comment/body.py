"""The text of the comment: the reports' view of the checked document, between two lines of our own."""

from __future__ import annotations

from gate_comment.commands import with_safe_commands
from gate_comment.event import GateRun
from gate_comment.inert import require_inert
from gate_comment.pull_request import MARKER
from nesproof.harness.gate.document import GateDocument
from nesproof.reports.gate import gate_markdown

__all__ = ["body_of", "body_without_document"]

SITE = "https://github.com"


def body_of(document: GateDocument, run: GateRun) -> str:
    """The comment. Raises Refused where a command in it does anything but compare, or GitHub would act on the text."""
    return f"{MARKER}\n{require_inert(gate_markdown(with_safe_commands(document)))}\n\n{_foot(run)}"


def body_without_document(run: GateRun) -> str:
    """The comment where the gate ended before it could write anything."""
    return (
        f"{MARKER}\n## nesproof gate: no result\n\nThe gate ended ({run.conclusion}) before it wrote a document: the "
        "head changes the yardstick and nobody has accepted that, one of the two commits does not build, or the job "
        "was stopped. Its log says which.\n\n{_foot(run)}"
    )


def _foot(run: GateRun) -> str:
    return f"<sub>Of commit {run.head_sha}; [the job]({SITE}/{run.path}) holds the log and the whole document.</sub>"
