"""Any text, made inert for Markdown.

GitHub turns more than Markdown into markup: `@name` notifies people and `https://` and `#12` become links even where
their characters are written as entities. So text is escaped twice over: punctuation that Markdown or HTML could read
becomes a character reference, and an invisible word joiner breaks what GitHub would link.
"""

from __future__ import annotations

import re

from nesproof.reports.plain_text import one_line

__all__ = ["code", "escaped"]

_LINE = 600
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$]")
_LINKED = re.compile(r"(?<=[@#])|(?<=www)(?=\.)|(?<=:)(?=//)|(?<=GH)(?=-)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def escaped(text: str, limit: int = _LINE) -> str:
    """Text on one line that no Markdown renderer reads as anything but text, also within a table cell."""
    text = " ".join(text.split())
    if not text:
        return "(empty)"
    text = text if len(text) <= limit else text[:limit] + "…"
    joined = _LINKED.sub(_WORD_JOINER, text)
    return _MARKUP.sub(lambda m: f"&#{ord(m.group())};", joined)


def code(text: str, limit: int = _LINE) -> str:
    """Text as a code span, which holds any text literally; not for table cells, where a pipe would end it."""
    text = one_line(text)
    text = text if len(text) <= limit else text[:limit] + "…"
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if text.strip(" ") else "`(empty)`"
