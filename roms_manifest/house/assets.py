"""Turn the scroller's readable pictures and levels into CHR bytes and ca65 data.

Inputs are the text files beside the assembly source (``art/*.txt`` and ``levels.txt``); outputs are
the 8 KiB pattern tables and one ``.inc`` file of constants and tables. Everything here is a pure
function of the text, so the ROM built from it is the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .ca65_tables import byte_table
from .levels import level_include, read_levels
from .pictures import MetatileSet, TileBank, read_pictures

__all__ = ["Assets", "build_assets"]

_FONT = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.!*"


@dataclass(frozen=True)
class Assets:
    """What the assembler needs: 8192 bytes of CHR and the text of the include file."""

    chr_rom: bytes
    include: str


def build_assets(source: Path) -> Assets:
    """Build CHR and include file from the text files under ``source`` (the scroller's folder)."""
    background, sprites = TileBank(), TileBank()
    constants: list[str] = ["TILE_SKY = 0"]
    metatiles = MetatileSet(background)
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
    metatile_names = ("brick", "bonus", "used", "coin")
    constants += [f"MT_{name.upper()} = {metatiles.by_name[name]}" for name in metatile_names]
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
        parts.append(byte_table(f"metatile_{label}", [m.tiles[place] for m in metatiles.list]))
    parts.append(byte_table("metatile_palette", [m.palette for m in metatiles.list]))
    parts.append(byte_table("metatile_flags", [m.flags for m in metatiles.list]))
    parts.append(byte_table("logo_tiles", [tile for row in rows for tile in row]))
    parts.append(level_include(read_levels(source / "levels.txt"), metatiles, pictures))
    return Assets(background.bytes() + sprites.bytes(), "\n".join(parts) + "\n")
