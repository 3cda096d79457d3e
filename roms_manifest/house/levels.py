"""Levels of the scroller as text, packed into the pool of metatile columns that the ROM decodes while scrolling."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .ca65_tables import byte_table, word_table
from .pictures import MetatileSet, Picture

__all__ = ["LevelText", "level_include", "read_levels"]

_LEVEL_ROWS = 13
_SCREEN_COLUMNS = 16
_SCENERY_COLUMNS = 48
_HORIZON_ROW = 11  # scenery that reaches below stands behind the ground
_CREATURES = {"beetle": 1, "frog": 2, "hog": 3}


def _run_length(column: list[int]) -> bytes:
    """A column as bytes: a metatile alone, or metatile + 128 followed by a count."""
    out = bytearray()
    index = 0
    while index < len(column):
        run = 1
        while index + run < len(column) and column[index + run] == column[index]:
            run += 1
        out += bytes([column[index]]) if run == 1 else bytes([column[index] | 0x80, run])
        index += run
    return bytes(out)


class _Columns:
    """The pool of different metatile columns."""

    def __init__(self) -> None:
        self.list: list[bytes] = []

    def add(self, column: list[int]) -> int:
        packed = _run_length(column)
        if packed not in self.list:
            self.list.append(packed)
        return self.list.index(packed)


@dataclass
class LevelText:
    """What a level file says, with names not yet looked up."""

    legend: dict[str, str] = field(default_factory=dict)
    creatures: dict[str, str] = field(default_factory=dict)
    screens: dict[str, list[str]] = field(default_factory=dict)
    levels: list[tuple[int, int, list[str]]] = field(default_factory=list)
    scenery: list[tuple[str, int, int]] = field(default_factory=list)


def read_levels(path: Path) -> LevelText:
    """Read a level file; raises ValueError quoting a line that it does not know or a row of the wrong width."""
    text = LevelText()
    screen: list[str] | None = None
    for line in path.read_text(encoding="ascii").splitlines():
        words = line.split()
        if screen is not None and len(screen) < _LEVEL_ROWS:
            if len(line) != _SCREEN_COLUMNS:
                raise ValueError(f"{path.name}: a screen's row is not 16 wide: {line!r}")
            screen.append(line)
        elif not words or words[0] == "#":
            continue
        elif words[0] == "legend":
            text.legend[words[1]] = words[2]
        elif words[0] == "creature":
            text.creatures[words[1]] = words[2]
        elif words[0] == "screen":
            screen = text.screens.setdefault(words[1], [])
        elif words[0] == "level":
            seconds, theme = int(words[2]), int(words[3].rstrip(":"))
            text.levels.append((seconds, theme, words[4:]))
        elif words[0] == "scenery":
            text.scenery.append((words[1], int(words[2]), int(words[3])))
        else:
            raise ValueError(f"{path.name}: unknown line {line!r}")
    return text


def level_include(text: LevelText, metatiles: MetatileSet, pictures: dict[str, Picture]) -> str:
    """The levels as tables: screens of columns, columns in run lengths, creatures, scenery."""
    pool = _Columns()
    parts: list[str] = []
    screen_numbers = {name: n for n, name in enumerate(text.screens)}
    screen_columns: list[int] = []
    creature_labels: list[str] = []
    for name, rows in text.screens.items():
        creatures: list[int] = []
        for column in range(_SCREEN_COLUMNS):
            cells = []
            for row in range(_LEVEL_ROWS):
                char = rows[row][column]
                if char in text.creatures:
                    creatures += [column << 4 | row, _CREATURES[text.creatures[char]]]
                cells.append(metatiles.by_name[text.legend.get(char, "sky")])
            screen_columns.append(pool.add(cells))
        creature_labels.append(f"creatures_{name}")
        parts.append(byte_table(f"creatures_{name}", [*creatures, 0xFF]))
    grid = [[0] * _LEVEL_ROWS for _ in range(_SCENERY_COLUMNS)]
    for name, left, top in text.scenery:
        picture = pictures[name]
        for row in range(picture.height_tiles // 2):
            for column in range(picture.width_tiles // 2):
                single = picture.width_tiles == picture.height_tiles == 2
                metatile = metatiles.by_name[name if single else f"{name}_{column}_{row}"]
                if metatile and top + row < _HORIZON_ROW:
                    grid[(left + column) % _SCENERY_COLUMNS][top + row] = metatile
    scenery_columns = [pool.add(cells) for cells in grid]
    for number, (_, _, names) in enumerate(text.levels):
        parts.append(byte_table(f"level_screens_{number}", [screen_numbers[n] for n in names]))
    levels = range(len(text.levels))
    parts.append(f"LEVEL_COUNT = {len(text.levels)}\n")
    parts.append(word_table("level_screens", [f"level_screens_{n}" for n in levels]))
    parts.append(byte_table("level_length", [len(names) for _, _, names in text.levels]))
    digits = [[s // 100, s // 10 % 10, s % 10] for s, _, _ in text.levels]
    for place, label in enumerate(("hundreds", "tens", "ones")):
        parts.append(byte_table(f"level_time_{label}", [d[place] for d in digits]))
    parts.append(byte_table("level_theme", [theme for _, theme, _ in text.levels]))
    parts.append(byte_table("screen_columns", screen_columns))
    parts.append(word_table("screen_creatures", creature_labels))
    parts.append(byte_table("scenery_columns", scenery_columns))
    for number, packed in enumerate(pool.list):
        parts.append(byte_table(f"column_{number}", list(packed)))
    parts.append(word_table("columns", [f"column_{n}" for n in range(len(pool.list))]))
    return "\n".join(parts)
