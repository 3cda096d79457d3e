"""Hostile text made plain: what comes from a file, a ROM or a subject is shown without power over the terminal."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["plain_line", "plain_text"]

_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC: titles, hyperlinks, clipboard
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"  # two-byte escapes
)


def plain_text(text: str) -> str:
    """`text` without terminal escapes, control characters, bidirectional overrides and lone surrogates.

    Line breaks and tabs stay.
    """
    text = _ESCAPE.sub("", text)
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"})


def plain_line(text: str, *, limit: int = 1_000) -> str:
    """`plain_text` on one line of at most `limit` characters."""
    line = " ".join(plain_text(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
