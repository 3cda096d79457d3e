"""The program that a subject is tried out on: the house's, or the only one that it runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.subjects.registry import SubjectDefinition
from nesproof.harness.workloads import load_workload

__all__ = ["CHECK_ROM", "HOUSE", "TITLE_FRAMES", "CheckProgram", "program_for"]

CHECK_ROM = "house/scroller"
"""The ROM that is run: nesproof's own, so that it is always there."""

TITLE_FRAMES = 60


@dataclass(frozen=True, kw_only=True)
class CheckProgram:
    """What a subject is tried out on.

    `counter` is where the program counts its frames: (address, bytes). A timed window begins after `warmup`, a byte a
    frame, and where `wait_for` holds, as in a workload.
    """

    rom: str
    counter: tuple[int, int]
    warmup: bytes = bytes(TITLE_FRAMES)
    wait_for: tuple[tuple[int, int], ...] = ()

    def frames_counted(self, ram: NDArray[np.uint8]) -> int:
        """What its counter says."""
        address, count = self.counter
        return int.from_bytes(ram[address : address + count].tobytes(), "little")


HOUSE = CheckProgram(rom=CHECK_ROM, counter=(0x10, 2))
_OF_WORKLOAD = "world-1-1"
"""The workload that says where another program than the house's is played."""


def program_for(definition: SubjectDefinition) -> CheckProgram:
    """The program to try a subject on: the house's, or the only one that it runs.

    Raises:
        ConfigurationError: nobody has said how that one is played.
    """
    if definition.only_program is None:
        return HOUSE
    workload = load_workload(_OF_WORKLOAD)
    if workload.rom != definition.only_program:
        raise ConfigurationError(
            f"Subject {definition.name} runs {definition.only_program} alone, which no check plays."
        )
    return CheckProgram(
        rom=workload.rom,
        counter=(workload.frame_counter_address, workload.frame_counter_bytes),
        warmup=workload.warmup_buttons(),
        wait_for=workload.wait_for,
    )
