"""A CPU alone on 64 KiB of RAM, for suites that test instructions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nesproof.emulator import _core, _reference

__all__ = ["BusAccess", "FlatCpu", "FlatKind", "FlatVariant", "Registers"]

FlatVariant = Literal["6502", "2a03"]
FlatKind = Literal["reference", "core"]
_MEMORY_BYTES = 65536
_Native: TypeAlias = "_reference.FlatMos6502 | _reference.Flat2A03 | _core.Flat2A03"
_NATIVE: dict[str, dict[str, type[_Native]]] = {
    "reference": {"6502": _reference.FlatMos6502, "2a03": _reference.Flat2A03},
    "core": {"2a03": _core.Flat2A03},
}


class Registers(NamedTuple):
    """The CPU's registers; `p` as the CPU holds it: bit 5 set, bit 4 (B) clear."""

    pc: int = 0
    s: int = 0
    a: int = 0
    x: int = 0
    y: int = 0
    p: int = 0x20


class BusAccess(NamedTuple):
    """One cycle of the bus."""

    address: int
    value: int
    is_write: bool


class FlatCpu:
    """A console's CPU with nothing but RAM around it, and no interrupts.

    Args:
        memory: 65,536 bytes, copied in; zeros by default.
        variant: "6502" has decimal mode, "2a03" has none.
        kind: whose CPU; the "core" has the 2A03 alone, and keeps no list of bus accesses.

    Raises:
        ValueError: another size, kind or variant.
    """

    def __init__(
        self,
        memory: bytes | bytearray | memoryview | NDArray[np.uint8] | None = None,
        variant: FlatVariant = "6502",
        kind: FlatKind = "reference",
    ) -> None:
        if kind not in _NATIVE:
            raise ValueError(f"there is no CPU kind {kind!r}; the kinds are: {', '.join(_NATIVE)}")
        if variant not in _NATIVE[kind]:
            raise ValueError(f"the {kind} has no CPU variant {variant!r}; its variants are: {', '.join(_NATIVE[kind])}")
        self._native: _Native = _NATIVE[kind][variant]()
        if memory is not None:
            content = np.frombuffer(memory, np.uint8)
            if content.size != _MEMORY_BYTES:
                raise ValueError(f"the memory has {content.size} bytes; {_MEMORY_BYTES} are needed")
            self.memory[:] = content

    @property
    def memory(self) -> NDArray[np.uint8]:
        """uint8 [65536], a live view."""
        return self._native.memory

    @property
    def registers(self) -> Registers:
        """Registers now; assigning a tuple in the order PC, S, A, X, Y, P sets them."""
        return Registers(*self._native.registers)

    @registers.setter
    def registers(self, registers: tuple[int, int, int, int, int, int]) -> None:
        self._native.registers = registers

    @property
    def instructions(self) -> int:
        """Instructions executed so far."""
        return self._native.instructions

    @property
    def cycles(self) -> int:
        """Cycles, which is bus accesses, so far."""
        return self._native.cycles

    @property
    def jammed(self) -> bool:
        """Whether a halting opcode has stopped the CPU."""
        return self._native.jammed

    def run_until_trap(self, max_instructions: int) -> bool:
        """Run until an instruction jumps or branches to itself or the CPU jams; that instruction is counted once.

        Returns:
            False if that has not happened within `max_instructions`.
        """
        return self._native.run_until_trap(max_instructions)

    @property
    def shows_bus(self) -> bool:
        """Whether `step` and `run_cases` can be had: this kind lists its bus accesses."""
        return not isinstance(self._native, _core.Flat2A03)

    def step(self) -> list[BusAccess]:
        """Run one instruction and return its bus accesses, one a cycle.

        Raises:
            TypeError: this kind shows no bus accesses; `step_cycles` runs an instruction.
        """
        return [BusAccess(*access) for access in self._listing("step_cycles").step()]

    def step_cycles(self) -> int:
        """Run one instruction and return the cycles that it takes."""
        if isinstance(self._native, _core.Flat2A03):
            return self._native.step()
        return len(self._native.step())

    def run_cases(
        self, cases: Iterable[tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]]]
    ) -> list[tuple[Registers, bytes, list[BusAccess]]]:
        """Run single instructions, each on memory of its own.

        Args:
            cases: (registers, ram, addresses) each: PC, S, A, X, Y, P before; the bytes of memory that are not 0, as
                (address, value); the addresses to be read afterwards. This CPU's own memory must be 0 throughout.

        Returns:
            (registers, bytes at the asked addresses, bus accesses) a case.

        Raises:
            TypeError: this kind shows no bus accesses; `run_cases_cycles` runs the same cases.
        """
        native = self._listing("run_cases_cycles")
        results = []
        for before, ram, addresses in cases:
            after, values, accesses = native.step_case(tuple(before), ram, addresses)  # type: ignore[arg-type]
            results.append((Registers(*after), values, [BusAccess(*access) for access in accesses]))
        return results

    def run_cases_cycles(
        self, cases: Iterable[tuple[Sequence[int], Sequence[tuple[int, int]], Sequence[int]]]
    ) -> list[tuple[Registers, bytes, int]]:
        """As `run_cases`, for every kind: the number of cycles stands for the accesses."""
        results = []
        for before, ram, addresses in cases:
            after, values, took = self._native.step_case(tuple(before), ram, addresses)  # type: ignore[arg-type]
            results.append((Registers(*after), values, took if isinstance(took, int) else len(took)))
        return results

    def _listing(self, instead: str) -> _reference.FlatMos6502 | _reference.Flat2A03:
        if isinstance(self._native, _core.Flat2A03):
            raise TypeError(f"the core's CPU shows no bus accesses; {instead} gives the number of cycles")
        return self._native
