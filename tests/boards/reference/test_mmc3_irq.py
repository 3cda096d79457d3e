"""The IRQ of an MMC3: the counter, the filter before it, and what it sees of a picture."""

from __future__ import annotations

import pytest
from bench import CODE, IRQ_HANDLER, Bench
from mmc3_bench import CLI, DISABLE, ENABLE, LATCH, RELOAD, Mmc3

BACKGROUND_AT_1000, SPRITES_AT_1000, TALL_SPRITES = 0x10, 0x08, 0x20
PRE_RENDER = 261
LDA, STA = 0xAD, 0x8D


# --- The counter, clocked by $2006


def test_a_clock_reloads_at_0_and_counts_down_else() -> None:
    bench = Mmc3()
    bench.count_from(3)
    seen = []
    for _ in range(6):
        bench.clock()
        seen.append(bench.counter)
    assert seen == [3, 2, 1, 0, 3, 2]


def test_a_write_to_the_latch_waits_for_the_next_reload() -> None:
    bench = Mmc3()
    bench.count_from(2)
    bench.clock()
    bench.store(LATCH, 9)
    seen = []
    for _ in range(3):
        bench.clock()
        seen.append(bench.counter)
    assert seen == [1, 0, 9]


def test_c001_makes_the_counter_0_at_once_and_reloads_it_with_the_next_clock() -> None:
    bench = Mmc3()
    bench.count_from(7)
    bench.clock(2)
    bench.store(0xDFFF, 0x55)
    assert (bench.counter, bench.field("board_irq_reload")) == (0, 1)
    bench.clock()
    assert (bench.counter, bench.field("board_irq_reload")) == (7, 0)


def test_an_irq_comes_when_the_counter_gets_to_0_and_stays_until_e000() -> None:
    bench = Mmc3()
    bench.store(0xFFFF, 0)
    bench.count_from(2)
    seen = []
    for _ in range(4):
        bench.clock()
        seen.append(bench.irq)
    assert seen == [False, False, True, True]
    bench.store(0xFFFE, 0)
    assert not bench.irq
    bench.clock(3)  # the counter goes on, and is 0 once more
    assert not bench.irq


def test_enabling_after_the_counter_got_to_0_raises_nothing() -> None:
    bench = Mmc3()
    bench.count_from(1)
    bench.clock(2)
    assert bench.counter == 0
    bench.store(ENABLE, 0)
    assert not bench.irq


@pytest.mark.parametrize(("irq", "seen"), [("sharp", [True] * 4), ("nec", [True, False, False, False])])
def test_a_latch_of_0(irq: str, seen: list[bool]) -> None:
    bench = Mmc3(irq=irq)
    bench.count_from(0)
    for expected in seen:
        bench.store(DISABLE, 0)
        bench.store(ENABLE, 0)
        bench.clock()
        assert bench.irq == expected


@pytest.mark.parametrize(("irq", "again"), [("sharp", True), ("nec", False)])
def test_a_latch_that_becomes_0_while_the_counter_runs(irq: str, again: bool) -> None:
    bench = Mmc3(irq=irq)
    bench.store(ENABLE, 0)
    bench.count_from(1)
    bench.clock()
    bench.store(LATCH, 0)
    bench.clock()
    assert bench.irq
    bench.store(DISABLE, 0)
    bench.store(ENABLE, 0)
    bench.clock()
    assert bench.irq == again
    bench.store(DISABLE, 0)
    bench.store(ENABLE, 0)
    bench.store(RELOAD, 0)
    bench.clock()
    assert bench.irq


def test_the_cpu_takes_the_irq_and_only_with_i_clear() -> None:
    bench = Mmc3()
    bench.store(ENABLE, 0)
    bench.count_from(0)
    bench.clock()
    bench.run(0xEA, 0xEA, instructions=2)
    assert bench.console.cpu.pc == CODE + 2
    bench.run(CLI, 0xEA, 0xEA, instructions=3)
    assert bench.console.cpu.pc == IRQ_HANDLER


# --- What clocks it


def test_only_rises_of_bit_12_of_the_address_count() -> None:
    bench = Mmc3()
    bench.count_from(9)
    bench.clock()
    for address in (0x1FFF, 0x1000, 0x3FFF):  # it stays high
        bench.ppu_address(address)
    assert bench.counter == 9
    for address in (0x0000, 0x0FFF, 0x2FFF, 0x2000):  # and low
        bench.ppu_address(address)
    assert bench.counter == 9
    bench.ppu_address(0x3000)
    assert bench.counter == 8


def test_reads_and_writes_of_2007_move_the_address() -> None:
    bench = Mmc3()
    bench.count_from(9)
    bench.clock()
    bench.ppu_address(0x0FFF)
    bench.load(0x2007)
    bench.run(0xEA, 0xEA, instructions=2)
    assert bench.counter == 8
    bench.ppu_address(0x2FFF)
    bench.store(0x2007, 0)
    bench.run(0xEA, 0xEA, instructions=2)
    assert bench.counter == 7


def test_the_filter_counts_to_3_and_starts_again_when_a12_falls() -> None:
    bench = Mmc3()
    bench.ppu_address(0x1000)
    bench.run(0xEA, instructions=1)
    assert bench.field("board_a12_low_cycles") == 0
    bench.ppu_address(0x0000)
    bench.run(0xEA, 0xEA, 0xEA, instructions=3)
    assert bench.field("board_a12_low_cycles") == 3


@pytest.mark.parametrize(("low_cycles", "counts"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_rise_counts_after_three_falls_of_m2(low_cycles: int, counts: bool) -> None:
    bench = Mmc3()
    bench.count_from(9)
    bench.clock()
    bench.ppu_address(0x0000)
    # The second write to $2006 is under way, and arrives in the first dot of the next cycle.
    state = bench.console.state().copy()
    state["ppu_t"], state["ppu_address_delay"], state["board_a12_low_cycles"] = 0x1000, 1, low_cycles
    bench.console.load_state(state.tobytes())
    bench.run(0xEA, instructions=1)
    assert bench.counter == (8 if counts else 9)
    assert bench.field("board_a12_low_cycles") == 0


# --- Pictures


def test_one_clock_a_line_with_sprites_at_1000() -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(SPRITES_AT_1000)
    clocks = bench.clocks_of_a_frame()
    assert [clock.scanline for clock in clocks] == [PRE_RENDER, *range(240)]
    assert all(261 <= clock.dot < 270 for clock in clocks)


def test_one_clock_a_line_with_the_background_at_1000_and_one_more_before_them() -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(BACKGROUND_AT_1000)
    clocks = bench.clocks_of_a_frame()
    first = [clock for clock in clocks if clock.scanline == PRE_RENDER and clock.dot < 300]
    assert len(first) == 1
    assert 5 <= first[0].dot < 14  # not in dot 0, where the pins still show v
    others = [clock for clock in clocks if clock not in first]
    assert sorted(clock.scanline for clock in others) == [*range(240), PRE_RENDER]
    assert all(325 <= clock.dot < 334 for clock in others)


@pytest.mark.parametrize(
    ("control", "clocks"), [(0, 0), (BACKGROUND_AT_1000 | SPRITES_AT_1000, 1)], ids=["at $0000", "at $1000"]
)
def test_with_both_at_one_place_lines_do_not_count(control: int, clocks: int) -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(control)
    assert len(bench.clocks_of_a_frame()) == clocks


def test_tall_sprites_say_themselves_where_they_are() -> None:
    bench = Mmc3(chr_kib=8)
    bench.put_sprites([(100, tile, 0, 0) for tile in (1, 0, 3, 2, 5, 4, 7, 6)])
    bench.render(TALL_SPRITES)
    clocks = [clock.scanline for clock in bench.clocks_of_a_frame()]
    # Places that hold no sprite fetch tile $FF, which is at $1000. From one odd tile to the next but one A12 is low for
    # twelve dots, which the filter lets through.
    assert [clocks.count(line) for line in (99, 100, 115, 116, PRE_RENDER)] == [1, 4, 4, 1, 1]
    assert len(clocks) == 241 + 3 * 16


def test_after_the_picture_v_is_on_the_pins() -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(SPRITES_AT_1000, scroll=(0, 1))
    clocks = bench.clocks_of_a_frame()
    assert len(clocks) == 242
    extra = [clock for clock in clocks if clock.scanline == 240]
    assert len(extra) == 1
    assert 1 <= extra[0].dot < 10


def test_switching_rendering_off_shows_v_as_well() -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(0, scroll=(0, 1))
    while bench.field("ppu_scanline") != 100:
        bench.console.step_instruction()
    before, bit_12 = bench.counter, int(bench.field("ppu_v")) >> 12 & 1
    if not bit_12:
        while bench.field("ppu_scanline") != 101 or bench.field("ppu_dot") < 260:
            bench.console.step_instruction()
    bench.store(0x2001, 0)
    bench.run(0xEA, 0xEA, instructions=2)
    assert bench.field("ppu_address_bus") == int(bench.field("ppu_v")) & 0x3FFF
    assert bench.counter == before - 1


def test_the_cpu_samples_the_line_where_m2_falls() -> None:
    bench = Mmc3(chr_kib=8)
    bench.render(SPRITES_AT_1000)
    last_dots = 0
    for _ in range(12):
        bench.store(DISABLE, 0)
        bench.count_from(0)
        bench.store(ENABLE, 0)
        bench.sled()
        while not bench.irq:
            bench.console.step_instruction()
        # The rise is in dot 261. Where that is the last dot of a cycle, the next cycle samples it.
        is_last_dot = bench.field("ppu_dot") == 261
        last_dots += is_last_dot
        assert bench.field("cpu_irq_line") == (not is_last_dot)
    assert 0 < last_dots < 12


# --- State


def test_the_level_of_a12_is_that_of_the_address_in_a_snapshot() -> None:
    bench = Mmc3()
    bench.count_from(9)
    bench.clock()
    bench.change(ppu_address_bus=0x0000, board_a12_low_cycles=3)
    bench.ppu_address(0x1000)
    assert bench.counter == 8
    bench.change(ppu_address_bus=0x1000, board_a12_low_cycles=3)
    assert bench.field("board_a12_low_cycles") == 0
    bench.ppu_address(0x1001)
    assert bench.counter == 8


@pytest.mark.parametrize("control", [SPRITES_AT_1000, BACKGROUND_AT_1000, TALL_SPRITES])
def test_running_on_from_a_snapshot_is_running_on(control: int) -> None:
    bench, other = Mmc3(chr_kib=8), Mmc3(chr_kib=8)
    bench.put_sprites([(y, y, 0, y) for y in range(40, 200, 3)])
    bench.store(ENABLE, 0)
    bench.render(control)
    for _ in range(50):
        for _ in range(311):
            bench.console.step_instruction()
        other.console.load_state(bench.console.save_state())
        for console in (bench.console, other.console):
            for _ in range(200):
                console.step_instruction()
        assert other.console.save_state() == bench.console.save_state()


def test_an_irq_in_a_snapshot_of_a_board_without_one_reaches_no_cpu() -> None:
    bench = Bench(0)
    bench.change(board_irq=1)
    bench.run(CLI, 0xEA, 0xEA, instructions=3)
    assert bench.console.cpu.pc == CODE + 3
