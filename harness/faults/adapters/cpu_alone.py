"""Faults of the CPU that runs alone, as its tests see it."""

from __future__ import annotations

from typing import Any

from nesproof.harness.faults.adapters.wrapping import Adapter

__all__ = ["FAULTS"]


class RunCountsACycleTooFew(Adapter):
    def run_flat_cpu(self, variant: Any, memory: bytes, pc: int, max_instructions: int) -> dict[str, int | bool]:
        run = super().run_flat_cpu(variant, memory, pc, max_instructions)
        return {**run, "cycles": run["cycles"] - 1}


class BusAccessesOutOfOrder(Adapter):
    """The first two accesses of an instruction are shown in the other order."""

    def step_flat_cpu(self, cases: list[Any]) -> list[Any]:
        return [
            (after, values, cycles if isinstance(cycles, int) else [*cycles[1::-1], *cycles[2:]])
            for after, values, cycles in super().step_flat_cpu(cases)
        ]


class InstructionsTakeACycleMore(Adapter):
    """The CPU that runs alone takes a cycle more for each instruction than it says on the console."""

    def step_flat_cpu(self, cases: list[Any]) -> list[Any]:
        return [
            (after, values, cycles + 1 if isinstance(cycles, int) else [*cycles, cycles[-1]])
            for after, values, cycles in super().step_flat_cpu(cases)
        ]


FAULTS = {
    "run-counts-a-cycle-too-few": RunCountsACycleTooFew,
    "bus-accesses-out-of-order": BusAccessesOutOfOrder,
    "instructions-take-a-cycle-more": InstructionsTakeACycleMore,
}
