"""The decaying data bus: https://www.nesdev.org/wiki/Open_bus_behavior#PPU_open_bus"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize("register", range(0x2000, 0x2008))
def test_every_write_drives_it_and_write_only_registers_read_it(bench: Any, register: int) -> None:
    accesses = [bench.write(245, 60, register, 0x5A)]
    accesses += [
        bench.read(245, 96 + 36 * step, reg) for step, reg in enumerate((0x2000, 0x2001, 0x2003, 0x2005, 0x3FF6))
    ]
    assert set(bench.run(accesses).reads) == {0x5A}


def test_a_palette_read_drives_six_bits(bench: Any) -> None:
    accesses = [bench.write(245, 60, 0x2002, 0xFF), bench.read(245, 90, 0x2007), bench.read(245, 120, 0x2000)]
    outcome = bench.run(accesses, ppu_v=0x3F01, ppu_palette=np.full(32, 0x15))
    assert outcome.reads == (0xD5, 0xD5)


@pytest.mark.parametrize(("frames", "expected"), [(35, 0xFF), (36, 0x00)])
def test_a_bit_falls_about_600_ms_after_it_was_driven(bench: Any, frames: int, expected: int) -> None:
    console = bench.run([bench.write(200, 60, 0x2002, 0xFF)]).console
    console.step(0, frames)
    assert console.peek(0x2000) == expected


def test_bits_age_one_by_one(bench: Any) -> None:
    """$2002 refreshes bits 7-5 only."""
    console = bench.run([bench.write(200, 60, 0x2002, 0xFF)]).console
    console.step(0, 20)
    state = console.state().copy()
    state[0]["ppu_open_bus_age"][5:] = 0
    console.load_state(state.tobytes())
    console.step(0, 16)
    assert console.peek(0x2000) == 0xE0
