"""PPUDATA and PPUADDR: https://www.nesdev.org/wiki/PPU_registers#PPUDATA"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SCREEN = np.arange(2048).astype(np.uint8)
CHR = (np.arange(8192) * 7 >> 3).astype(np.uint8)


def at(bench: Any, *steps: tuple[int, int | None]) -> list[Any]:
    """Accesses in vertical blank, 36 dots apart: (register, value or None)."""
    return [
        bench.read(245, 60 + 36 * step, register)
        if value is None
        else bench.write(245, 60 + 36 * step, register, value)
        for step, (register, value) in enumerate(steps)
    ]


def test_reads_come_one_late_and_v_moves(bench: Any) -> None:
    accesses = at(bench, *[(0x2007, None)] * 4)
    outcome = bench.run(accesses, ppu_v=0x2345, cartridge_nametables=SCREEN, ppu_read_buffer=0x99)
    assert outcome.reads == (0x99, 0x45, 0x46, 0x47)
    assert outcome.state("ppu_v") == 0x2349


def test_reads_of_the_pattern_tables(bench: Any) -> None:
    outcome = bench.run(at(bench, *[(0x2007, None)] * 3), ppu_v=0x1234, chr_rom=CHR.tobytes())
    assert outcome.reads[1:] == (CHR[0x1234], CHR[0x1235])


@pytest.mark.parametrize("step", [1, 32])
def test_the_step_is_1_or_32_and_wraps_at_15_bits(bench: Any, step: int) -> None:
    accesses = at(bench, (0x2007, 0x11), (0x2007, 0x22))
    outcome = bench.run(accesses, ppu_v=0x7FFF, ppu_control=0x04 if step == 32 else 0)
    assert outcome.state("ppu_v") == (0x7FFF + 2 * step) & 0x7FFF


def test_writes_reach_nametables_through_the_mirrors_and_not_chr_rom(bench: Any) -> None:
    accesses = at(bench, (0x2007, 0xAB), (0x2006, 0x10), (0x2006, 0x00), (0x2007, 0xCD), (0x2007, None), (0x2007, None))
    outcome = bench.run(accesses, ppu_v=0x3C05, chr_rom=CHR.tobytes())
    assert outcome.state("cartridge_nametables")[0x405] == 0xAB  # vertical mirroring: $3C05 is $2C05 is $2405
    assert outcome.reads[1] == CHR[0x1001]


@pytest.mark.parametrize("address", [0x3F00, 0x3F0F, 0x3F1D, 0x3FE5])
def test_palette_reads_come_at_once_and_the_buffer_gets_the_nametable_under_it(bench: Any, address: int) -> None:
    palette = (np.arange(32) | 0x20).astype(np.uint8)
    accesses = at(bench, (0x2002, 0xC0), (0x2007, None), (0x2006, 0x20), (0x2006, 0x00), (0x2007, None))
    outcome = bench.run(accesses, ppu_v=address, ppu_palette=palette, cartridge_nametables=SCREEN)
    assert outcome.reads == (0xC0 | palette[address & 0x1F], SCREEN[address & 0x7FF])


def test_palette_entries_have_six_bits_and_four_mirrors(bench: Any) -> None:
    for index in range(32):
        outcome = bench.run(at(bench, (0x2007, 0xFF)), ppu_v=0x3F00 | index, ppu_palette=np.zeros(32, np.uint8))
        mirrors = {index, index ^ 0x10} if index % 4 == 0 else {index}
        assert {*np.flatnonzero(outcome.state("ppu_palette"))} == mirrors
        assert outcome.state("ppu_palette").max() == 0x3F


def test_greyscale_masks_what_is_read_of_the_palette(bench: Any) -> None:
    outcome = bench.run(
        at(bench, (0x2002, 0), (0x2007, None)), ppu_v=0x3F01, ppu_palette=np.full(32, 0x2A), ppu_mask=0x01
    )
    assert outcome.reads == (0x20,)


def test_a_read_in_the_next_cycle_gets_the_old_byte_but_fetches_too(bench: Any) -> None:
    """LDA $20F7,X with X = $10 reads $2007 twice in a row: as one of the answers of double_2007_read has it."""
    code = bytes([0xA2, 0x10, 0xBD, 0xF7, 0x20, 0x85, 0x20, 0xAD, 0x07, 0x20, 0x85, 0x21])
    outcome = bench.run(start=(245, 0), ppu_v=0x2005, cartridge_nametables=SCREEN, ppu_read_buffer=0x99)
    console = outcome.console
    for offset, byte in enumerate(code):
        console.poke(0x300 + offset, byte)
    state = console.state().copy()
    state[0]["cpu_pc"] = 0x300
    console.load_state(state.tobytes())
    for _ in range(5):
        console.step_instruction()
    assert [console.peek(0x20), console.peek(0x21)] == [0x99, 0x06]
    assert console.ppu.v == 0x2008


def test_an_access_while_rendering_moves_v_right_and_down(bench: Any) -> None:
    plain = bench.run(start=(100, 0), run_to=(100, 100), ppu_mask=0x18, ppu_v=0x2000, ppu_t=0)
    moved = bench.run([bench.read(100, 51, 0x2007)], start=(100, 0), run_to=(100, 100), ppu_mask=0x18, ppu_v=0x2000)
    assert moved.state("ppu_v") - plain.state("ppu_v") == 0x1001


def test_v_takes_t_three_dots_after_the_second_write(bench: Any) -> None:
    """Seen on the screen: with rendering off, the palette entry that v points at is shown. Dot 103 draws x = 102."""
    write = bench.write(100, 100, 0x2006, 0x05)
    fields = {"ppu_t": 0x3F00, "ppu_w": 1, "ppu_mask": 0, "ppu_palette": np.arange(32)}
    outcome = bench.run([write], run_to=(101, 0), start=(99, 0), **fields)
    assert outcome.console.frame[100].tolist() == [0] * 102 + [5] * 154
    assert (outcome.state("ppu_v"), outcome.state("ppu_w")) == (0x3F05, 0)
