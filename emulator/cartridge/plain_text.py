"""Makes text from a file or a path safe to print: no terminal escape, no control, no bidirectional override."""

from __future__ import annotations

import re

__all__ = ["plain_text", "shown_bytes"]

_MOST_CHARACTERS = 160

# ECMA-48: OSC, DCS, SOS, PM and APC strings up to their terminator (or the end), CSI sequences, other escapes.
_ESCAPES = re.compile(
    r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f]).*?(?:\x07|\x1b\\|\x9c|$)"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)


def plain_text(text: str) -> str:
    """`text` on one line, printable, at most 160 characters.

    Terminal escape sequences are dropped. What is left and does not print (controls, line breaks, bidirectional
    overrides, lone surrogates of undecodable paths) is shown as a backslash escape.
    """
    stripped = _ESCAPES.sub("", text[: 64 * _MOST_CHARACTERS])
    shown = "".join(c if c.isprintable() else _escaped(c) for c in stripped)
    return shown if len(shown) <= _MOST_CHARACTERS else shown[: _MOST_CHARACTERS - 1] + "…"


def _escaped(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def shown_bytes(data: bytes, most: int = 16) -> str:
    """The first bytes as hexadecimal and, beside them, as ASCII with dots for what does not print."""
    head = data[:most]
    ascii_text = "".join(chr(b) if 0x20 <= b < 0x7F else "." for b in head)
    return f"{head.hex(' ').upper()} ({ascii_text!r})"
