"""Where the PPU sees which nametable: asked of the console's own reads, board by board."""

from __future__ import annotations

import pytest

from nesproof.emulator import Cartridge, Console

ONE_SCREENS = {0: (0, 0, 0, 0), 1: (1, 1, 1, 1)}
VERTICAL, HORIZONTAL = (0, 1, 0, 1), (0, 0, 1, 1)


def program(writes: list[tuple[int, int]], *, mapper: int, submapper: int = 0, flags6: int = 0) -> bytes:
    """A cartridge that makes these writes, then a mark in each nametable, $2000 last, and reads the four of them back
    into $00 to $03.

    Every bank of PRG-ROM holds the program, so that it goes on wherever the banks go.
    """
    code = bytearray(b"\x78\xd8")  # SEI, CLD
    for _ in range(3):  # until the PPU takes writes
        code += b"\x2c\x02\x20\x10\xfb"
    for address, value in writes:
        code += bytes([0xA9, value, 0x8D, address & 0xFF, address >> 8])
    for page in (3, 2, 1, 0):
        code += bytes([0xA9, 0x20 | page << 2, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20])
        code += bytes([0xA9, 0x40 | page, 0x8D, 0x07, 0x20])
    for page in range(4):
        code += bytes([0xA9, 0x20 | page << 2, 0x8D, 0x06, 0x20, 0xA9, 0x00, 0x8D, 0x06, 0x20])
        code += bytes([0xAD, 0x07, 0x20, 0xAD, 0x07, 0x20, 0x85, page])
    code += b"\xa9\x01\x85\x04"
    start = 0xFE00
    assert len(code) < 0x1F0
    code += bytes([0x4C, (start + len(code)) & 0xFF, (start + len(code)) >> 8])
    bank = bytes(0x1E00) + bytes(code).ljust(0x1FA, b"\xff") + bytes([0, 0xFE, 0, 0xFE, 0, 0xFE])
    assert len(bank) == 0x2000
    header = bytes(
        [*b"NES\x1a", 2, 1, flags6 | mapper << 4 & 0xF0, mapper & 0xF0 | 8, submapper << 4, 0, 7, 0, 0, 0, 0, 0]
    )
    return header + bank * 4 + bytes(0x2000)


def serial(address: int, value: int) -> list[tuple[int, int]]:
    """Five writes to the MMC1's port."""
    return [(address, value >> bit & 1) for bit in range(5)]


CASES = [
    ({"mapper": 0}, [], HORIZONTAL),
    ({"mapper": 0, "flags6": 1}, [], VERTICAL),
    ({"mapper": 0, "flags6": 8}, [], (0, 1, 2, 3)),
    ({"mapper": 1}, [], ONE_SCREENS[0]),
    ({"mapper": 1}, serial(0x8000, 0x0D), ONE_SCREENS[1]),
    ({"mapper": 1}, serial(0x8000, 0x0E), VERTICAL),
    ({"mapper": 1}, serial(0x8000, 0x0F), HORIZONTAL),
    ({"mapper": 1, "flags6": 8}, serial(0x8000, 0x0F), (0, 1, 2, 3)),
    ({"mapper": 2, "flags6": 1}, [], VERTICAL),
    ({"mapper": 4, "flags6": 1}, [], VERTICAL),
    ({"mapper": 4}, [], HORIZONTAL),
    ({"mapper": 4}, [(0xA000, 0)], VERTICAL),
    ({"mapper": 4, "flags6": 1}, [(0xA000, 1)], HORIZONTAL),
    ({"mapper": 4, "flags6": 8}, [(0xA000, 1)], (0, 1, 2, 3)),
    ({"mapper": 7, "flags6": 1}, [], ONE_SCREENS[0]),
    ({"mapper": 7, "submapper": 1}, [(0x8000, 0x10)], ONE_SCREENS[1]),
    ({"mapper": 11}, [], HORIZONTAL),
    ({"mapper": 66, "flags6": 1}, [], VERTICAL),
    ({"mapper": 71}, [(0x9000, 0x10)], HORIZONTAL),
    ({"mapper": 71, "submapper": 1}, [(0x9000, 0x10)], ONE_SCREENS[1]),
    ({"mapper": 71, "submapper": 1}, [(0x9000, 0x00)], ONE_SCREENS[0]),
]


@pytest.mark.parametrize("kind", ["reference", "core"])
@pytest.mark.parametrize(("board", "writes", "pages"), CASES)
def test_nametables_are_where_the_ppu_reads_them(kind, board, writes, pages):
    cartridge = Cartridge.load(program(writes, **board))
    console = Console(cartridge, kind)
    console.step(0, 8)
    assert console.ram[4] == 1
    # What was written last to a page is what all windows on it read.
    marks = [0x40 | pages.index(page) for page in pages]
    assert console.ram[:4].tolist() == marks
    seen = console.nametables()
    assert (seen.dtype, seen.shape) == ("uint8", (4, 1024))
    assert seen[:, 0].tolist() == marks
    memory = console.state()["cartridge_nametables"][0].reshape(-1, 1024)
    assert (seen == memory[list(pages)]).all()
