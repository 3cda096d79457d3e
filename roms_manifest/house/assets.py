"""Turn the scroller's readable pictures and levels into CHR bytes and ca65 data.

Inputs are the text files beside the assembly source (``art/*.txt`` and ``levels.txt``); outputs are
the 8 KiB pattern tables and one ``.inc`` file of constants and tables. Everything here is a pure
function of the text, so the ROM built from it is the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Assets", "Picture", "build_assets", "read_pictures"]

_PIXEL = {".": 0, "#": 1, "+": 2, "-": 3}
_FLAG = {"solid": 1, "coin": 2, "bonus": 4, "brick": 8, "hazard": 16}
_LEVEL_ROWS = 13
_SCREEN_COLUMNS = 16
_SCENERY_COLUMNS = 48
_HORIZON_ROW = 11  # scenery that reaches below stands behind the ground
_FONT = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.!*"
_CREATURES = {"beetle": 1, "frog": 2, "hog": 3}


@dataclass(frozen=True)
class Picture:
    """A picture of ``rows`` of pixel values 0 to 3, its palette (0 to 3) and metatile flags."""

    name: str
    rows: tuple[tuple[int, ...], ...]
    palette: int
    flags: int

    @property
    def width_tiles(self) -> int:
        return len(self.rows[0]) // 8

    @property
    def height_tiles(self) -> int:
        return len(self.rows) // 8

    def tile(self, column: int, row: int) -> bytes:
        """The 16 CHR bytes (two bit planes) of the 8x8 tile at ``column``, ``row``."""
        planes = bytearray(16)
        for y in range(8):
            for x in range(8):
                pixel = self.rows[row * 8 + y][column * 8 + x]
                planes[y] |= (pixel & 1) << (7 - x)
                planes[y + 8] |= (pixel >> 1) << (7 - x)
        return bytes(planes)


@dataclass(frozen=True)
class Assets:
    """What the assembler needs: 8192 bytes of CHR and the text of the include file."""

    chr_rom: bytes
    include: str


def read_pictures(path: Path) -> dict[str, Picture]:
    """Read pictures from a text file; raises ValueError naming a picture whose shape is wrong."""
    pictures: dict[str, Picture] = {}
    name = ""
    palette = flags = 0
    rows: list[tuple[int, ...]] = []

    def finish() -> None:
        if not name:
            return
        if len({len(row) for row in rows}) != 1 or len(rows) % 8 or len(rows[0]) % 8:
            raise ValueError(f"{path.name}: picture {name!r} is not whole 8x8 tiles")
        pictures[name] = Picture(name, tuple(rows), palette, flags)

    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("["):
            finish()
            name, _, rest = line[1:].partition("]")
            options = dict(part.split("=") for part in rest.split())
            palette = int(options.get("palette", "0"))
            flags = sum(_FLAG[flag] for flag in options.get("flags", "").split(",") if flag)
            rows = []
        elif line and not line.startswith("# "):
            rows.append(tuple(_PIXEL[c] for c in line))
    finish()
    return pictures


@dataclass
class _TileBank:
    """A pattern table of 256 tiles filled from the front, equal tiles shared on request."""

    tiles: list[bytes] = field(default_factory=list)
    seen: dict[bytes, int] = field(default_factory=dict)

    def add(self, tile: bytes, *, share: bool = True) -> int:
        if share and tile in self.seen:
            return self.seen[tile]
        if len(self.tiles) == 256:
            raise ValueError("the pictures need more than 256 tiles of one pattern table")
        self.tiles.append(tile)
        self.seen.setdefault(tile, len(self.tiles) - 1)
        return len(self.tiles) - 1

    def bytes(self) -> bytes:
        return b"".join(self.tiles).ljust(4096, b"\0")


@dataclass(frozen=True)
class _Metatile:
    tiles: tuple[int, int, int, int]  # top left, top right, bottom left, bottom right
    palette: int
    flags: int


def _byte_lines(values: list[int]) -> str:
    rows = [values[i : i + 16] for i in range(0, len(values), 16)]
    return "\n".join("    .byte " + ", ".join(f"${v:02x}" for v in row) for row in rows)


def _table(label: str, values: list[int]) -> str:
    return f"{label}:\n{_byte_lines(values)}\n"


def _word_table(label: str, names: list[str]) -> str:
    low = ", ".join(f"<{n}" for n in names)
    high = ", ".join(f">{n}" for n in names)
    return f"{label}_lo:\n    .byte {low}\n{label}_hi:\n    .byte {high}\n"


class _Metatiles:
    """Metatiles by name; number 0 is the sky."""

    def __init__(self, bank: _TileBank) -> None:
        self.bank = bank
        self.list: list[_Metatile] = []
        self.by_name: dict[str, int] = {}
        self.by_value: dict[_Metatile, int] = {}
        blank = bank.add(bytes(16))
        self._add("sky", _Metatile((blank,) * 4, 0, 0))

    def _add(self, name: str, metatile: _Metatile) -> None:
        if metatile not in self.by_value:
            self.by_value[metatile] = len(self.list)
            self.list.append(metatile)
        self.by_name[name] = self.by_value[metatile]

    def add_picture(self, picture: Picture) -> None:
        columns, rows = picture.width_tiles // 2, picture.height_tiles // 2
        for row in range(rows):
            for column in range(columns):
                quad = [(column * 2 + x, row * 2 + y) for y in (0, 1) for x in (0, 1)]
                a, b, c, d = (self.bank.add(picture.tile(x, y)) for x, y in quad)
                # Nothing but sky has no palette of its own.
                empty = a == b == c == d == 0
                palette = 0 if empty else picture.palette
                metatile = _Metatile((a, b, c, d), palette, picture.flags)
                single = columns == rows == 1
                name = picture.name if single else f"{picture.name}_{column}_{row}"
                self._add(name, metatile)


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
class _LevelText:
    legend: dict[str, str] = field(default_factory=dict)
    creatures: dict[str, str] = field(default_factory=dict)
    screens: dict[str, list[str]] = field(default_factory=dict)
    levels: list[tuple[int, int, list[str]]] = field(default_factory=list)
    scenery: list[tuple[str, int, int]] = field(default_factory=list)


def _read_levels(path: Path) -> _LevelText:
    text = _LevelText()
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


def _level_include(text: _LevelText, metatiles: _Metatiles, pictures: dict[str, Picture]) -> str:
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
        parts.append(_table(f"creatures_{name}", [*creatures, 0xFF]))
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
        parts.append(_table(f"level_screens_{number}", [screen_numbers[n] for n in names]))
    levels = range(len(text.levels))
    parts.append(f"LEVEL_COUNT = {len(text.levels)}\n")
    parts.append(_word_table("level_screens", [f"level_screens_{n}" for n in levels]))
    parts.append(_table("level_length", [len(names) for _, _, names in text.levels]))
    digits = [[s // 100, s // 10 % 10, s % 10] for s, _, _ in text.levels]
    for place, label in enumerate(("hundreds", "tens", "ones")):
        parts.append(_table(f"level_time_{label}", [d[place] for d in digits]))
    parts.append(_table("level_theme", [theme for _, theme, _ in text.levels]))
    parts.append(_table("screen_columns", screen_columns))
    parts.append(_word_table("screen_creatures", creature_labels))
    parts.append(_table("scenery_columns", scenery_columns))
    for number, packed in enumerate(pool.list):
        parts.append(_table(f"column_{number}", list(packed)))
    parts.append(_word_table("columns", [f"column_{n}" for n in range(len(pool.list))]))
    return "\n".join(parts)


def build_assets(source: Path) -> Assets:
    """Build CHR and include file from the text files under ``source`` (the scroller's folder)."""
    background, sprites = _TileBank(), _TileBank()
    constants: list[str] = ["TILE_SKY = 0"]
    metatiles = _Metatiles(background)
    font = read_pictures(source / "art" / "font.txt")
    for char in _FONT:
        tile = background.add(font[char].tile(0, 0), share=False)
        if char == _FONT[0]:
            constants.append(f"TILE_ZERO = {tile}")
        elif char == "*":
            constants.append(f"TILE_TIMES = {tile}")
    for name in ("space", "ledge", "heart", "coin_icon"):
        tile = background.add(font[name].tile(0, 0), share=False)
        constants.append(f"TILE_{name.upper()} = {tile}")
    pictures = read_pictures(source / "art" / "terrain.txt")
    pictures.update(read_pictures(source / "art" / "scenery.txt"))
    for picture in pictures.values():
        metatiles.add_picture(picture)
    logo = read_pictures(source / "art" / "logo.txt")
    rows: list[list[int]] = [[], [], [], []]
    for char in "FOXTROT":
        picture = logo[f"logo_{char}"]
        for row in range(4):
            rows[row] += [background.add(picture.tile(x, row)) for x in range(3)]
    for name in ("brick", "bonus", "used", "coin"):
        constants.append(f"MT_{name.upper()} = {metatiles.by_name[name]}")
    for picture in read_pictures(source / "art" / "sprites.txt").values():
        first = len(sprites.tiles)
        for row in range(picture.height_tiles):
            for column in range(picture.width_tiles):
                sprites.add(picture.tile(column, row), share=False)
        constants.append(f"SPR_{picture.name.upper()} = {first}")
    parts = ["; Generated from art/*.txt and levels.txt. Do not edit.", *constants, "", '.segment "RODATA"']
    parts.append(f"; {len(background.tiles)} background tiles, {len(sprites.tiles)} sprite tiles.")
    parts.append(f"; {len(metatiles.list)} metatiles.")
    for place, label in enumerate(("tl", "tr", "bl", "br")):
        parts.append(_table(f"metatile_{label}", [m.tiles[place] for m in metatiles.list]))
    parts.append(_table("metatile_palette", [m.palette for m in metatiles.list]))
    parts.append(_table("metatile_flags", [m.flags for m in metatiles.list]))
    parts.append(_table("logo_tiles", [tile for row in rows for tile in row]))
    parts.append(_level_include(_read_levels(source / "levels.txt"), metatiles, pictures))
    return Assets(background.bytes() + sprites.bytes(), "\n".join(parts) + "\n")
