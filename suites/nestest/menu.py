"""nestest's menu: as it stands in the first nametable, where tile numbers are ASCII codes, or read off the picture."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nesproof.suites.hardware_roms.screen_text import read_lines

__all__ = ["menu_font", "read_menu", "read_shown_menu"]

_ENTRY = re.compile(r"^  [* ] (?P<result>--|OK|Er|[0-9A-F]{2}) (?P<title>\S.*?) *$")


def read_menu(nametable: NDArray[np.uint8]) -> Mapping[str, str]:
    """Entries by title, in order: `--` not run, `OK`, `Er` or the code of the check that failed.

    `nametable` is uint8 [1024].
    """
    rows = nametable[:960].reshape(30, 32)
    return _entries(["".join(chr(tile) if 0x20 <= tile < 0x7F else "\0" for tile in row) for row in rows.tolist()])


def read_shown_menu(frame: NDArray[np.uint8], font: Mapping[bytes, str]) -> Mapping[str, str]:
    """The same off the picture, uint8 RGB [240, 256, 3]."""
    return _entries(read_lines(frame, font))


def menu_font(rom: bytes) -> Mapping[bytes, str]:
    """The program's letters (8 bytes: rows from the top, leftmost pixel in bit 7), from its CHR-ROM in ASCII order."""
    start = 16 + rom[4] * 0x4000
    font: dict[bytes, str] = {}
    for code in range(0x21, 0x7F):
        tile = rom[start + 16 * code : start + 16 * code + 16]
        font.setdefault(bytes(a | b for a, b in zip(tile[:8], tile[8:], strict=True)), chr(code))
    return font


def _entries(lines: list[str]) -> Mapping[str, str]:
    return {match["title"]: match["result"] for match in map(_ENTRY.match, lines) if match is not None}
