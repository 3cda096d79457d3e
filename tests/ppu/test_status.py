"""PPUSTATUS: when its flags change, what a read does, and the NMI that hangs on it.

Facts: https://www.nesdev.org/wiki/PPU_frame_timing and the hardware tests ppu_vbl_nmi and AccuracyCoin. A read samples
the vblank flag nearly two dots before everything else, so for the CPU it changes at dot 2, the others at dot 1.
"""

from __future__ import annotations

from typing import Any

import pytest

VBLANK, HIT, OVERFLOW = 0x80, 0x40, 0x20


@pytest.mark.parametrize(("dot", "first", "later"), [(0, 0, VBLANK), (1, 0, 0), (2, VBLANK, 0), (3, VBLANK, 0)])
def test_vblank_rises_at_dot_2_unless_a_read_came_the_dot_before(bench: Any, dot: int, first: int, later: int) -> None:
    outcome = bench.run([bench.read(241, dot, 0x2002), bench.read(241, dot + 30, 0x2002)])
    assert [value & VBLANK for value in outcome.reads] == [first, later]


@pytest.mark.parametrize(("dot", "interrupts"), [(0, 1), (1, 0), (2, 0), (3, 0), (4, 1), (5, 1)])
def test_a_read_within_two_dots_of_vblank_takes_the_nmi_away(bench: Any, dot: int, interrupts: int) -> None:
    outcome = bench.run([bench.read(241, dot, 0x2002)], run_to=(242, 0), ppu_control=0x80)
    assert outcome.interrupts == interrupts


@pytest.mark.parametrize(
    ("dot", "expected"),
    [(0, VBLANK | HIT | OVERFLOW), (1, VBLANK), (2, 0)],
)
def test_flags_fall_on_the_pre_render_line(bench: Any, dot: int, expected: int) -> None:
    flags = {"ppu_vblank": 1, "ppu_sprite_zero_hit": 1, "ppu_sprite_overflow": 1}
    assert bench.run([bench.read(261, dot, 0x2002)], **flags).reads[0] & 0xE0 == expected


def test_a_read_clears_vblank_and_w_but_not_the_sprite_flags(bench: Any) -> None:
    flags = {"ppu_vblank": 1, "ppu_sprite_zero_hit": 1, "ppu_sprite_overflow": 1, "ppu_w": 1}
    outcome = bench.run([bench.read(250, 100, 0x2002), bench.read(250, 130, 0x2002)], **flags)
    assert [value & 0xE0 for value in outcome.reads] == [0xE0, 0x60]
    assert outcome.state("ppu_w") == 0


def test_enabling_nmi_during_vblank_raises_it_each_time(bench: Any) -> None:
    writes = [bench.write(245, 30 * step, 0x2000, value) for step, value in enumerate((0x80, 0x00, 0x80, 0x80), 1)]
    assert bench.run(writes, run_to=(246, 0), ppu_vblank=1).interrupts == 2


def test_no_nmi_without_the_flag(bench: Any) -> None:
    assert bench.run([bench.write(245, 30, 0x2000, 0x80)], start=(243, 0), run_to=(246, 0)).interrupts == 0
    assert bench.run([bench.write(241, 30, 0x2000, 0x00)], run_to=(243, 0), ppu_control=0x00).interrupts == 0


def test_status_bits_4_to_0_are_open_bus(bench: Any) -> None:
    outcome = bench.run([bench.write(250, 60, 0x2002, 0xFF), bench.read(250, 90, 0x2002), bench.read(250, 120, 0x2000)])
    assert outcome.reads == (0x1F, 0x1F)  # the read drives 0 into bits 7-5 and leaves the rest
