"""What a command says beside its result."""

from __future__ import annotations

import sys

from nesproof.harness.plain_text import plain_line

__all__ = ["say"]


def say(line: str) -> None:
    """Print one plain line to stderr, at once."""
    print(plain_line(line), file=sys.stderr, flush=True)
