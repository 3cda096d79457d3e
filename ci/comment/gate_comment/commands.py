"""The commands that a comment invites its reader to run: only such as compare two commits."""

from __future__ import annotations

import re
import shlex

from gate_comment.errors import Refused
from nesproof.harness.gate.document import GateDocument

__all__ = ["with_safe_commands"]

_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_WORD = re.compile(r"[A-Za-z0-9._*?\[\]@=-]{1,200}")


def with_safe_commands(document: GateDocument) -> GateDocument:
    """The document without its remedies, which are free text that stands where a person copies it from.

    Raises:
        Refused: what is to repeat the comparison does anything else.
    """
    repeats = {document.repeat, *(record.rerun for record in document.claims)}
    if not all(_compares(command, document.candidate.commit) for command in repeats):
        raise Refused("The document's command does not repeat a comparison.")
    claims = tuple(record.model_copy(update={"remedy": None}) for record in document.claims)
    return document.model_copy(update={"claims": claims})


def _compares(command: str, head: str) -> bool:
    """`nesproof gate COMMIT HEAD` with plain options, quoted as a shell wants it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return (
        shlex.join(words) == command
        and words[:2] == ["nesproof", "gate"]
        and len(words) >= 4
        and _COMMIT.fullmatch(words[2]) is not None
        and words[3] == head
        and all(_WORD.fullmatch(word) for word in words[4:])
    )
