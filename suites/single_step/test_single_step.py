"""Single-step vectors: one instruction from a given state, compared in registers, RAM and every bus access."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.flat_cpu import BusAccess, FlatCase, FlatResult, Registers
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder
from nesproof.roms_manifest import Resolver, RomMissing
from nesproof.suites.single_step.vectors import Vector, parse_vectors


class Settings(BaseModel):
    """Which opcode."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    opcode: int = Field(ge=0, le=0xFF)


@pytest.fixture
def vectors(case: SuiteCase, resolver: Resolver) -> list[Vector]:
    try:
        data = resolver.read_vectors(Settings.model_validate(case.settings).opcode)
    except RomMissing as fault:
        pytest.skip(str(fault))
    return list(parse_vectors(data))


@pytest.mark.cases("opcode")
def test_every_vector(subject: Subject, vectors: list[Vector], record: Recorder) -> None:
    if not vectors:
        pytest.fail("There is no vector for this opcode.", pytrace=False)
    asked = [
        FlatCase("2a03", v.before, v.ram_before, addresses=tuple(address for address, _ in v.ram_after))
        for v in vectors
    ]
    results = subject.step_flat_cpu(asked)
    wrong = [(v, r) for v, r in zip(vectors, results, strict=True) if differences(v, r)]
    record.detail("vectors", len(vectors))
    record.detail("equal", len(vectors) - len(wrong))
    if wrong:
        vector, result = wrong[0]
        pytest.fail(f"{len(wrong)} of {len(vectors)} vectors differ; the first:\n{show(vector, result)}", pytrace=False)


def differences(vector: Vector, result: FlatResult) -> list[str]:
    """In what a result differs: register names, RAM addresses, "bus"."""
    found = [
        name
        for name, ours, right in zip(Registers._fields, result.registers, vector.after, strict=True)
        if ours != right
    ]
    found += [
        f"${address:04X}" for (address, right), ours in zip(vector.ram_after, result.ram, strict=True) if ours != right
    ]
    if result.accesses != vector.accesses:
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
        "  cycle    right        ours",
    ]
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
