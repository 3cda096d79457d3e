"""PRG-RAM that is on or off by what the PPU fetches: SNROM, with CHR in banks of 4 KiB, polled line after line.

https://www.nesdev.org/wiki/MMC1
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from nesproof.emulator import Cartridge, Console

KIB = 1024
CONTENT = 0x9F
ON, OFF = 0x10, 0x11
"""Where the program counts reads that found PRG-RAM and reads that did not."""
LOAD = (0xAD, 0x00, 0x60)
"""LDA $6000."""
ASK_FOR_FLAGS = (0x2C, 0x02, 0x20)
"""BIT $2002, from which on the core foretells the PPU's flags and owes dots in which none of them rises."""


def serial(register: int, value: int) -> bytes:
    """A register of the MMC1, bit by bit."""
    code = bytearray([0xA9, value])
    for bit in range(5):
        code += bytes([0x8D, 0x00, register] + ([0x4A] if bit < 4 else []))
    return bytes(code)


def program(low: int, high: int, control: int, before: tuple[int, ...] = ()) -> bytes:
    """`low` and `high` go into CHR 0 and CHR 1; `control` into $2000. Then $6000 is polled for ever, each time after
    the instruction `before`."""
    code = bytearray([0x78, 0xA2, 0xFF, 0x9A])  # SEI, LDX #$FF, TXS
    code += bytes([0x2C, 0x02, 0x20, 0x10, 0xFB] * 2)  # BIT $2002, BPL: two frames
    code += serial(0x80, 0b11110) + serial(0xE0, 0) + serial(0xA0, 0) + serial(0xC0, 0)
    code += bytes([0xA9, CONTENT, 0x8D, 0x00, 0x60])
    code += bytes([0xA9, 0, 0x85, ON, 0x85, OFF])
    code += bytes([0xA9, control, 0x8D, 0x00, 0x20, 0xA9, 0x1E, 0x8D, 0x01, 0x20])
    code += serial(0xA0, low) + serial(0xC0, high)
    loop = len(code)
    code += bytes([*before, *LOAD, 0xC9, CONTENT, 0xD0, 5])  # CMP, BNE
    code += bytes([0xE6, ON, 0x4C, loop & 0xFF, 0xC0 | loop >> 8])
    code += bytes([0xE6, OFF, 0x4C, loop & 0xFF, 0xC0 | loop >> 8])
    return bytes(code)


def console(kind: str, code: bytes) -> Console:
    unit = code.ljust(16 * KIB - 6, b"\xea") + bytes([0x00, 0xC0] * 3)
    header = b"NES\x1a" + bytes([1, 0]) + bytes(10)
    nrom = Cartridge.load(header + unit)
    return Console(dataclasses.replace(nrom, mapper=1, prg_rom=unit * 2, prg_ram_bytes=8 * KIB), kind)


@pytest.mark.parametrize("control", [0x00, 0x08, 0x10, 0x18, 0x28])
@pytest.mark.parametrize(("low", "high"), [(0x00, 0x10), (0x10, 0x00)])
@pytest.mark.parametrize("before", [(), ASK_FOR_FLAGS])
def test_both_consoles_see_it_alike(low: int, high: int, control: int, before: tuple[int, ...]) -> None:
    code = program(low, high, control, before)
    reference, core = console("reference", code), console("core", code)
    for one in (reference, core):
        one.step(0, frames=5)
    for frame in range(4):
        for one in (reference, core):
            one.step(0)
        assert core.save_state() == reference.save_state(), f"after frame {frame}"
        assert np.array_equal(core.peek(np.arange(0x6000, 0x6010)), reference.peek(np.arange(0x6000, 0x6010)))
    expected = reference.trace(3000)
    assert np.array_equal(core.trace(3000), expected)


def a12_of_small_sprites(dot: int) -> bool:
    """Where sprites alone have the second table: their patterns are fetched in the last four dots of each eight."""
    return 257 <= dot <= 320 and (dot - 257) % 8 >= 4


@pytest.mark.parametrize("kind", ["reference", "core"])
def test_it_is_off_while_patterns_of_sprites_are_fetched(kind: str) -> None:
    code = program(0x00, 0x10, 0x08)
    one = console(kind, code)
    one.step(0, frames=5)
    trace = one.trace(20_000)
    polls = np.flatnonzero(trace["pc"][:-1] == 0xC000 + code.index(bytes(LOAD)))
    seen = {False: 0, True: 0}
    for poll in polls:
        dot = int(trace["dot"][poll]) + 11  # of the last of four cycles, two dots into it
        levels = {a12_of_small_sprites(near) for near in range(dot - 2, dot + 2)}
        if trace["scanline"][poll] >= 240 or dot > 338 or len(levels) == 2:
            continue
        (is_off,) = levels
        assert trace["a"][poll + 1] == (0x60 if is_off else CONTENT), (int(trace["scanline"][poll]), dot)
        seen[is_off] += 1
    assert seen[False] > 100
    assert seen[True] > 20
