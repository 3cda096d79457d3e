"""How a test card lies in its file: what its source says of the board, and the layout for the linker.

A card is linked page by page of 8 KiB, since its banks appear at several addresses; each page is a memory area.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CardBoard", "link_layout", "read_board"]

_BESIDE_THE_CODE = (
    ("TIMED", "type = ro, align = $100"),
    ("LOW", "type = ro"),
    ("NAMES", "type = ro"),
    ("PICTURES", "type = ro"),
)
"""Segments in the page before the code's."""
_PAGE_BYTES = 0x2000
_END_BYTES = 0x20
"""Where a page ends with its number."""
_BOOT_BYTES = 0x200
"""Where a page that may lie at $E000 ends with a table, the way home and the vectors."""


@dataclass(frozen=True)
class CardBoard:
    """Sizes of a card: what the assembly source of its board defines under the same names in capitals."""

    prg_kib: int
    chr_kib: int
    prg_window_kib: int
    home_bank: int
    all_banks_boot: int

    @property
    def prg_pages(self) -> int:
        """Pages of 8 KiB in PRG-ROM."""
        return self.prg_kib // 8

    @property
    def home_page(self) -> int:
        """The page at $E000 when the card runs."""
        if self.prg_window_kib == 8:
            return self.prg_pages - 1
        return (self.home_bank + 1) * self.prg_window_kib // 8 - 1

    def page_address(self, page: int) -> int:
        """The CPU address that the code in a page is assembled for."""
        if page in (self.home_page - 1, self.home_page):
            return 0xC000 + _PAGE_BYTES * (page - self.home_page + 1)
        pages_of_a_window = {8: 2, 16: 2, 32: 4}[self.prg_window_kib]
        return 0x8000 + _PAGE_BYTES * (page % pages_of_a_window)

    def boots(self, page: int) -> bool:
        """Whether a page may lie at $E000 when the console is switched on."""
        if page == self.home_page:
            return True
        if self.prg_window_kib == 32:
            return page % 4 == 3
        return bool(self.all_banks_boot) and page % 2 == 1


def read_board(source: str) -> CardBoard:
    """The sizes in the source of a card; raises ValueError naming one that is missing."""

    def number(name: str) -> int:
        found = re.search(rf"^{name} *= *(\d+)", source, re.MULTILINE)
        if found is None:
            raise ValueError(f"the card's source does not define {name}")
        return int(found[1])

    return CardBoard(
        prg_kib=number("PRG_KIB"),
        chr_kib=number("CHR_KIB"),
        prg_window_kib=number("PRG_WINDOW_KIB"),
        home_bank=number("HOME_BANK"),
        all_banks_boot=number("ALL_BANKS_BOOT"),
    )


def link_layout(board: CardBoard) -> str:
    """The text of the configuration file for ld65."""
    memory = [
        "ZP: start = $0000, size = $0100, type = rw;",
        "SPRITES: start = $0200, size = $0100, type = rw;",
        "RAM: start = $0300, size = $0300, type = rw;",
        "RAMRUN: start = $0600, size = $0200, type = rw;",
        "HEADER: start = $0000, size = $0010, type = ro, file = %O, fill = yes;",
    ]
    segments = [
        "ZEROPAGE: load = ZP, type = zp;",
        "OAM: load = SPRITES, type = bss;",
        "BSS: load = RAM, type = bss;",
        "HEADER: load = HEADER, type = ro;",
    ]
    for page in range(board.prg_pages):
        start = board.page_address(page)
        end = _BOOT_BYTES if board.boots(page) else _END_BYTES
        end_start = (0xE000 if board.boots(page) else start) + _PAGE_BYTES - end
        rom = "type = ro, file = %O, fill = yes, fillval = $FF"
        memory.append(f"PG{page:02X}: start = ${start:04X}, size = ${_PAGE_BYTES - end:04X}, {rom};")
        memory.append(f"TL{page:02X}: start = ${end_start:04X}, size = ${end:04X}, {rom};")
        segments.append(f"PG{page:02X}: load = PG{page:02X}, type = ro;")
        if page == board.home_page - 1:
            segments += [f"{name}: load = PG{page:02X}, {kind}, optional = yes;" for name, kind in _BESIDE_THE_CODE]
            segments.append(f"RAMCODE: load = PG{page:02X}, run = RAMRUN, type = rw, define = yes;")
        if page == board.home_page:
            segments.append(f"CODE: load = PG{page:02X}, type = ro;")
        segments.append(f"TL{page:02X}: load = TL{page:02X}, type = ro;")
    if board.chr_kib:
        memory.append(f"CHR: start = $0000, size = ${board.chr_kib * 1024:05X}, type = ro, file = %O, fill = yes;")
        segments.append("CHR: load = CHR, type = ro;")
    lines = ["MEMORY {", *(f"    {line}" for line in memory), "}", "SEGMENTS {"]
    return "\n".join([*lines, *(f"    {line}" for line in segments), "}", ""])
