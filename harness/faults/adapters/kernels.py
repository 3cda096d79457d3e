"""Faults of the kernels in figures: what they take of a GPU, how long they compile, which lanes their schedule runs."""

from __future__ import annotations

from typing import Any

from nesproof.harness.faults.adapters.wrapping import Adapter

__all__ = ["FAULTS"]

_MOST_REGISTERS = 255
_SPILLED_BYTES = 64


class KernelsTakeAllRegisters(Adapter):
    """Nothing limits a thread's registers: each kernel takes twice as many, or all that there are."""

    def compile_kernels(self, rom: bytes, arch: str) -> dict[str, Any]:
        return _with_functions(
            super().compile_kernels(rom, arch),
            lambda one: {"registers": min(2 * (one["registers"] or 0), _MOST_REGISTERS)} if one["is_kernel"] else {},
        )


class KernelsSpill(Adapter):
    """Each kernel moves sixteen registers to memory and back."""

    def compile_kernels(self, rom: bytes, arch: str) -> dict[str, Any]:
        return _with_functions(
            super().compile_kernels(rom, arch),
            lambda one: (
                {
                    "spill_store_bytes": one["spill_store_bytes"] + _SPILLED_BYTES,
                    "spill_load_bytes": one["spill_load_bytes"] + _SPILLED_BYTES,
                }
                if one["is_kernel"]
                else {}
            ),
        )


class FunctionsSaveTwiceAsMuch(Adapter):
    """The functions that kernels call keep twice as many registers for their callers."""

    def compile_kernels(self, rom: bytes, arch: str) -> dict[str, Any]:
        return _with_functions(
            super().compile_kernels(rom, arch),
            lambda one: (
                {} if one["is_kernel"] else {name: 2 * one[name] for name in ("spill_store_bytes", "spill_load_bytes")}
            ),
        )


class CompilesManyTimesOver(Adapter):
    """For one architecture the kernels are compiled as often as there are threads in a warp."""

    def compile_kernels(self, rom: bytes, arch: str) -> dict[str, Any]:
        compiled = super().compile_kernels(rom, arch)
        return {**compiled, "compile_seconds": 32 * compiled["compile_seconds"]}


class RunsTheLargestGroup(Adapter):
    """The schedule runs the largest group of a warp's lanes where it is asked for the smallest key."""

    def model_warps(self, rom: bytes, states: bytes, buttons: bytes, args: dict[str, Any]) -> dict[str, float]:
        schedule = "largest-group" if args["schedule"] == "smallest-key" else args["schedule"]
        return super().model_warps(rom, states, buttons, {**args, "schedule": schedule})


class LanesNotInterleaved(Adapter):
    """Each lane's RAM lies in one piece, so that the lanes of a warp find the same byte of theirs in sectors apart."""

    def model_warps(self, rom: bytes, states: bytes, buttons: bytes, args: dict[str, Any]) -> dict[str, float]:
        figures = super().model_warps(rom, states, buttons, args)
        apart = figures["ram_sectors_one_by_one"]
        each = figures["ram_sectors_an_instruction"] / figures["ram_sectors"]
        return {**figures, "ram_sectors": apart, "ram_sectors_an_instruction": each * apart}


def _with_functions(compiled: dict[str, Any], changed: Any) -> dict[str, Any]:
    return {**compiled, "functions": [{**one, **changed(one)} for one in compiled["functions"]]}


FAULTS = {
    "kernels-take-all-registers": KernelsTakeAllRegisters,
    "kernels-spill": KernelsSpill,
    "functions-save-twice-as-much": FunctionsSaveTwiceAsMuch,
    "compiles-many-times-over": CompilesManyTimesOver,
    "runs-the-largest-group": RunsTheLargestGroup,
    "lanes-not-interleaved": LanesNotInterleaved,
}
