"""The unstable opcodes. https://www.nesdev.org/wiki/CPU_unofficial_opcodes"""

from __future__ import annotations

import pytest
from programs import console
from test_dma import at_cycles_before_request, cycles_to_request, playing_one_byte_sample, stall

from nesproof.emulator.flat_cpu import FlatCpu, Registers


def run(code: list[int], registers: Registers, memory: dict[int, int] | None = None) -> FlatCpu:
    cpu = FlatCpu(variant="2a03")
    cpu.memory[0x400 : 0x400 + len(code)] = code
    for address, value in (memory or {}).items():
        cpu.memory[address] = value
    cpu.registers = registers._replace(pc=0x0400)
    cpu.step()
    return cpu


def test_the_stored_value_is_anded_with_the_high_byte_plus_one() -> None:
    shx = run([0x9E, 0x00, 0x12], Registers(x=0xFF, y=0x10))
    assert shx.memory[0x1210] == 0x13
    shy = run([0x9C, 0x00, 0x12], Registers(x=0x10, y=0xFF))
    assert shy.memory[0x1210] == 0x13
    sha = run([0x9F, 0x00, 0x12], Registers(a=0x0F, x=0xF1, y=0x10))
    assert sha.memory[0x1210] == 0x01
    tas = run([0x9B, 0x00, 0x12], Registers(a=0x7F, x=0xF2, y=0x10))
    assert (tas.memory[0x1210], tas.registers.s) == (0x12, 0x72)
    indirect = run([0x93, 0x20], Registers(a=0xFF, x=0xFF, y=0x10), {0x20: 0x00, 0x21: 0x12})
    assert indirect.memory[0x1210] == 0x13


def test_where_a_page_is_crossed_the_value_is_the_addresss_high_byte() -> None:
    cpu = run([0x9E, 0xF0, 0x12], Registers(x=0x03, y=0x20))
    assert cpu.memory[0x0310] == 0x03  # not $1310


@pytest.mark.parametrize(("opcode", "register"), [(0x9E, "x"), (0x9C, "y")])
@pytest.mark.parametrize("held", [False, True])
def test_dma_just_before_the_write_leaves_the_value_whole(opcode: int, register: str, held: bool) -> None:
    """The DMA halts in the fourth cycle, the read before the write."""
    machine = at_cycles_before_request(playing_one_byte_sample(loop=True), 60)
    load = {"x": [0xA2, 0xF7, 0xA0, 0x10], "y": [0xA0, 0xF7, 0xA2, 0x10]}[register]
    halt_in = cycles_to_request(machine) + 1
    wait = stall(halt_in - 4 - 4 - (0 if held else 6))
    code = [*wait, *load, opcode, 0x00, 0x05]
    machine.ram[0x300 : 0x300 + len(code) + 8] = [*code, *[0xEA] * 8]
    machine.trace(0, start=0x300)
    target = 0x300 + len(code)
    machine.run_until(target - 3)
    before = machine.cpu.cycle
    machine.step_instruction()
    assert machine.cpu.cycle - before == (9 if held else 5)
    assert machine.ram[0x510] == (0xF7 if held else 0xF7 & 0x06)


def test_lax_immediate_uses_the_constant_ff() -> None:
    cpu = run([0xAB, 0x5A], Registers(a=0x00))
    assert (cpu.registers.a, cpu.registers.x) == (0x5A, 0x5A)


def test_every_opcode_but_the_jams_leaves_the_cpu_running() -> None:
    jams = [opcode for opcode in range(256) if run([opcode, 0x00, 0x00], Registers(s=0xF0)).jammed]
    assert jams == [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2]


def test_a_jam_on_the_console_reads_ffff() -> None:
    machine = console(bytes([0x12]))
    machine.step_instruction()
    assert machine.cpu.jammed
