"""How nestest and single_step compare: every field counts, and a difference is shown so that one can work with it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from nesproof.harness.subjects.flat_cpu import BusAccess, FlatResult, Registers
from nesproof.harness.subjects.trace import TRACE_DTYPE
from nesproof.suites.nestest.log import FIELDS, first_difference, parse_log
from nesproof.suites.nestest.menu import read_menu
from nesproof.suites.single_step.comparison import differences, show
from nesproof.suites.single_step.errata import ErratumGone, add_operand_read
from nesproof.suites.single_step.vectors import Vector, parse_vectors

LOG = """\
C000  4C F5 C5  JMP $C5F5                       A:00 X:00 Y:00 P:24 SP:FD PPU:  0, 21 CYC:7
C5F5  A2 00     LDX #$00                        A:00 X:00 Y:00 P:24 SP:FD PPU:  0, 30 CYC:10
C6BD  04 A9    *NOP $A9 = 00                    A:53 X:07 Y:66 P:24 SP:F9 PPU:120,  5 CYC:13630
"""


def trace_of(log: str) -> np.ndarray:
    lines = parse_log(log)
    return np.array([tuple(line.values[name] for name in FIELDS) for line in lines], dtype=TRACE_DTYPE)


def test_an_equal_trace_has_no_difference() -> None:
    assert first_difference(parse_log(LOG), trace_of(LOG)) is None


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_counts(field: str) -> None:
    trace = trace_of(LOG)
    trace[field][1] += 1
    difference = first_difference(parse_log(LOG), trace)
    assert difference is not None
    assert (difference.line, difference.fields) == (2, (field,))
    assert f"differs in: {field}" in difference.shown
    assert LOG.splitlines()[0] in difference.shown


def test_ours_is_shown_under_the_log_in_the_same_columns() -> None:
    trace = trace_of(LOG)
    trace["a"][1] = 0x7F
    difference = first_difference(parse_log(LOG), trace)
    assert difference is not None
    right, ours = difference.shown.splitlines()[1:3]
    assert right[2:] == LOG.splitlines()[1]
    assert ours.startswith("O C5F5")
    assert ours[right.index("A:") :] == right[right.index("A:") :].replace("A:00", "A:7F")


@pytest.mark.parametrize("length", [0, 2])
def test_a_short_trace_differs(length: int) -> None:
    difference = first_difference(parse_log(LOG), trace_of(LOG)[:length])
    assert difference is not None
    assert difference.line == length + 1


def test_a_log_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="Line 2"):
        parse_log(LOG.splitlines()[0] + "\nCYC 7\n")


def test_the_menu_is_read_off_the_nametable() -> None:
    rows = [
        "",
        "",
        "  * Er Run all tests",
        "    OK Branch tests",
        "    4E (Indirect),Y tests",
        "    Up/Down: select test",
    ]
    nametable = np.zeros(1024, dtype=np.uint8)
    nametable[:960] = np.frombuffer("".join(row.ljust(32) for row in rows).ljust(960).encode(), dtype=np.uint8)
    assert read_menu(nametable) == {"Run all tests": "Er", "Branch tests": "OK", "(Indirect),Y tests": "4E"}


NAME = b"a9 63 c0".ljust(10, b"\0")
BEFORE = b"\x10\x00\xfd\x01\x02\x03\x24" + b"\x02" + b"\x10\x00\xa9\x10\x01\x63"
AFTER = b"\x10\x02\xfd\x63\x02\x03\x24" + b"\x02" + b"\x10\x00\xa9\x10\x01\x63"
CYCLES = b"\x02" + b"\x10\x00\xa9r" + b"\x10\x01\x63r"
VECTOR = NAME + BEFORE + AFTER + CYCLES

RIGHT = FlatResult(
    registers=Registers(pc=0x1002, s=0xFD, a=0x63, x=2, y=3, p=0x24),
    ram=(0xA9, 0x63),
    cycles=2,
    accesses=(BusAccess(0x1000, 0xA9, False), BusAccess(0x1001, 0x63, False)),
)


def test_vectors_are_parsed() -> None:
    first, second = parse_vectors(VECTOR * 2)
    assert first == second
    assert first.name == "a9 63 c0"
    assert first.before == Registers(pc=0x1000, s=0xFD, a=1, x=2, y=3, p=0x24)
    assert first.ram_before == ((0x1000, 0xA9), (0x1001, 0x63))
    assert differences(first, RIGHT) == []


@pytest.mark.parametrize("length", [3, 30, len(VECTOR) - 1])
def test_a_file_cut_short_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=r"middle of one|kind"):
        list(parse_vectors(VECTOR + VECTOR[:length]))


def test_a_result_that_shows_no_bus_is_compared_without() -> None:
    (vector,) = parse_vectors(VECTOR)
    assert differences(vector, dataclasses.replace(RIGHT, accesses=None)) == []


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"registers": RIGHT.registers._replace(pc=0x1003)}, "pc"),
        ({"registers": RIGHT.registers._replace(p=0x26)}, "p"),
        ({"registers": RIGHT.registers._replace(s=0xFC)}, "s"),
        ({"ram": (0xA9, 0x00)}, "$1001"),
        ({"accesses": RIGHT.accesses[:1]}, "bus"),
        ({"accesses": (*RIGHT.accesses, BusAccess(0x1002, 0, False))}, "bus"),
        ({"accesses": (RIGHT.accesses[0], RIGHT.accesses[1]._replace(is_write=True))}, "bus"),
        ({"accesses": RIGHT.accesses[::-1]}, "bus"),
        ({"cycles": 3}, "cycles"),
        ({"cycles": 3, "accesses": None}, "cycles"),
    ],
)
def test_every_part_of_a_result_counts(change: dict[str, object], named: str) -> None:
    (vector,) = parse_vectors(VECTOR)
    result = dataclasses.replace(RIGHT, **change)  # type: ignore[arg-type]
    assert differences(vector, result) == [named]
    shown = show(vector, result)
    assert f"differs in: {named}" in shown
    assert ("<--" in shown) == (named == "bus")


def nop(opcode: int, x: int, *, operand: int, accesses: tuple[int, ...]) -> Vector:
    before = Registers(pc=0x1000, s=0xFD, a=1, x=x, y=3, p=0x24)
    ram = ((0x1000, opcode), (0x1001, operand & 0xFF), (0x1002, operand >> 8), (0x2010, 0x77))
    after = before._replace(pc=0x1003)
    contents = dict(ram)
    return Vector("nop", before, ram, after, ram, tuple(BusAccess(a, contents.get(a, 0), False) for a in accesses))


FETCHES = (0x1000, 0x1001, 0x1002)


@pytest.mark.parametrize(
    ("vector", "right"),
    [
        (nop(0x0C, 9, operand=0x2010, accesses=FETCHES), (*FETCHES, 0x2010)),
        (nop(0x1C, 0x11, operand=0x1FFF, accesses=(*FETCHES, 0x1F10)), (*FETCHES, 0x1F10, 0x2010)),
        (nop(0xFC, 0x10, operand=0x2000, accesses=(*FETCHES, 0x2010)), (*FETCHES, 0x2010)),
        (nop(0x7C, 0x20, operand=0xFFF0, accesses=(*FETCHES, 0xFF10)), (*FETCHES, 0xFF10, 0x0010)),
    ],
)
def test_the_missing_operand_read_is_added(vector: Vector, right: tuple[int, ...]) -> None:
    accesses = add_operand_read(vector).accesses
    assert tuple(access.address for access in accesses) == right
    assert accesses[-1].value == (0x77 if right[-1] == 0x2010 else 0)


@pytest.mark.parametrize(
    "vector",
    [
        nop(0x0C, 9, operand=0x2010, accesses=(*FETCHES, 0x2010)),
        nop(0x1C, 0x11, operand=0x1FFF, accesses=(*FETCHES, 0x1F10, 0x2010)),
    ],
)
def test_a_vector_that_was_put_right_is_not_amended(vector: Vector) -> None:
    with pytest.raises(ErratumGone):
        add_operand_read(vector)
