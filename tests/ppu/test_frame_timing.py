"""The length of a frame, the skipped dot, power-on and reset: https://www.nesdev.org/wiki/PPU_frame_timing"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

FRAME = 262 * 341


@pytest.mark.parametrize(
    ("odd", "mask", "skipped"), [(0, 0x18, 0), (1, 0x18, 1), (1, 0x08, 1), (1, 0x10, 1), (1, 0x06, 0)]
)
def test_an_odd_frame_with_rendering_skips_a_dot(bench: Any, odd: int, mask: int, skipped: int) -> None:
    outcome = bench.run(start=(261, 300), run_to=(261, 306), ppu_odd_frame=odd, ppu_mask=mask)
    console = outcome.console
    start = console.ppu.dot
    cycle = console.cpu.cycle
    while console.ppu.scanline == 261:
        console.step_instruction()
    passed = (console.cpu.cycle - cycle) * 3
    assert passed - (341 - start) - console.ppu.dot == -skipped
    assert console.state()[0]["ppu_odd_frame"] == 1 - odd


@pytest.mark.parametrize(("dot", "skipped"), [(336, 1), (337, 1), (338, 1), (339, 0)])
def test_the_skip_needs_rendering_when_it_happens(bench: Any, dot: int, skipped: int) -> None:
    """For the skip PPUMASK takes a dot: a write at 338 is there at 339, from where the skip leaves."""
    outcome = bench.run([bench.write(261, dot, 0x2001, 0x08)], run_to=(262, 30), start=(260, 0), ppu_odd_frame=1)
    reference = bench.run([bench.write(261, dot, 0x2001, 0x08)], run_to=(262, 30), start=(260, 0), ppu_odd_frame=0)
    assert (outcome.console.ppu.dot - reference.console.ppu.dot) == skipped


def test_power_on(bench: Any) -> None:
    console = bench.run().console
    console.power_on(0x55)
    view = console.ppu
    assert (view.scanline, view.dot, view.control, view.mask, view.status, view.v, view.t) == (0, 0, 0, 0, 0, 0, 0)
    assert view.palette[:8].tolist() == [0x09, 0x01, 0x00, 0x01, 0x00, 0x02, 0x02, 0x0D]
    assert console.state()[0]["ppu_warming_up"] == 1


@pytest.mark.parametrize(
    ("register", "field"), [(0x2000, "ppu_control"), (0x2001, "ppu_mask"), (0x2005, "ppu_t"), (0x2006, "ppu_w")]
)
def test_four_registers_ignore_writes_until_the_first_pre_render_line(bench: Any, register: int, field: str) -> None:
    early = bench.run([bench.write(260, 300, register, 0x18)], ppu_warming_up=1)
    late = bench.run([bench.write(261, 2, register, 0x18)], ppu_warming_up=1)
    assert early.state(field) == 0
    assert early.state("ppu_open_bus") == 0x18
    assert late.state(field) != 0


def test_reset_keeps_memories_and_starts_the_picture_over(bench: Any) -> None:
    oam = np.arange(256).astype(np.uint8) & 0xE3
    console = bench.run(start=(100, 0), ppu_oam=oam, ppu_control=0x80, ppu_mask=0x1E, ppu_v=0x1234, ppu_w=1).console
    palette = console.ppu.palette.copy()
    console.press_reset()
    view = console.ppu
    assert (view.control, view.mask, view.w, view.scanline) == (0, 0, 0, 0)
    assert (view.oam == oam).all()
    assert (view.palette == palette).all()


def test_frames_are_29780_and_two_thirds_cycles_with_rendering_off(bench: Any) -> None:
    console = bench.run(start=(241, 10)).console
    cycle = console.cpu.cycle
    console.step(0, 300)
    assert console.frame_count >= 300
    assert abs((console.cpu.cycle - cycle) * 3 - 300 * FRAME) < 40


def test_two_frames_are_a_dot_shorter_with_rendering_on(bench: Any) -> None:
    console = bench.run(start=(241, 10), ppu_mask=0x18).console
    cycle = console.cpu.cycle
    console.step(0, 300)
    assert abs((console.cpu.cycle - cycle) * 3 - (300 * FRAME - 150)) < 40
