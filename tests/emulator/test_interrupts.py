"""When interrupts are taken. https://www.nesdev.org/wiki/CPU_interrupts"""

from __future__ import annotations

import pytest
from programs import console

from nesproof.emulator import Console

CLI, SEI, PLP, PHP, RTI, NOP, BRK = 0x58, 0x78, 0x28, 0x08, 0x40, 0xEA, 0x00
IRQ_HANDLER, NMI_HANDLER = 0xD000, 0xD100
FRAME_IRQ_IN_CYCLES = 29831


def with_pending_irq(code: bytes) -> Console:
    """About to execute the code with I set and the frame counter's IRQ raised."""
    machine = console(code, irq=IRQ_HANDLER, nmi=NMI_HANDLER, data={IRQ_HANDLER: bytes([NOP] * 8)})
    setup = bytes([0xA9, 0x00, 0x8D, 0x17, 0x40]) + bytes([0xEA] * 8)
    machine.ram[0x300 : 0x300 + len(setup)] = list(setup)
    machine.ram[0x30D:0x310] = [0x4C, 0x0D, 0x03]
    machine.trace(0, start=0x300)
    while not machine.state()[0]["cpu_irq_line"]:
        machine.step_instruction()
    machine.trace(0, start=0xC000)
    return machine


def instructions_until_handler(machine: Console, handler: int = IRQ_HANDLER, limit: int = 20) -> int:
    """Instructions executed before the interrupt sequence."""
    for count in range(limit):
        before = machine.cpu.pc
        machine.step_instruction()
        if machine.cpu.pc == handler:
            return count
        assert machine.cpu.pc != before
    raise AssertionError("no interrupt was taken")


def pushed_status(machine: Console) -> int:
    return int(machine.ram[0x100 + (machine.cpu.s + 1) % 256])


def test_an_irq_waits_one_instruction_after_cli() -> None:
    assert instructions_until_handler(with_pending_irq(bytes([CLI, NOP, NOP]))) == 2


def test_an_irq_comes_after_sei_that_follows_cli_and_pushes_i_set() -> None:
    machine = with_pending_irq(bytes([CLI, SEI, NOP]))
    assert instructions_until_handler(machine) == 2
    assert pushed_status(machine) & 0x04


def test_an_irq_waits_one_instruction_after_plp() -> None:
    machine = with_pending_irq(bytes([0xA9, 0x00, 0x48, PLP, NOP, NOP]))
    assert instructions_until_handler(machine) == 4


def test_an_irq_comes_at_once_after_rti() -> None:
    machine = with_pending_irq(bytes([RTI]))
    machine.ram[0x1F1:0x1F4] = [0x20, 0x10, 0xC0]
    s = machine.cpu.s
    for offset, value in ((1, 0x20), (2, 0x10), (3, 0xC0)):
        machine.ram[0x100 + (s + offset) % 256] = value
    assert instructions_until_handler(machine) == 1


def test_an_irq_pushes_b_clear_and_brk_pushes_it_set() -> None:
    machine = with_pending_irq(bytes([CLI, NOP, NOP]))
    instructions_until_handler(machine)
    assert pushed_status(machine) & 0x30 == 0x20
    machine = console(bytes([BRK, 0xFF, NOP]), irq=IRQ_HANDLER)
    machine.step_instruction()
    assert machine.cpu.pc == IRQ_HANDLER
    assert pushed_status(machine) & 0x30 == 0x30
    assert machine.ram[0x100 + (machine.cpu.s + 2) % 256] == 0x02  # the byte after BRK is skipped


def cycles_before_irq(machine: Console) -> int:
    """CPU cycles until the one whose end samples the frame counter's IRQ."""
    return 29828 - int(machine.state()[0]["apu_frame_cycle"])


@pytest.mark.parametrize(
    ("cycles_left", "taken_after"),
    [
        # BNE, taken without crossing a page, three cycles: polled before its second cycle only.
        (1, "branch"),
        (2, "next"),
        (3, "next"),
    ],
)
def test_a_taken_branch_does_not_poll_before_its_third_cycle(cycles_left: int, taken_after: str) -> None:
    """An IRQ that comes during a branch's second cycle waits for the end of the instruction after it."""
    code = bytes([0xA9, 0x00, 0x8D, 0x17, 0x40, CLI, 0xA9, 0x01])
    machine = console(code, irq=IRQ_HANDLER, data={0xE000: bytes([0xD0, 0x00, NOP, NOP, NOP])})
    for _ in range(4):
        machine.step_instruction()
    # Waits in RAM with NOPs (2 cycles) and LDA zero page (3) until the branch begins `cycles_left` before the IRQ.
    machine.ram[0x400:0x403] = [0xEA, 0x4C, 0x00]
    machine.ram[0x403] = 0x04
    machine.trace(0, start=0x400)
    machine.ram[0x400:0x500] = [0xEA] * 256
    while cycles_before_irq(machine) > 200:
        machine.trace(0, start=0x400)
        machine.step_instruction()
    remaining = cycles_before_irq(machine) - cycles_left
    odd = remaining % 2
    wait = [0xA5, 0x00] * odd + [0xEA] * ((remaining - 3 * odd) // 2)
    machine.ram[0x400 : 0x400 + len(wait)] = wait
    machine.trace(0, start=0x400)
    for _ in range(odd + (remaining - 3 * odd) // 2):
        machine.step_instruction()
    assert cycles_before_irq(machine) == cycles_left
    machine.trace(0, start=0xE000)
    machine.step_instruction()
    assert machine.cpu.pc == 0xE002
    machine.step_instruction()
    assert machine.cpu.pc == (IRQ_HANDLER if taken_after == "branch" else 0xE003)
    machine.step_instruction()
    assert taken_after == "branch" or machine.cpu.pc == IRQ_HANDLER


def test_an_nmi_hijacks_a_brk_under_way() -> None:
    """By the cycle in which the NMI comes: before BRK, in its first four cycles (hijacked), or after it."""
    outcomes = []
    for delay in range(12):
        wait = [0xA5, 0x00] * (delay % 2) + [0xEA] * ((delay - 3 * (delay % 2)) // 2 + 20)
        code = bytes([0xA9, 0x80, 0x8D, 0x00, 0x20, *wait, BRK, 0xFF, NOP, NOP])
        machine = console(irq=IRQ_HANDLER, nmi=NMI_HANDLER)
        machine.step(0, 2)
        # To just before the next vertical blank.
        while machine.ppu.scanline != 240 or machine.ppu.dot < 180:
            machine.step_instruction()
        machine.ram[0x300 : 0x300 + len(code)] = list(code)
        machine.trace(0, start=0x300)
        while machine.cpu.pc not in (IRQ_HANDLER, NMI_HANDLER):
            machine.step_instruction()
        outcomes.append((machine.cpu.pc == NMI_HANDLER, bool(pushed_status(machine) & 0x10)))
    assert (True, False) in outcomes  # an NMI of its own
    assert (True, True) in outcomes  # BRK's status, NMI's vector
    assert (False, True) in outcomes  # BRK first


def test_reset_takes_seven_cycles_and_three_off_the_stack_pointer() -> None:
    machine = console()
    assert (machine.cpu.cycle, machine.cpu.s, machine.cpu.p) == (7, 0xFD, 0x24)
    machine.step_instruction()
    machine.press_reset()
    before = machine.cpu
    machine.step_instruction()
    assert machine.cpu.cycle - before.cycle == 7
    assert machine.cpu.s == before.s - 3
    assert machine.cpu.pc == 0xC000
