"""OAM and DMC DMA: how many cycles each takes from the CPU, by when it comes.

https://www.nesdev.org/wiki/DMA. A run is timed against the DMC's own clock, which the state shows.
"""

from __future__ import annotations

import pytest
from programs import console

from nesproof.emulator import Console

LDA_IMMEDIATE, STA_ABSOLUTE, LDA_ZERO_PAGE, NOP = 0xA9, 0x8D, 0xA5, 0xEA
RATE_E_CYCLES = 72  # CPU cycles a bit at rate index 14


def store(value: int, address: int) -> bytes:
    return bytes([LDA_IMMEDIATE, value, STA_ABSOLUTE, address & 0xFF, address >> 8])


def stall(cycles: int) -> bytes:
    """Instructions that only read and take that many cycles."""
    if cycles == 1 or cycles < 0:
        raise ValueError("one cycle cannot be waited")
    odd = cycles % 2
    return bytes([LDA_ZERO_PAGE, 0x00]) * odd + bytes([NOP]) * ((cycles - 3 * odd) // 2)


def cycles_to_request(machine: Console) -> int:
    """CPU cycles until the output unit empties the sample buffer; the DMA halts in the next cycle."""
    row = machine.state()[0]
    gets_after_next = int(row["apu_dmc_timer"]) + (int(row["apu_dmc_bits_remaining"]) - 1) * RATE_E_CYCLES // 2
    return 2 * gets_after_next + (2 if row["apu_is_get"] else 1)


def playing_one_byte_sample(loop: bool, data: dict[int, bytes] | None = None) -> Console:
    """A one-byte sample at rate 14 plays; its byte is in the output unit and the next one in the buffer."""
    setup = store(0x4E if loop else 0x0E, 0x4010) + store(0, 0x4012) + store(0, 0x4013) + store(0x40, 0x4017)
    machine = console(setup + store(0x10, 0x4015), data=data)
    for _ in range(2000):
        machine.step_instruction()
    return machine


def stolen_cycles(machine: Console, code: bytes, padding: int = 40) -> int:
    """Runs the code from RAM, padded with NOPs; cycles above what it takes undisturbed."""
    undisturbed, instructions = padding * 2, padding
    at = 0
    while at < len(code):
        length, cycles = {LDA_IMMEDIATE: (2, 2), STA_ABSOLUTE: (3, 4), LDA_ZERO_PAGE: (2, 3), NOP: (1, 2)}[code[at]]
        at, undisturbed, instructions = at + length, undisturbed + cycles, instructions + 1
    machine.ram[0x300 : 0x300 + len(code) + padding] = list(code) + [NOP] * padding
    machine.trace(0, start=0x300)
    before = machine.cpu.cycle
    for _ in range(instructions):
        machine.step_instruction()
    return machine.cpu.cycle - before - undisturbed


def at_cycles_before_request(machine: Console, cycles: int) -> Console:
    """Runs on until the request is exactly that far away (as a boundary allows: the rest is waited in the code)."""
    while cycles_to_request(machine) > cycles + 4 or cycles_to_request(machine) < cycles:
        machine.step_instruction()
    return machine


# --- OAM DMA


@pytest.mark.parametrize(("wait", "cycles"), [(0, 513), (3, 514)])
def test_oam_dma_takes_513_or_514_cycles_by_the_parity_of_the_write(wait: int, cycles: int) -> None:
    machine = console()
    base = 0 if machine.state()[0]["apu_is_get"] else 3
    # LDA and STA take six cycles, so that the write keeps the parity of the start.
    taken = stolen_cycles(machine, stall(2 + base + wait) + store(2, 0x4014))
    assert taken == cycles


def test_oam_dma_copies_a_page_from_oam_address() -> None:
    machine = console()
    machine.ram[0x200:0x300] = range(256)
    stolen_cycles(machine, store(0xFC, 0x2003) + store(2, 0x4014))
    oam = machine.ppu.oam
    copied = [(index - 0xFC) % 256 for index in range(256)]
    expected = [value & 0xE3 if index % 4 == 2 else value for index, value in enumerate(copied)]
    assert [value & 0xE3 if index % 4 == 2 else value for index, value in enumerate(oam)] == expected
    assert machine.ppu.oam_address == 0xFC


def test_a_read_modify_write_of_4014_starts_one_dma_of_the_second_page() -> None:
    machine = console()
    machine.ram[0x600:0x700] = [0x55] * 256
    machine.ram[0x700:0x800] = [0xAA] * 256
    inc_4014 = bytes([0xEE, 0x14, 0x40])
    # The open bus holds $40 when INC reads $4014; it writes $40, then $41: pages $4000 and $4100 of open bus.
    machine.ram[0x300:0x310] = list(inc_4014) + [NOP] * 13
    machine.trace(0, start=0x300)
    before = machine.cpu.cycle
    machine.step_instruction()
    machine.step_instruction()
    assert machine.cpu.cycle - before in (6 + 2 + 513, 6 + 2 + 514)


# --- DMC DMA


def test_a_reload_takes_four_cycles_and_three_after_a_write() -> None:
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), 100)
    assert stolen_cycles(machine, stall(60)) == 4

    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), 60)
    write_in_the_halt_cycle = stall(cycles_to_request(machine) + 1 - 6) + store(0, 0x4000)
    assert stolen_cycles(machine, write_in_the_halt_cycle) == 3


# The write to $4015 comes `offset` cycles before the cycle in which the DMA first tries to halt. Values: AccuracyCoin's
# key for hardware (Explicit DMA Abort).
EXPLICIT = {-6: 4, -5: 4, -4: 4, -3: 4, -2: 4, -1: 4, 0: 3, 1: 4, 2: 1, 3: 1, 4: 0, 5: 0, 6: 0, 7: 0}


@pytest.mark.parametrize("offset", sorted(EXPLICIT))
def test_stopping_the_sample_aborts_a_reload_in_its_halt_cycle(offset: int) -> None:
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), 60)
    write_in = cycles_to_request(machine) + 1 - offset  # counted from 1, without the DMA
    code = stall(write_in - 6) + store(0, 0x4015)
    assert stolen_cycles(machine, code) == EXPLICIT[offset]


# A one-byte sample without loop is started; its byte arrives by a load DMA (three cycles) around the cycle in which the
# output unit wants one. `offset`: that cycle minus the write to $4015. AccuracyCoin's key for chips after 1990
# (Implicit DMA Abort): four cycles more where the byte arrives in that cycle, one more an APU cycle before.
IMPLICIT = {1: 3, 2: 3, 3: 3, 4: 3, 5: 7, 6: 7, 7: 4, 8: 4, 9: 3, 10: 3, 11: 3, 12: 3}


@pytest.mark.parametrize("offset", sorted(IMPLICIT))
def test_the_end_of_a_sample_stops_the_reader_late(offset: int) -> None:
    machine = playing_one_byte_sample(loop=False)
    assert not machine.state()[0]["apu_dmc_buffer_full"]
    at_cycles_before_request(machine, 60)
    code = stall(cycles_to_request(machine) - offset - 6) + store(0x10, 0x4015)
    assert stolen_cycles(machine, code) == IMPLICIT[offset]


# The same, looping: the reload follows wherever the byte is in time for the output unit.
@pytest.mark.parametrize(("offset", "cycles"), [(2, 3), (3, 3), (4, 3), (5, 7), (6, 7), (7, 7), (8, 7), (10, 7)])
def test_a_looping_sample_reloads_at_once_where_the_byte_is_in_time(offset: int, cycles: int) -> None:
    machine = playing_one_byte_sample(loop=False)
    at_cycles_before_request(machine, 100)
    code = store(0x4E, 0x4010)
    code += stall(cycles_to_request(machine) - offset - 12) + store(0x10, 0x4015)
    assert stolen_cycles(machine, code) == cycles


def test_a_one_cycle_abort_does_not_wait_for_a_write_to_end() -> None:
    """A DMA whose halt cycle is a write cycle, and which is given up in that cycle, never happens."""
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), 60)
    halt_in = cycles_to_request(machine) + 1
    # STA $4015's write at halt - 3; the next store's write lies in the halt cycle: STA zero page, three cycles.
    code = stall(halt_in - 3 - 6) + store(0, 0x4015)
    machine.ram[0x300 : 0x300 + len(code) + 10] = [*code, 0x85, 0x10, *[NOP] * 8]
    machine.trace(0, start=0x300)
    target = 0x300 + len(code)
    assert machine.run_until(target)
    before = machine.cpu.cycle
    for _ in range(3):
        machine.step_instruction()
    assert machine.cpu.cycle - before == 3 + 2 + 2


# Both DMAs. `offset`: the cycle in which DMC DMA first tries to halt, minus the write to $4014. Values: cycles above
# 514 that both take together, AccuracyCoin's key for hardware (DMC DMA + OAM DMA), at both ends of OAM DMA.
BOTH = dict(zip(range(-6, 10), [4, 3, 4, 3, 4, 3, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1], strict=True))
BOTH |= dict(zip(range(506, 522), [2, 1, 2, 1, 2, 0, 1, 2, 3, 3, 4, 3, 4, 3, 4, 3], strict=True))


@pytest.mark.parametrize("offset", sorted(BOTH))
def test_dmc_dma_during_oam_dma_costs_what_hardware_takes(offset: int) -> None:
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), offset + 40)
    write_in = cycles_to_request(machine) + 1 - offset
    assert stolen_cycles(machine, stall(write_in - 6) + store(2, 0x4014), padding=15) - 514 == BOTH[offset]


# --- Register conflicts: https://www.nesdev.org/wiki/DMA#Register_conflicts


@pytest.mark.parametrize("address", [0xE054, 0xE055, 0xE056])
def test_a_byte_got_while_4015_answers_stays_on_the_external_bus(address: int) -> None:
    """The CPU is about to read $4015, so that the register answers DMA as well where the low five address bits are its.

    While it answers, the internal bus is cut off: bit 5 of $4015, which is what that bus had, is then not the byte's
    but the operand's (AccuracyCoin, "Internal Data Bus"). From any other address the byte gets there.
    """
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True, data={address: bytes([0x60])}), 40)
    state = machine.state().copy()
    state[0]["apu_dmc_address"] = address
    machine.load_state(state.tobytes())
    wait = stall(cycles_to_request(machine) - 3)  # the CPU stops in the fourth cycle of LDA $4015
    code = [*wait, 0xAD, 0x15, 0x40]
    machine.ram[0x300 : 0x300 + len(code)] = code
    machine.trace(0, start=0x300)
    while machine.cpu.pc != 0x300 + len(code):
        machine.step_instruction()
    assert machine.state()[0]["bus_data"] == 0x60
    assert bool(machine.cpu.a & 0x20) == (address & 0x1F != 0x15)
