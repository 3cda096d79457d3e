"""Compares what an instruction did with its vector, and shows both whole."""

from __future__ import annotations

from itertools import zip_longest

from nesproof.harness.subjects.flat_cpu import BusAccess, FlatResult, Registers
from nesproof.suites.single_step.vectors import Vector

__all__ = ["differences", "show"]


def differences(vector: Vector, result: FlatResult) -> list[str]:
    """In what a result differs: register names, RAM addresses, "cycles", and "bus" where the result shows it."""
    found = [
        name
        for name, ours, right in zip(Registers._fields, result.registers, vector.after, strict=True)
        if ours != right
    ]
    found += [
        f"${address:04X}" for (address, right), ours in zip(vector.ram_after, result.ram, strict=True) if ours != right
    ]
    if result.cycles != len(vector.accesses):
        found.append("cycles")
    if result.accesses is not None and result.accesses != vector.accesses:
        found.append("bus")
    return found


def show(vector: Vector, result: FlatResult) -> str:
    """A vector and what came of it, whole: states, RAM, and the bus accesses beside each other."""
    lines = [
        f"vector {vector.name!r} differs in: {', '.join(differences(vector, result))}",
        f"  before   {_registers(vector.before)}  RAM {_ram(vector.ram_before)}",
        f"  right    {_registers(vector.after)}  RAM {_ram(vector.ram_after)}",
        f"  ours     {_registers(result.registers)}  RAM "
        + _ram(tuple((address, ours) for (address, _), ours in zip(vector.ram_after, result.ram, strict=True))),
    ]
    if result.accesses is None:
        return "\n".join([*lines, f"  cycles   {len(vector.accesses)} are right, {result.cycles} are ours"])
    lines.append("  cycle    right        ours")
    for cycle, (right, ours) in enumerate(zip_longest(vector.accesses, result.accesses), start=1):
        mark = "" if right == ours else "  <--"
        lines.append(f"  {cycle:5d}    {_access(right)}   {_access(ours)}{mark}")
    return "\n".join(lines)


def _registers(r: Registers) -> str:
    return f"PC={r.pc:04X} S={r.s:02X} A={r.a:02X} X={r.x:02X} Y={r.y:02X} P={r.p:02X}"


def _ram(cells: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{address:04X}:{value:02X}" for address, value in cells)


def _access(access: BusAccess | None) -> str:
    if access is None:
        return "-" * 9
    return f"{access.address:04X} {access.value:02X} {'w' if access.is_write else 'r'}"
