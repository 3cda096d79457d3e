"""Pictures whose windows, patterns or nametables change on the way: the lines before keep what they saw."""

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

PROGRAMS = 4
FRAMES = 5
CYCLES_OF_A_PICTURE = 27_000
"""From the end of vertical blank's work to a little before the last line."""
CNROM, AXROM = 3, 7


def _delay(code: Assembly, cycles: int) -> None:
    """About so many cycles."""
    for turns in [255] * (cycles // 1275) + [cycles % 1275 // 5]:
        if turns:
            code.emit("LDX", "#", turns)
            code.emit("DEX")
            code.emit("BNE", "rel", -3)


def _write_video(code: Assembly, address: int, value: int) -> None:
    store(code, 0x2006, address >> 8)
    store(code, 0x2006, address & 0xFF)
    store(code, 0x2007, value)


def _fill_page(code: Assembly, chance: random.Random) -> None:
    """The nametable at $2000, with pages of tiles that follow each other."""
    store(code, 0x2006, 0x20)
    store(code, 0x2006, 0x00)
    code.emit("LDX", "#", chance.randrange(256))
    code.emit("LDY", "#", 4)
    code.emit("STX", "abs", 0x2007)
    code.emit("INX")
    code.emit("BNE", "rel", -6)
    code.emit("DEY")
    code.emit("BNE", "rel", -9)


def _move_windows(code: Assembly, chance: random.Random) -> None:
    store(code, 0x8000, chance.randrange(256))
    if chance.random() < 0.3:
        store(code, 0x8000, chance.randrange(256))  # again before the next line


def _change_memory(code: Assembly, chance: random.Random) -> None:
    """Behind a blanked part of the picture: patterns, nametables, attributes or colours."""
    store(code, 0x2001, 0)
    for _ in range(chance.randrange(1, 4)):
        _write_video(
            code, chance.choice((0x0000, 0x2000, 0x23C0, 0x3F00)) | chance.randrange(64), chance.randrange(256)
        )
    store(code, 0x2006, chance.randrange(0x20, 0x24))
    store(code, 0x2006, chance.randrange(256))
    store(code, 0x2001, 0x1E)


CHANGES = {"windows": _move_windows, "memory": _change_memory}


def _cartridge(mapper: int, changes: str, count: int, chance: random.Random) -> Cartridge:
    """A picture that changes `count` times a frame, each time a little later than the frame before."""
    code = Assembly(0x8000)
    for _ in range(2):
        code.emit("BIT", "abs", 0x2002)
        code.emit("BPL", "rel", -5)
    for page in (0x00, 0x10):
        store(code, 0x8000, page)
        _fill_page(code, chance)
    for entry in range(32):
        _write_video(code, 0x3F00 + entry, chance.randrange(64))
    for at in range(256):
        store(code, 0x0200 + at, chance.randrange(256))
    frame = code.here
    code.emit("BIT", "abs", 0x2002)
    code.emit("BPL", "rel", -5)
    store(code, 0x4014, 0x02)
    for address, value in (
        (0x2005, chance.randrange(256)),
        (0x2005, chance.randrange(240)),
        (0x2000, 8),
        (0x2001, 0x1E),
    ):
        store(code, address, value)
    _delay(code, 1_900 + chance.randrange(300))
    for _ in range(count):
        CHANGES[changes](code, chance)
        _delay(code, CYCLES_OF_A_PICTURE // count + chance.randrange(-20, 20) - (60 if count > 100 else 0))
    code.emit("JMP", "abs", frame)
    prg = bytearray(0x8000)
    made = code.bytes_with_calls()
    prg[: len(made)] = made
    prg[0x7FFA:] = b"\x00\x80" * 3
    nrom = Cartridge.from_source(Source("a program that changes its picture", assembled([], cartridge=7)))
    patterns = chance.randbytes(0x8000)
    sizes = {"chr_rom": b"", "chr_ram_bytes": 0x2000} if mapper == AXROM else {"chr_rom": patterns, "chr_ram_bytes": 0}
    return replace(nrom, prg_rom=bytes(prg), mapper=mapper, submapper=1, **sizes)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 3, 7, 8, 9, 30, 150])
@pytest.mark.parametrize(("mapper", "changes"), [(CNROM, "windows"), (AXROM, "windows"), (AXROM, "memory")])
def test_lines_keep_what_they_saw(mapper: int, changes: str, count: int) -> None:
    seen = set()
    for number in range(PROGRAMS):
        image = _cartridge(mapper, changes, count, random.Random(f"{mapper} {changes} {count} {number}"))
        reference, core = Console(image, "reference"), Console(image, "core")
        for frame in range(FRAMES):
            reference.step(0)
            core.step(0)
            where = f"program {number}, frame {frame}"
            assert core.save_state() == reference.save_state(), where
            assert np.array_equal(core.frame_emphasis, reference.frame_emphasis), where
        seen.add(core.frame.tobytes())
    assert len(seen) == PROGRAMS, "each program shows another picture"
