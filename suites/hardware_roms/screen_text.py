"""Reads text off the picture, so that a program which reports on the screen alone can be judged on any subject.

The font is not ours: its glyphs are found in the program itself. Shay Green's programs carry one font, in ASCII order
from the space on, in CHR-ROM or in PRG-ROM for CHR-RAM: as 16 bytes a glyph (both planes alike), or in his older
programs as 8 bytes a glyph (one plane) and without lower case.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FontMissing", "ScreenReader", "locate_font", "read_lines", "read_screen"]

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
    return _text(read_lines(frame, font))


def read_lines(frame: NDArray[np.uint8], font: Mapping[bytes, str]) -> list[str]:
    """The 30 lines of 32 characters on a picture, uint8 RGB [240, 256, 3].

    Whatever differs from the picture's most common colour counts as ink. A cell that is no glyph reads as `?`.
    """
    return _lines(_cells(_ink(frame)), _by_number(font))


class ScreenReader:
    """Reads one program's pictures, also where a console draws them badly: some pixels off, turned around the edge as a
    wrong scroll does, or with whole rows of each letter missing. So a program is judged by what it says, and not by
    how the console shows it. Where it found the letters once it looks first the next time."""

    def __init__(self, font: Mapping[bytes, str]) -> None:
        self._font = _by_number(font)
        self._glyphs = np.array(list(self._font), np.uint64)
        self._place = _EXACT
        self._looks_until_search = 0

    def read(self, frame: NDArray[np.uint8]) -> str:
        """The text on a picture, uint8 RGB [240, 256, 3], as `read_screen` gives it; what cannot be read stays `?`."""
        ink = _ink(frame)
        if self._score(ink, _EXACT).unknown == 0:
            return _text(_lines(_cells(ink), self._font))
        place = self._place_of(ink)
        lines = _lines(_placed(ink, place), self._masked(place.rows), rows=place.rows)
        is_moved = (place.down, place.across) != (0, 0)
        return _text([_turned_back(line) for line in lines] if is_moved else lines)

    def _place_of(self, ink: NDArray[np.bool_]) -> _Place:
        """Where the letters lie: where they lay last, or else where most of the cells read as letters."""
        known = max((self._score(ink, place) for place in (self._place, _EXACT)), key=lambda score: score.value)
        self._looks_until_search -= 1
        if known.value > 0 or self._looks_until_search > 0:
            return known.place
        # All places are looked at: dear, and in vain where the picture shows no letters.
        self._looks_until_search = _LOOKS_BETWEEN_SEARCHES
        found = [
            self._score(ink, _Place(down, across, rows))
            for down in range(8)
            for across in range(8)
            for rows in {_ALL_ROWS, _rows_with_ink(ink, down)}
        ]
        self._place = max((known, *found), key=lambda score: score.value).place
        return self._place

    def _score(self, ink: NDArray[np.bool_], place: _Place) -> _Score:
        rows = np.uint64(place.rows)
        cells = _placed(ink, place) & rows
        inked = cells[cells != 0]
        known = int(np.isin(inked, self._glyphs & rows).sum())
        return _Score(place, known, len(inked) - known)

    def _masked(self, rows: int) -> dict[int, str]:
        if rows == _ALL_ROWS:
            return self._font
        masked: dict[int, str] = {}
        for glyph, character in self._font.items():
            masked.setdefault(glyph & rows, character)
        return masked


@dataclass(frozen=True)
class _Place:
    """Where the letters lie: so many pixels down and across from where they belong, and which of their rows are drawn:
    a mask over the eight bytes of a glyph."""

    down: int
    across: int
    rows: int


@dataclass(frozen=True)
class _Score:
    """How many cells read as letters in a place, and how many with ink do not."""

    place: _Place
    known: int
    unknown: int

    @property
    def value(self) -> int:
        """A letter that cannot be read weighs twice, so that a reading by chance does not win."""
        return self.known - 2 * self.unknown


_LOOKS_BETWEEN_SEARCHES = 6
_ALL_ROWS = (1 << 64) - 1
_EXACT = _Place(0, 0, _ALL_ROWS)


def _by_number(font: Mapping[bytes, str]) -> dict[int, str]:
    """Glyphs as numbers: the top row is the highest byte."""
    return {int.from_bytes(glyph, "big"): character for glyph, character in font.items()}


def _ink(frame: NDArray[np.uint8]) -> NDArray[np.bool_]:
    packed = frame.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    return np.asarray(packed != colours[counts.argmax()])


def _cells(ink: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """The picture's cells as glyph numbers, uint64 [30, 32]."""
    rows = np.packbits(ink.reshape(30, 8, 32, 8), axis=3)[..., 0]  # [line, row of glyph, column]
    return np.ascontiguousarray(rows.transpose(0, 2, 1)).view(">u8")[..., 0].astype(np.uint64)


def _placed(ink: NDArray[np.bool_], place: _Place) -> NDArray[np.uint64]:
    return _cells(np.roll(ink, (-place.down, -place.across), axis=(0, 1)))


def _rows_with_ink(ink: NDArray[np.bool_], down: int) -> int:
    """A mask of the rows of a glyph in which anything is drawn anywhere."""
    drawn = np.asarray(np.roll(ink, -down, axis=0).reshape(30, 8, 256).any(axis=(0, 2)))
    return int.from_bytes(bytes(0xFF if row else 0 for row in drawn.tolist()), "big")


def _lines(cells: NDArray[np.uint64], font: Mapping[int, str], *, rows: int = _ALL_ROWS) -> list[str]:
    return [
        "".join(" " if (glyph := cell & rows) == 0 else font.get(glyph, "?") for cell in line)
        for line in cells.tolist()
    ]


def _turned_back(line: str) -> str:
    """A line that a wrong scroll turned around the edge, from its longest gap on."""
    twice = line + line
    gap = max((match.span() for match in _GAP.finditer(twice)), key=lambda span: span[1] - span[0], default=(0, 0))
    return twice[gap[1] : gap[1] + len(line)] if gap[1] <= len(line) else twice[gap[1] - len(line) : gap[1]]


_GAP = re.compile(" +")


def _text(lines: list[str]) -> str:
    kept = (line.rstrip() for line in lines)
    return textwrap.dedent("\n".join(line for line in kept if line))
