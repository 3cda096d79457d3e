"""A CPU alone on a flat 64 KiB of RAM: what is asked of it, what it answers, and how many cases fit into one buffer."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

__all__ = ["BusAccess", "CpuVariant", "FlatCase", "FlatResult", "FlatRun", "Registers", "pack_cases", "unpack_results"]

CpuVariant = Literal["6502", "2a03"]


class Registers(NamedTuple):
    """The CPU's registers. `p` is as pushed by an interrupt: bit 5 set, bit 4 (B) clear unless a case sets it."""

    pc: int
    s: int
    a: int
    x: int
    y: int
    p: int


class BusAccess(NamedTuple):
    """What happened on the bus in one CPU cycle."""

    address: int
    value: int
    is_write: bool


@dataclass(frozen=True)
class FlatRun:
    """A run until a trap (an instruction that jumps or branches to itself) or until the limit.

    `instructions` and `cycles` count the trapping instruction once.
    """

    pc: int
    instructions: int
    cycles: int
    trapped: bool
    a: int
    x: int
    y: int
    p: int
    s: int


@dataclass(frozen=True)
class FlatCase:
    """One instruction: the state before it, and the addresses whose bytes are asked for after it.

    `ram` lists the bytes that are not 0.
    """

    variant: CpuVariant
    registers: Registers
    ram: tuple[tuple[int, int], ...]
    addresses: tuple[int, ...] = ()


@dataclass(frozen=True)
class FlatResult:
    """After one instruction: registers, the bytes at the asked addresses in their order, and how many cycles it took.

    `accesses` is each cycle's bus access, or None where the subject does not show them.
    """

    registers: Registers
    ram: tuple[int, ...]
    cycles: int
    accesses: tuple[BusAccess, ...] | None = None


def pack_cases(cases: Iterable[FlatCase]) -> bytes:
    """The cases as the protocol's buffer."""
    parts = []
    for case in cases:
        is_2a03 = case.variant == "2a03"
        parts.append(struct.pack("<BH5BHH", is_2a03, *case.registers, len(case.ram), len(case.addresses)))
        parts.append(struct.pack("<" + "HB" * len(case.ram), *itertools.chain.from_iterable(case.ram)))
        parts.append(struct.pack(f"<{len(case.addresses)}H", *case.addresses))
    return b"".join(parts)


def unpack_results(data: bytes, cases: Sequence[FlatCase], *, shows_bus: bool) -> list[FlatResult]:
    """The results in the protocol's buffer, one for each of `cases`.

    `shows_bus`: the subject declares that it lists every bus access, so there is one for each cycle.

    Raises:
        ValueError: the buffer does not hold exactly one result a case, each with the bytes that were asked for, and
            with an access for each cycle where it shows them, and none where it does not.
    """
    results = []
    at = 0
    try:
        for case in cases:
            *registers, count, cycles, listed = struct.unpack_from("<H5BHHH", data, at)
            at += 13
            if count != len(case.addresses):
                raise ValueError(f"a result holds {count} bytes of RAM where {len(case.addresses)} were asked for")
            ram = struct.unpack_from(f"<{count}B", data, at)
            at += count
            if listed != (cycles if shows_bus else 0):
                raise ValueError(f"a result lists {listed} bus accesses for {cycles} cycles")
            if at + 4 * listed > len(data):
                raise ValueError("the results end within a case")
            accesses = tuple(
                BusAccess(a, v, bool(w)) for a, v, w in struct.iter_unpack("<HBB", data[at : at + 4 * listed])
            )
            at += 4 * listed
            results.append(FlatResult(Registers(*registers), ram, cycles, accesses if shows_bus else None))
    except struct.error as fault:
        raise ValueError("the results end within a case") from fault
    if at != len(data):
        raise ValueError(f"{len(data) - at} bytes follow the last result")
    return results
