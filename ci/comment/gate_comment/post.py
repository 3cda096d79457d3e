"""The way of one comment: event, pull request, artifact, document, Markdown, comment."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gate_comment.artifact import artifact_archive, document_in
from gate_comment.body import body_of, body_without_document
from gate_comment.document import checked
from gate_comment.errors import Refused
from gate_comment.event import GateRun, gate_run
from gate_comment.github import GitHub
from gate_comment.pull_request import number_of, put_comment

__all__ = ["main"]

BAD_INPUT = 2


def main() -> int:
    """Comment, or say in one line why not. Exit code 0: commented, or nothing to comment on; 2: refused."""
    try:
        run = gate_run(Path(os.environ["GITHUB_EVENT_PATH"]))
        api = os.environ.get("GITHUB_API_URL", "https://api.github.com")
        say(comment(run, GitHub(run.repository, token=os.environ["GITHUB_TOKEN"], api=api)))
    except Refused as fault:
        say(str(fault))
        return BAD_INPUT
    return 0


def comment(run: GateRun, github: GitHub) -> str:
    """Write the comment of a run; what was done, in one sentence."""
    number = number_of(github, run)
    if number is None:
        return "No open pull request has this commit as its head any more; nothing is written."
    archive = artifact_archive(github, run.id)
    if archive is None:
        put_comment(github, number, body_without_document(run))
        return "The gate left no document; the comment says so."
    put_comment(github, number, body_of(checked(document_in(archive), run), run))
    return "The comment is written."


def say(sentence: str) -> None:
    """One line of the job's log."""
    print(f"gate-comment: {sentence}", file=sys.stderr)
