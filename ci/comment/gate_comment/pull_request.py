"""Which pull request a run belongs to, by GitHub's word; and the one comment of ours under it."""

from __future__ import annotations

from typing import Any

from gate_comment.errors import Refused
from gate_comment.event import GateRun
from gate_comment.github import GitHub

__all__ = ["MARKER", "number_of", "put_comment"]

MARKER = "<!-- nesproof-gate -->"
AUTHOR = "github-actions[bot]"


def number_of(github: GitHub, run: GateRun) -> int | None:
    """The open pull request whose head is the run's commit; None where it has moved on or is closed.

    The event names no pull request of a fork, so GitHub is asked for those of the branch, and the commit decides.

    Raises:
        Refused: several have that head, and which one the run was for cannot be told.
    """
    found: list[Any] = [
        pull
        for pull in github.pages("pulls", state="open", head=f"{run.head_owner}:{run.head_branch}")
        if pull["head"]["sha"] == run.head_sha and pull["base"]["repo"]["full_name"] == run.repository
    ]
    if len(found) > 1:
        raise Refused("Several pull requests have this commit as their head.")
    return int(found[0]["number"]) if found else None


def put_comment(github: GitHub, number: int, body: str) -> None:
    """Write the comment, or write it anew in the place of the one that is there."""
    for comment in github.pages(f"issues/{number}/comments"):
        if comment["user"] is not None and comment["user"]["login"] == AUTHOR and comment["body"].startswith(MARKER):
            github.send("PATCH", f"issues/comments/{int(comment['id'])}", {"body": body})
            return
    github.send("POST", f"issues/{number}/comments", {"body": body})
