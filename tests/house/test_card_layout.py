"""Where the pages of a card lie, and what its patterns hold."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from nesproof.roms_manifest.house.card_layout import CardBoard, link_layout, read_board
from nesproof.roms_manifest.house.card_pictures import UNIT_BYTES, pattern_rom, pattern_unit

FONT = Path(str(files("nesproof.roms_manifest.house"))) / "src" / "scroller" / "art" / "font.txt"


def _board(window: int, banks: int, home: int = 0, all_boot: int = 0) -> CardBoard:
    return CardBoard(prg_kib=window * banks, chr_kib=0, prg_window_kib=window, home_bank=home, all_banks_boot=all_boot)


@pytest.mark.parametrize(
    ("board", "addresses", "boot"),
    [
        (_board(32, 2), [0x8000, 0xA000, 0xC000, 0xE000] * 2, [3, 7]),
        (_board(16, 4, home=3), [0x8000, 0xA000] * 3 + [0xC000, 0xE000], [7]),
        (_board(16, 3, home=1, all_boot=1), [0x8000, 0xA000, 0xC000, 0xE000, 0x8000, 0xA000], [1, 3, 5]),
        (_board(8, 6), [0x8000, 0xA000, 0x8000, 0xA000, 0xC000, 0xE000], [5]),
    ],
)  # fmt: skip
def test_pages_lie_where_their_window_is(board: CardBoard, addresses: list[int], boot: list[int]) -> None:
    assert [board.page_address(page) for page in range(board.prg_pages)] == addresses
    assert [page for page in range(board.prg_pages) if board.boots(page)] == boot


def test_areas_of_the_layout_fill_the_rom() -> None:
    board = _board(16, 4, home=3)
    sizes = [
        int(line.partition("size = $")[2].partition(",")[0], 16)
        for line in link_layout(board).splitlines()
        if line.strip().startswith(("PG", "TL")) and "size =" in line
    ]
    assert sum(sizes) == board.prg_kib * 1024


def test_a_source_without_a_size_is_named() -> None:
    with pytest.raises(ValueError, match="does not define CHR_KIB"):
        read_board("PRG_KIB = 32\n")


def test_a_unit_of_patterns_has_letters_and_numbers() -> None:
    unit = pattern_unit(5, FONT)
    assert len(unit) == UNIT_BYTES
    assert unit[0x1F0:0x200] == bytes([10, 245] * 8)
    assert unit[0x5F0:0x600] == bytes([11, 244] * 8)
    letter = unit[ord("A") * 16 : ord("A") * 16 + 16]
    assert letter[:8] == letter[8:] != bytes(8)
    assert unit[ord(" ") * 16 : ord(" ") * 16 + 16] == bytes(16)
    assert unit[: 0x1F * 16] != pattern_unit(6, FONT)[: 0x1F * 16]


def test_a_rom_of_patterns_numbers_all_its_pages() -> None:
    rom = pattern_rom(256 * 1024, FONT)
    assert [rom[page * 1024 + 0x1F0] for page in range(256)] == list(range(256))
