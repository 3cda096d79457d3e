"""The sound unit as a program sees it: length counters, the frame counter's clocks and IRQ, the DMC's status."""

from __future__ import annotations

import pytest
from programs import console

from nesproof.emulator import Console

NOP = 0xEA
LENGTHS = [
    *(10, 254, 20, 2, 40, 4, 80, 6, 160, 8, 60, 10, 14, 12, 26, 14),
    *(12, 16, 24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30),
]


def write(machine: Console, address: int, value: int) -> None:
    """LDA #value, STA address, from RAM."""
    code = [0xA9, value, 0x8D, address & 0xFF, address >> 8]
    machine.ram[0x300:0x305] = code
    machine.trace(0, start=0x300)
    machine.step_instruction()
    machine.step_instruction()


def read(machine: Console, address: int) -> int:
    machine.ram[0x300:0x303] = [0xAD, address & 0xFF, address >> 8]
    machine.trace(0, start=0x300)
    machine.step_instruction()
    return machine.cpu.a


def wait(machine: Console, cycles: int) -> None:
    """Exactly that many cycles, two at least other than one."""
    machine.ram[0x310:0x313] = [0xA5, 0x00, NOP]
    if cycles % 2:
        machine.trace(0, start=0x310)
        machine.step_instruction()
        cycles -= 3
    machine.trace(0, start=0xC000)
    while cycles:
        if machine.cpu.pc > 0xF000:
            machine.trace(0, start=0xC000)
        machine.step_instruction()
        cycles -= 2


@pytest.fixture
def machine() -> Console:
    made = console()
    write(made, 0x4017, 0x40)
    write(made, 0x4015, 0x0F)
    return made


@pytest.mark.parametrize("index", range(32))
def test_length_table(machine: Console, index: int) -> None:
    write(machine, 0x4003, index << 3)
    assert read(machine, 0x4015) & 1
    assert machine.state()[0]["apu_pulse1_length"] == LENGTHS[index]


def test_a_write_of_80_to_4017_clocks_the_length_counters(machine: Console) -> None:
    write(machine, 0x4003, 3 << 3)  # 2
    write(machine, 0x4017, 0x80)
    wait(machine, 4)
    assert read(machine, 0x4015) & 1
    write(machine, 0x4017, 0x80)
    wait(machine, 4)
    assert not read(machine, 0x4015) & 1


def test_a_halted_counter_stands(machine: Console) -> None:
    write(machine, 0x4000, 0x20)
    write(machine, 0x4003, 3 << 3)
    for _ in range(3):
        write(machine, 0x4017, 0x80)
        wait(machine, 4)
    assert machine.state()[0]["apu_pulse1_length"] == 2


def test_a_disabled_channel_takes_no_length(machine: Console) -> None:
    write(machine, 0x4015, 0)
    write(machine, 0x4003, 0)
    write(machine, 0x4015, 1)
    assert read(machine, 0x4015) & 1 == 0


def align_to(machine: Console, *, get: bool) -> None:
    """The next store's write (six cycles on) falls in a get or a put cycle."""
    if bool(machine.state()[0]["apu_is_get"]) != get:
        wait(machine, 3)


@pytest.mark.parametrize(("get", "delay"), [(False, 3), (True, 4)])
def test_the_first_half_frame_comes_14913_cycles_after_the_reset_of_the_sequence(
    machine: Console, get: bool, delay: int
) -> None:
    for early in (True, False):
        align_to(machine, get=get)
        write(machine, 0x4003, 3 << 3)
        write(machine, 0x4017, 0x80)
        wait(machine, 4)
        align_to(machine, get=get)
        write(machine, 0x4017, 0x40)
        # LDA $4015 reads in its fourth cycle.
        wait(machine, delay + 14913 - 4 - early)
        assert read(machine, 0x4015) & 1 == early


@pytest.mark.parametrize(("get", "delay"), [(False, 3), (True, 4)])
@pytest.mark.parametrize("inhibited", [False, True])
def test_the_irq_flag_rises_for_three_cycles_and_inhibited_shows_for_two(
    machine: Console, get: bool, delay: int, inhibited: bool
) -> None:
    shown = []
    for after in (29827, 29828, 29829, 29830):
        align_to(machine, get=get)
        write(machine, 0x4017, 0x40 if inhibited else 0x00)
        wait(machine, delay + after - 4)
        shown.append(bool(read(machine, 0x4015) & 0x40))
        assert not (inhibited and machine.state()[0]["cpu_irq_line"])
        wait(machine, 10)
        write(machine, 0x4017, 0x40)
    assert shown == [False, True, True, not inhibited]


@pytest.mark.parametrize(("get", "second"), [(False, 0x00), (True, 0x40)])
def test_reading_4015_clears_the_irq_flag_when_the_next_get_cycle_begins(
    machine: Console, get: bool, second: int
) -> None:
    write(machine, 0x4017, 0x00)
    wait(machine, 30000)
    # LDA $4015,X reads twice in a row with X = 0 where a page is crossed; SLO does always.
    machine.ram[0x300:0x305] = [0xA2, 0x00, 0x1F, 0x15, 0x40]
    if bool(machine.state()[0]["apu_is_get"]) != get:
        wait(machine, 3)
    machine.trace(0, start=0x300)
    machine.step_instruction()
    machine.step_instruction()
    # The first read comes in SLO's fourth cycle, the sixth from here: of the kind that the cycle before here has.
    assert machine.cpu.a & 0x80 == second << 1


def test_dmc_status_and_irq(machine: Console) -> None:
    write(machine, 0x4010, 0x8F)
    write(machine, 0x4013, 0)
    write(machine, 0x4015, 0x10)
    wait(machine, 20)
    assert read(machine, 0x4015) & 0x90 == 0x80  # one byte, fetched at once
    write(machine, 0x4010, 0x0F)
    assert read(machine, 0x4015) & 0x80 == 0


def test_a_sample_wraps_to_8000(machine: Console) -> None:
    state = machine.state().copy()
    state["apu_dmc_address"] = 0xFFFF
    state["apu_dmc_bytes_remaining"] = 5
    state["apu_dmc_timer"] = 0
    state["apu_dmc_bits_remaining"] = 1
    state["apu_dmc_buffer_full"] = 1
    state["apu_dmc_stop_delay"] = 0
    machine.load_state(state.tobytes())
    wait(machine, 20)
    assert machine.state()[0]["apu_dmc_address"] == 0x8000


def test_reset_silences_the_channels_and_keeps_the_mode() -> None:
    machine = console()
    write(machine, 0x4017, 0xC0)
    write(machine, 0x4015, 0x0F)
    write(machine, 0x4000, 0x30)
    write(machine, 0x4008, 0x80)
    write(machine, 0x4003, 0)
    machine.press_reset()
    machine.step_instruction()
    row = machine.state()[0]
    assert row["apu_pulse1_length_halt"] == 0
    assert row["apu_triangle_length_halt"] == 1
    assert row["apu_pulse1_length"] == 0
    assert row["apu_pulse1_enabled"] == 0
    assert row["apu_frame_five_steps"] == 1
    machine.power_on()
    assert machine.state()[0]["apu_frame_five_steps"] == 0
