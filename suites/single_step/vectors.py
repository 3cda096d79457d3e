"""Reads single-step vectors: one instruction each, with the state before, the state after and every bus access.

Addresses are big-endian in these files: consecutive bytes of an instruction lie at B36A, B36B, B36C.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from nesproof.harness.subjects.flat_cpu import BusAccess, Registers

__all__ = ["Vector", "parse_vectors"]

_NAME_BYTES = 10


@dataclass(frozen=True)
class Vector:
    """One case. `accesses` are in order, one a cycle."""

    name: str
    before: Registers
    ram_before: tuple[tuple[int, int], ...]
    after: Registers
    ram_after: tuple[tuple[int, int], ...]
    accesses: tuple[BusAccess, ...]


def parse_vectors(data: bytes) -> Iterator[Vector]:
    """The vectors of one file, in order.

    Raises:
        ValueError: the file ends in the middle of a vector, or an access is neither read nor write.
    """
    position = 0
    try:
        while position < len(data):
            vector, position = _parse_one(data, position)
            yield vector
    except (struct.error, IndexError) as fault:
        raise ValueError(f"The vectors end in the middle of one, at byte {position}.") from fault


def _parse_one(data: bytes, at: int) -> tuple[Vector, int]:
    name = data[at : at + _NAME_BYTES].split(b"\0", 1)[0].decode("ascii")
    at += _NAME_BYTES
    before, ram_before, at = _parse_state(data, at)
    after, ram_after, at = _parse_state(data, at)
    count, at = data[at], at + 1
    accesses: list[BusAccess] = []
    for _ in range(count):
        address, value, kind = struct.unpack_from(">HBc", data, at)
        if kind not in (b"r", b"w"):
            raise ValueError(f"Vector {name!r} has an access of the kind {kind!r}.")
        accesses.append(BusAccess(address, value, kind == b"w"))
        at += 4
    return Vector(name, before, ram_before, after, ram_after, tuple(accesses)), at


def _parse_state(data: bytes, at: int) -> tuple[Registers, tuple[tuple[int, int], ...], int]:
    registers = Registers(*struct.unpack_from(">H5B", data, at))
    count, at = data[at + 7], at + 8
    ram = tuple(struct.unpack_from(">HB", data, at + 3 * index) for index in range(count))
    return registers, ram, at + 3 * count
