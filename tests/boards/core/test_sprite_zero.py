"""Sprite-0 hits that are foretold, and then come elsewhere or not at all because windows have moved in between."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from board_pieces import store

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.cartridge.source import Source
from nesproof.suites.parity.program_pieces import Assembly
from nesproof.suites.parity.random_programs import assembled

PROGRAMS = 40
FRAMES = 5
_POLLS = 0x30


def _delay(code: Assembly, turns: int) -> None:
    """Five cycles a turn."""
    code.emit("LDX", "#", turns)
    code.emit("DEX")
    code.emit("BNE", "rel", -3)


def _fill_nametables(code: Assembly, page_of_tile: list[int]) -> None:
    """Where the board's latch chooses the page: each of one tile."""
    for tile, page in enumerate(page_of_tile):
        store(code, 0x8000, page)
        store(code, 0x2006, 0x20)
        store(code, 0x2006, 0x00)
        code.emit("LDA", "#", tile)
        code.emit("LDY", "#", 4)
        code.emit("LDX", "#", 0)
        code.emit("STA", "abs", 0x2007)
        code.emit("DEX")
        code.emit("BNE", "rel", -6)
        code.emit("DEY")
        code.emit("BNE", "rel", -9)


def _chr_rom(chance: random.Random) -> bytes:
    """Banks of 8 KiB: tile 0 is empty in the first, whole in the second, and has some rows in the others."""
    banks = [bytearray(0x2000) for _ in range(4)]
    for number, bank in enumerate(banks):
        bank[16 : 16 + 8] = b"\xff" * 8  # tile 1, of the sprite
        for row in range(8):
            bank[row] = 0xFF if number == 1 or (number > 1 and chance.random() < 0.3) else 0
    return b"".join(banks)


def _cartridge(mapper: int, values: list[int], chance: random.Random) -> Cartridge:
    """In each frame: a look at $2002 before the hit, another value in the latch, and looks until the hit is there."""
    code = Assembly(0x8000)
    for _ in range(2):
        code.emit("BIT", "abs", 0x2002)
        code.emit("BPL", "rel", -5)
    if mapper == 7:
        _fill_nametables(code, values)
    turns = [chance.randrange(1, 256) for _ in range(2 * chance.randrange(1, 4))]
    reached = 8 + 5 * sum(turns) // 114  # about the line in which the last value comes
    for at, value in enumerate((reached + chance.randrange(-6, 18), 1, 0, chance.randrange(256))):
        store(code, 0x0200 + at, value)
    frame = code.here
    code.emit("BIT", "abs", 0x2002)
    code.emit("BPL", "rel", -5)
    store(code, 0x4014, 0x02)
    store(code, 0x8000, chance.choice(values))
    for address, value in ((0x2005, 0), (0x2005, 0), (0x2000, 0), (0x2001, 0x1E)):
        store(code, address, value)
    for _ in range(2):  # out of vertical blank
        _delay(code, 0)
    for before, after in zip(turns[::2], turns[1::2], strict=True):
        _delay(code, before)
        if chance.random() < 0.8:
            code.emit("BIT", "abs", 0x2002)
        _delay(code, after)
        store(code, 0x8000, chance.choice(values))
    code.emit("LDX", "#", 0)
    code.emit("INX")
    code.emit("BEQ", "rel", 5)
    code.emit("BIT", "abs", 0x2002)
    code.emit("BVC", "rel", -8)
    code.emit("TXA")
    code.emit("LDY", "zp", 0x10)
    code.emit("STA", "abs,Y", _POLLS)
    code.emit("INC", "zp", 0x10)
    code.emit("JMP", "abs", frame)
    prg = bytearray(0x8000)
    made = code.bytes_with_calls()
    prg[: len(made)] = made
    prg[0x7FFA:] = b"\x00\x80" * 3
    nrom = Cartridge.from_source(Source("a program that waits for sprite 0", assembled([], cartridge=7)))
    return replace(
        nrom, prg_rom=bytes(prg), chr_rom=_chr_rom(chance), chr_ram_bytes=0, mapper=mapper, submapper=int(mapper == 3)
    )


@pytest.mark.parametrize("record", ["none", "last"])
@pytest.mark.parametrize(("mapper", "values"), [(3, [0, 1, 2, 3]), (7, [0x00, 0x10])])
def test_hits_follow_the_windows(mapper: int, values: list[int], record: str) -> None:
    polls = set()
    for number in range(PROGRAMS):
        image = _cartridge(mapper, values, random.Random(f"{mapper} {number}"))
        reference, core = Console(image, "reference"), Console(image, "core")
        for frame in range(FRAMES):
            reference.step(0)
            core.step(0, record=record)  # type: ignore[arg-type]
            assert np.array_equal(core.ram, reference.ram), f"program {number}, after frame {frame}"
            assert core.save_state() == reference.save_state(), f"program {number}, after frame {frame}"
            if record == "last":
                assert np.array_equal(core.frame, reference.frame), f"program {number}, the picture of frame {frame}"
        polls.update(core.ram[_POLLS : _POLLS + 3].tolist())
    assert len(polls) > 10, "hits come at many times, and sometimes do not"
