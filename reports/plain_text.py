"""The door that every string of the evidence passes once: afterwards it is inert, printable text.

Evidence may come from a stranger, and so may a ROM's title or a subject's output inside honest evidence. What a
reader cannot see (terminal escapes, bidirectional overrides, control characters, lone surrogates) is removed or
spelled out here for all formats; what is markup in one format is that format's to escape.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, TypeVar

from pydantic import BaseModel

from nesproof.harness.evidence import Evidence

__all__ = ["one_line", "plain", "plain_evidence", "plain_record", "shortened"]

_TERMINAL_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC, DCS and kin: titles, links
    r"|\x1b[@-Z\\-_]"  # two-character escapes
)
_KEPT = frozenset("\n\t\u200c\u200d")
"""Line feed and tab lay text out; the joiners belong to ordinary words and emoji."""
_SPELLED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_Model = TypeVar("_Model", bound=BaseModel)


def plain(text: str) -> str:
    r"""The text without terminal escapes, and with every other invisible or unencodable character spelled out.

    A spelled-out character reads as in a Python literal: `\x00`, `\u202e`, `\ud800`. Carriage returns become line
    feeds. Whatever else the text holds is unchanged.
    """
    text = _TERMINAL_ESCAPE.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SPELLING)


class _Spelling(dict[int, str]):
    """How each character is shown, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        shown = _spelled(chr(code))
        self[code] = shown
        return shown


_SPELLING = _Spelling()


def _spelled(character: str) -> str:
    if character in _KEPT:
        return character
    code = ord(character)
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    if not is_noncharacter and unicodedata.category(character) not in _SPELLED_CATEGORIES:
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plain_evidence(evidence: Evidence) -> Evidence:
    """The same evidence with `plain` applied to every string in it. Spelled-out text may exceed the model's caps."""
    return plain_record(evidence)


def plain_record(model: _Model) -> _Model:
    """The same record with `plain` applied to every string in it, however deep."""
    return model.model_copy(update={name: _plain_value(getattr(model, name)) for name in type(model).model_fields})


def _plain_value(value: Any) -> Any:
    if type(value) is str:
        return plain(value)
    if isinstance(value, BaseModel):
        return plain_record(value)
    if isinstance(value, (tuple, list)):
        return tuple(_plain_value(v) for v in value)
    if isinstance(value, dict):
        return {str(_plain_value(k)): _plain_value(v) for k, v in value.items()}
    return value


def shortened(text: str, limit: int) -> str:
    """The text, cut to `limit` characters with a note of how much is left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\N{HORIZONTAL ELLIPSIS} ({len(text) - limit:,} more characters are in the evidence document)"


def one_line(text: str) -> str:
    r"""The text on one line: a command that is copied must not run at a line feed. Feeds and tabs read `\n`, `\t`."""
    return text.replace("\n", r"\n").replace("\t", r"\t")
