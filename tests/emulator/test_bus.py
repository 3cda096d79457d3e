"""The CPU's bus: mirrors, open bus, and the controllers' ports."""

from __future__ import annotations

import pytest
from programs import console

from nesproof.emulator import Console

LDA, LDA_X, LDX, STA, SLO_X, NOP = 0xAD, 0xBD, 0xA2, 0x8D, 0x1F, 0xEA


def run(machine: Console, code: list[int], instructions: int) -> Console:
    machine.ram[0x300 : 0x300 + len(code) + 8] = code + [NOP] * 8
    machine.trace(0, start=0x300)
    for _ in range(instructions):
        machine.step_instruction()
    return machine


def word(address: int) -> list[int]:
    return [address & 0xFF, address >> 8]


def test_ram_appears_four_times() -> None:
    machine = console()
    run(machine, [0xA9, 0x5A, STA, *word(0x1823)], 2)
    assert machine.ram[0x23] == 0x5A
    assert [machine.peek(0x23 + mirror) for mirror in (0, 0x800, 0x1000, 0x1800)] == [0x5A] * 4


def test_nothing_reads_as_the_operands_high_byte() -> None:
    machine = console()
    assert run(machine, [LDA, *word(0x5000)], 1).cpu.a == 0x50
    # The high byte of the sum never was on the bus.
    assert run(machine, [LDX, 0x10, LDA_X, *word(0x50F8)], 2).cpu.a == 0x50


def test_4015_is_not_on_the_external_bus() -> None:
    machine = console()
    # The dummy read at $4015 + 3 - ... : SLO $4015,X with X = 3 reads $4018 twice; with X = 0 reads $4015 twice.
    run(machine, [0xA9, 0x00, LDX, 0x00, LDA_X, *word(0x4015), LDA, *word(0x4018)], 4)
    assert machine.cpu.a == 0x40


def test_bit_5_of_4015_is_what_the_internal_bus_had() -> None:
    machine = console()
    run(machine, [0xA9, 0x40, STA, *word(0x4017), LDA, *word(0x4015)], 3)
    assert machine.cpu.a & 0x20 == 0  # the operand's $40
    run(machine, [0xA9, 0x20, STA, *word(0x2002), LDX, 0x16, LDA_X, *word(0x3FFF)], 4)
    assert machine.cpu.a & 0x20  # the dummy read at $3F15 had bit 5 of the PPU's open bus


def test_prg_ram_is_at_6000_and_writing_rom_does_nothing() -> None:
    machine = console()
    run(machine, [0xA9, 0x77, STA, *word(0x6123), STA, *word(0xC123)], 3)
    assert (machine.peek(0x6123), machine.peek(0xC123)) == (0x77, NOP)


def test_16_kib_of_prg_rom_appear_twice() -> None:
    machine = console(bytes([1, 2, 3]))
    assert [machine.peek(at) for at in (0x8000, 0x8002, 0xC000, 0xC002)] == [1, 3, 1, 3]


# --- Controllers

STROBE = [0xA9, 0x01, STA, *word(0x4016), 0xA9, 0x00, STA, *word(0x4016)]


@pytest.mark.parametrize("port", [0, 1])
def test_a_controller_shifts_out_its_buttons_and_then_ones(port: int) -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    held = 0b10110010
    machine.step((held, 0) if port == 0 else (0, held))
    run(machine, STROBE, 4)
    bits = []
    for _ in range(10):
        run(machine, [LDA, *word(0x4016 + port)], 1)
        assert machine.cpu.a & 0xFE == 0x40
        bits.append(machine.cpu.a & 1)
    assert bits == [held >> bit & 1 for bit in range(8)] + [1, 1]


def test_the_strobe_holds_the_first_button() -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    machine.step(0x01)
    run(machine, STROBE[:5], 2)
    for _ in range(3):
        assert run(machine, [LDA, *word(0x4016)], 1).cpu.a & 1 == 1


def test_reads_in_adjacent_cycles_clock_a_controller_once() -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    machine.step(0b00000010)  # B
    run(machine, STROBE, 4)
    run(machine, [LDX, 0x00, LDA_X, *word(0x4016)], 2)  # one read: A
    run(machine, STROBE, 4)
    # SLO $4016,X reads twice in a row (and writes, with the strobe bit clear).
    run(machine, [LDX, 0x00, SLO_X, *word(0x4016)], 2)
    assert run(machine, [LDA, *word(0x4016)], 1).cpu.a & 1 == 1  # B: A was clocked once


@pytest.mark.parametrize("wait", [0, 3])
def test_a_strobe_of_one_cycle_counts_where_a_put_cycle_begins(wait: int) -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    machine.step(0x00)
    run(machine, STROBE, 4)
    for _ in range(8):
        run(machine, [LDA, *word(0x4016)], 1)
    machine.step(0x00)
    # OAM DMA ends with a put cycle; DEC writes $41 in a get cycle without the wait, in a put cycle with it.
    code = [0xA9, 0x02, STA, *word(0x4014), *([0xA5, 0x00] if wait else []), 0xCE, *word(0x4016)]
    run(machine, code, 4 if wait else 3)
    strobed = run(machine, [LDA, *word(0x4016)], 1).cpu.a & 1 == 0
    assert strobed == (wait == 0)


def test_peeking_changes_nothing() -> None:
    machine = console()
    machine.step(0, 3)
    before = machine.digest()
    for address in range(0x2000, 0x4020):
        machine.peek(address)
    assert machine.digest() == before


# --- Bus conflicts of DMA: AccuracyCoin's table for hardware (APU Register Activation)


def run_oam_dma_from_the_register_range(page: int, machine: Console) -> None:
    """OAM DMA while the 6502's address bus stands at $4001: STA $4014 executed from $3FFE, out of PPU open bus."""
    data = machine.state().copy()
    data["dma_oam_requested"] = 1
    data["dma_oam_page"] = page
    data["cpu_pc"] = 0x4001
    machine.load_state(data.tobytes())
    machine.step_instruction()


def test_oam_dma_reads_registers_only_where_the_6502_addresses_them() -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    machine.step(0, 2)
    enable_triangle = [0xA9, 0x04, STA, *word(0x4015), 0xA9, 0xF0, STA, *word(0x400B), 0xA9, 0xFF, STA, *word(0x4008)]
    run(machine, enable_triangle, 6)
    run(machine, STROBE, 4)
    for _ in range(8):
        run(machine, [LDA, *word(0x4016)], 1)
    run(machine, [0xA9, 0x00, STA, *word(0x2003), LDA, *word(0x4000)], 3)
    data = machine.state().copy()
    data["apu_frame_irq"] = 1
    data["apu_frame_written"] = 0
    data["bus_data"] = 0x40
    machine.load_state(data.tobytes())
    run_oam_dma_from_the_register_range(0x40, machine)
    oam = [int(value) for value in machine.ppu.oam]
    assert oam[0x15:0x18] == [0x44, 0x41, 0x40]
    assert oam[0x18:0x35] == [0x40] * 0x1D
    for row in range(0x20, 0x100, 0x20):
        assert oam[row + 0x15 : row + 0x18] == [0x04, 0x01, 0x00], hex(row)
    assert oam[0x38:0x55] == [0x00] * 0x1D


def test_registers_and_memory_meet_on_the_bus() -> None:
    machine = console(bytes([0x4C, 0x00, 0xC0]))
    machine.step(0, 2)
    machine.ram[0x200:0x280] = [0xFF] * 0x80
    machine.ram[0x280:0x300] = [0x00] * 0x80
    run(machine, [0xA9, 0x40, STA, *word(0x4017), LDA, *word(0x4015)], 3)
    run(machine, [0xA9, 0x04, STA, *word(0x4015), 0xA9, 0xF0, STA, *word(0x400B)], 4)
    run(machine, STROBE, 4)
    run(machine, [0xA9, 0x00, STA, *word(0x2003)], 2)
    run_oam_dma_from_the_register_range(0x02, machine)
    oam = [int(value) for value in machine.ppu.oam]
    for row in range(0x00, 0x80, 0x20):
        assert oam[row + 0x15] == 0x24, hex(row)  # bit 5 from the bus
        assert oam[row + 0x16] & 0xE0 == 0xE0
        assert oam[row + 0x18] == 0xFF
    for row in range(0x80, 0x100, 0x20):
        assert oam[row + 0x15 : row + 0x18] == [0x04, 0x00, 0x00], hex(row)
