"""The CPU core alone: the functional test, single steps with every bus access, and the Python face."""

from __future__ import annotations

import struct
import threading
from pathlib import Path

import numpy as np
import pytest

from nesproof.emulator.flat_cpu import BusAccess, FlatCpu, FlatVariant, Registers

# The vectors' NOPs with an absolute operand end before the operand's read where it is the fourth cycle of the plain
# mode, or the fifth of the indexed one. The hardware has that read: instr_timing, cpu_timing_test6 and the nestest log
# count its cycle.
NOPS_SHORT_OF_A_READ = {0x0C, 0x1C, 0x3C, 0x5C, 0x7C, 0xDC, 0xFC}


@pytest.mark.parametrize(
    ("variant", "trap", "instructions", "cycles"),
    [
        ("6502", 0x3469, 30_646_177, 96_241_367),
        ("2a03", 0x3477, None, None),
    ],
)
def test_klaus(klaus: bytes, variant: FlatVariant, trap: int, instructions: int | None, cycles: int | None) -> None:
    cpu = FlatCpu(klaus, variant)
    cpu.registers = Registers(pc=0x0400)
    assert cpu.run_until_trap(40_000_000)
    assert cpu.registers.pc == trap
    if instructions is not None:
        assert (cpu.instructions, cpu.cycles) == (instructions, cycles)


def test_klaus_at_the_limit(klaus: bytes) -> None:
    cpu = FlatCpu(klaus)
    cpu.registers = Registers(pc=0x0400)
    assert not cpu.run_until_trap(1000)
    assert cpu.instructions == 1000


Pairs = list[tuple[int, int]]
Case = tuple[tuple[int, ...], Pairs, tuple[int, ...], Pairs, list[BusAccess]]


def read_vectors(path: Path) -> list[Case]:
    """The cases of one file; addresses are big-endian there."""
    data = path.read_bytes()
    at = 0

    def pairs() -> Pairs:
        nonlocal at
        count = data[at]
        found = [struct.unpack_from(">HB", data, at + 1 + 3 * k) for k in range(count)]
        at += 1 + 3 * count
        return found  # type: ignore[return-value]

    cases = []
    while at < len(data):
        before = struct.unpack_from(">H5B", data, at + 10)
        at += 17
        ram = pairs()
        after = struct.unpack_from(">H5B", data, at)
        at += 7
        ram_after = pairs()
        count = data[at]
        accesses = [struct.unpack_from(">HBc", data, at + 1 + 4 * k) for k in range(count)]
        at += 1 + 4 * count
        cases.append((before, ram, after, ram_after, [BusAccess(a, v, kind == b"w") for a, v, kind in accesses]))
    return cases


@pytest.mark.parametrize("variant", ["6502", "2a03"])
def test_single_steps(vectors: Path, variant: FlatVariant) -> None:
    cpu = FlatCpu(variant=variant)
    cases_seen = 0
    for path in sorted(vectors.glob("??.bin")):
        opcode = int(path.stem, 16)
        cases = read_vectors(path)
        cases_seen += len(cases)
        results = cpu.run_cases([(before, ram, [at for at, _ in ram_after]) for before, ram, _, ram_after, _ in cases])
        for (before, ram, after, ram_after, accesses), (registers, values, seen) in zip(cases, results, strict=True):
            context = (path.name, before, ram)
            assert tuple(registers)[:5] == after[:5], context
            assert registers.p | 0x30 == after[5] | 0x30, context
            assert list(values) == [value for _, value in ram_after], context
            if opcode in NOPS_SHORT_OF_A_READ and len(seen) == len(accesses) + 1:
                assert not seen.pop().is_write, context
            assert seen == accesses, context
    assert cases_seen == 23_700


def test_decimal_mode_is_the_6502s_alone() -> None:
    program = bytes([0xF8, 0x18, 0xA9, 0x19, 0x69, 0x28])  # SED CLC LDA #$19 ADC #$28
    for variant, result in (("6502", 0x47), ("2a03", 0x41)):
        cpu = FlatCpu(variant=variant)  # type: ignore[arg-type]
        cpu.memory[0x400 : 0x400 + len(program)] = list(program)
        cpu.registers = Registers(pc=0x0400)
        for _ in range(4):
            cpu.step()
        assert cpu.registers.a == result


def test_a_jam_is_a_trap() -> None:
    cpu = FlatCpu()
    cpu.memory[0x400] = 0x02
    cpu.registers = Registers(pc=0x0400)
    assert cpu.run_until_trap(100)
    assert cpu.jammed
    assert cpu.instructions == 1


def test_a_step_lists_its_bus_accesses() -> None:
    cpu = FlatCpu()
    cpu.memory[0x400:0x403] = [0xFE, 0x01, 0x20]  # INC $2001,X
    cpu.memory[0x2100] = 7
    cpu.registers = Registers(pc=0x0400, x=0xFF)
    assert cpu.step() == [
        (0x400, 0xFE, False),
        (0x401, 0x01, False),
        (0x402, 0x20, False),
        (0x2000, 0, False),
        (0x2100, 7, False),
        (0x2100, 7, True),
        (0x2100, 8, True),
    ]


def test_memory_is_copied_in_and_live() -> None:
    content = np.zeros(65536, np.uint8)
    cpu = FlatCpu(content)
    cpu.memory[5] = 1
    assert content[5] == 0
    assert cpu.memory[5] == 1


def test_wrong_sizes_and_variants_are_refused() -> None:
    with pytest.raises(ValueError, match="65536 are needed"):
        FlatCpu(bytes(100))
    with pytest.raises(ValueError, match="variants are: 6502, 2a03"):
        FlatCpu(variant="65c02")  # type: ignore[arg-type]


def test_one_cpu_takes_one_thread_at_a_time() -> None:
    cpu = FlatCpu(bytes([0xEA]) * 65536)  # NOPs for ever
    started = threading.Event()

    def run() -> None:
        started.set()
        cpu.run_until_trap(20_000_000)

    runner = threading.Thread(target=run)
    runner.start()
    started.wait()

    def step_on() -> None:
        while runner.is_alive():
            cpu.step()

    with pytest.raises(RuntimeError, match="the CPU is in use by another thread"):
        step_on()
    runner.join()
