"""Patterns of the test cards: units of 2 KiB with letters, small pictures, and the numbers of their two pages.

A unit has 128 tiles: $20-$5E are the letters by ASCII code, $1F and $5F hold the number of their 1 KiB page (number and
complement by turns), the rest are pictures that differ a little from unit to unit, so that switched banks can be seen.
"""

from __future__ import annotations

import math
from pathlib import Path

from .pictures import read_pictures

__all__ = ["UNIT_BYTES", "pattern_rom", "pattern_unit"]

UNIT_BYTES = 2048
_FONT = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.!*"
_PERIOD = 16
"""Units after which the pictures repeat."""


def _planes(rows: list[list[int]]) -> bytes:
    low = bytes(sum((pixel & 1) << (7 - x) for x, pixel in enumerate(row)) for row in rows)
    high = bytes(sum((pixel >> 1) << (7 - x) for x, pixel in enumerate(row)) for row in rows)
    return low + high


def _letters(font: Path) -> dict[int, bytes]:
    """Tiles by ASCII code: the ink of the scroller's letters, in colour 3."""
    pictures = read_pictures(font)
    letters = {}
    for char in _FONT:
        ink = 3 if char.isalnum() else 2
        rows = [[3 if pixel in (ink, 3) else 0 for pixel in row] for row in pictures[char].rows]
        letters[ord(char)] = _planes(rows)
    return letters


def _ground(tile: int, turn: int) -> bytes:
    """Tiles 0 to 7: nothing, a star, four kinds of ground, a full tile, a bar."""
    if tile == 0:
        return bytes(16)
    rows = []
    for y in range(8):
        row = []
        for x in range(8):
            if tile == 1:
                pixel = 3 if (x, y) in ((3, 3), (4, 3), (3, 4), (4, 4)) or x + y == turn % 15 else 0
            elif tile == 7:
                pixel = 2 if y in (0, 7) else 1
            else:
                pixel = 1 + ((x + turn) * (tile - 1) // 2 + y * (tile & 3) + turn) // 3 % 3
            row.append(pixel)
        rows.append(row)
    return _planes(rows)


def _ball(kind: int, phase: int, turn: int) -> bytes:
    """A round body: its size follows the kind, its light the phase."""
    radius = (3.9, 3.2, 3.6, 2.2)[kind]
    angle = (phase + turn) * math.pi / 4
    light = (3.5 + 1.8 * math.cos(angle), 3.5 + 1.8 * math.sin(angle))
    rows = []
    for y in range(8):
        row = []
        for x in range(8):
            inside = math.hypot(x - 3.5, y - 3.5) <= radius
            lit = math.hypot(x - light[0], y - light[1])
            row.append((3 if lit < 1.3 else 2 if lit < 3.1 else 1) if inside else 0)
        rows.append(row)
    return _planes(rows)


def _picture(tile: int, turn: int) -> bytes:
    if tile < 8:
        return _ground(tile, turn)
    kind = {0x08: 0, 0x10: 1, 0x18: 2, 0x60: 2, 0x68: 3}.get(tile & 0x78, 1)
    return _ball(kind, tile & 7, turn)


def pattern_unit(number: int, font: Path) -> bytes:
    """The 2,048 bytes of unit ``number``, whose pages have the numbers 2 x ``number`` and one more."""
    letters = _letters(font)
    tiles = []
    for tile in range(128):
        if tile & 0x3F == 0x1F:
            page = 2 * number + (tile >> 6) & 0xFF
            tiles.append(bytes([page, page ^ 0xFF] * 8))
        elif 0x20 <= tile < 0x60:
            tiles.append(letters.get(tile, bytes(16)))
        else:
            tiles.append(_picture(tile, number % _PERIOD))
    return b"".join(tiles)


def pattern_rom(size_bytes: int, font: Path) -> bytes:
    """CHR-ROM of whole units, numbered from 0."""
    return b"".join(pattern_unit(unit, font) for unit in range(size_bytes // UNIT_BYTES))
