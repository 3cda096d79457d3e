"""Reads text off the picture, so that a program which reports on the screen alone can be judged on any subject.

The font is not ours: its glyphs are found in the program itself. Shay Green's programs carry one font, in ASCII order
from the space on, in CHR-ROM or in PRG-ROM for CHR-RAM: as 16 bytes a glyph (both planes alike), or in his older
programs as 8 bytes a glyph (one plane) and without lower case.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["FontMissing", "locate_font", "read_lines", "read_screen"]

_GLYPH_A = bytes.fromhex("386cc6c6fec6c600")
_GLYPH_B = bytes.fromhex("fcc6c6fcc6c6fc00")
_FIRST = 0x20
_LAST_BY_STRIDE = {8: 0x5F, 16: 0x7E}


class FontMissing(LookupError):
    """The program holds no font that is known here."""


def locate_font(rom: bytes) -> Mapping[bytes, str]:
    """Glyphs (8 bytes: rows from the top, leftmost pixel in bit 7) to characters.

    Raises:
        FontMissing: the glyphs of A and B do not lie one after the other anywhere in `rom`.
    """
    at = rom.find(_GLYPH_A)
    while at >= 0:
        for stride in _LAST_BY_STRIDE:
            if rom[at + stride : at + stride + 8] == _GLYPH_B:
                return _glyphs(rom, at - (ord("A") - _FIRST) * stride, stride)
        at = rom.find(_GLYPH_A, at + 1)
    raise FontMissing("The program holds no font that can be read off its picture.")


def _glyphs(rom: bytes, start: int, stride: int) -> dict[bytes, str]:
    font: dict[bytes, str] = {}
    for code in range(_FIRST, _LAST_BY_STRIDE[stride] + 1):
        at = start + (code - _FIRST) * stride
        glyph = rom[at : at + 8] if at >= 0 else b""
        if len(glyph) == 8:
            font.setdefault(glyph, chr(code))
    return font


def read_screen(frame: NDArray[np.uint8], font: Mapping[bytes, str]) -> str:
    """The text on a picture, uint8 RGB [240, 256, 3]: without margins and empty lines; what is no glyph reads `?`."""
    lines = (line.rstrip() for line in read_lines(frame, font))
    return textwrap.dedent("\n".join(line for line in lines if line))


def read_lines(frame: NDArray[np.uint8], font: Mapping[bytes, str]) -> list[str]:
    """The 30 lines of 32 characters on a picture, uint8 RGB [240, 256, 3].

    Whatever differs from the picture's most common colour counts as ink. A cell that is no glyph reads as `?`.
    """
    packed = frame.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    ink = packed != colours[counts.argmax()]
    rows = np.packbits(ink.reshape(30, 8, 32, 8), axis=3)[..., 0]  # [line, row of glyph, column]
    cells = rows.transpose(0, 2, 1)  # [line, column, row of glyph]
    blank = bytes(8)
    return [
        "".join(" " if (glyph := cell.tobytes()) == blank else font.get(glyph, "?") for cell in line) for line in cells
    ]
