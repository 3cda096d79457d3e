"""Pictures of the scroller as text, cut into tiles and metatiles of the pattern tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Metatile", "MetatileSet", "Picture", "TileBank", "read_pictures"]

_PIXEL = {".": 0, "#": 1, "+": 2, "-": 3}
_FLAG = {"solid": 1, "coin": 2, "bonus": 4, "brick": 8, "hazard": 16}


@dataclass(frozen=True)
class Picture:
    """A picture of ``rows`` of pixel values 0 to 3, its palette (0 to 3) and metatile flags."""

    name: str
    rows: tuple[tuple[int, ...], ...]
    palette: int
    flags: int

    @property
    def width_tiles(self) -> int:
        """Width in tiles of 8 pixels."""
        return len(self.rows[0]) // 8

    @property
    def height_tiles(self) -> int:
        """Height in tiles of 8 pixels."""
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
class TileBank:
    """A pattern table of 256 tiles filled from the front, equal tiles shared on request."""

    tiles: list[bytes] = field(default_factory=list)
    seen: dict[bytes, int] = field(default_factory=dict)

    def add(self, tile: bytes, *, share: bool = True) -> int:
        """The number of a tile, which is added unless an equal one may be shared; ValueError when it is full."""
        if share and tile in self.seen:
            return self.seen[tile]
        if len(self.tiles) == 256:
            raise ValueError("the pictures need more than 256 tiles of one pattern table")
        self.tiles.append(tile)
        self.seen.setdefault(tile, len(self.tiles) - 1)
        return len(self.tiles) - 1

    def bytes(self) -> bytes:
        """The 4,096 bytes of the pattern table."""
        return b"".join(self.tiles).ljust(4096, b"\0")


@dataclass(frozen=True)
class Metatile:
    """Four tiles with one palette and the flags that collisions ask for."""

    tiles: tuple[int, int, int, int]  # top left, top right, bottom left, bottom right
    palette: int
    flags: int


class MetatileSet:
    """Metatiles by name; number 0 is the sky."""

    def __init__(self, bank: TileBank) -> None:
        self.bank = bank
        self.list: list[Metatile] = []
        self.by_name: dict[str, int] = {}
        self.by_value: dict[Metatile, int] = {}
        blank = bank.add(bytes(16))
        self._add("sky", Metatile((blank,) * 4, 0, 0))

    def _add(self, name: str, metatile: Metatile) -> None:
        if metatile not in self.by_value:
            self.by_value[metatile] = len(self.list)
            self.list.append(metatile)
        self.by_name[name] = self.by_value[metatile]

    def add_picture(self, picture: Picture) -> None:
        """Cut a picture into metatiles; a larger one's are named NAME_COLUMN_ROW."""
        columns, rows = picture.width_tiles // 2, picture.height_tiles // 2
        for row in range(rows):
            for column in range(columns):
                quad = [(column * 2 + x, row * 2 + y) for y in (0, 1) for x in (0, 1)]
                a, b, c, d = (self.bank.add(picture.tile(x, y)) for x, y in quad)
                # Nothing but sky has no palette of its own.
                empty = a == b == c == d == 0
                palette = 0 if empty else picture.palette
                metatile = Metatile((a, b, c, d), palette, picture.flags)
                single = columns == rows == 1
                name = picture.name if single else f"{picture.name}_{column}_{row}"
                self._add(name, metatile)
