"""Faults of one console: its power, its reset, what it reads as, and which cartridges it takes."""

from __future__ import annotations

import contextlib
import os

from nesproof.harness.faults.adapters.wrapping import Adapter

__all__ = ["FAULTS"]

_SCRATCH = 0x7FF
"""A byte of RAM that the house ROMs do not use."""


class ProcessIdLeaks(Adapter):
    def step(self, buttons: bytes, players: int) -> None:
        super().step(buttons, players)
        self.poke(_SCRATCH, os.getpid() & 0xFF)


class ResetDoesNothing(Adapter):
    def press_reset(self) -> None:
        pass


class PowerOnKeepsRam(Adapter):
    """Switching it off and on is the reset button."""

    def power_on(self, fill: int) -> None:  # noqa: ARG002
        super().press_reset()


class PowerOnFillIgnored(Adapter):
    def power_on(self, fill: int) -> None:  # noqa: ARG002
        super().power_on(0)


class LoadsAnyCartridge(Adapter):
    def load(self, rom: bytes) -> None:
        with contextlib.suppress(ValueError):
            super().load(rom)


class RefusesWithoutReason(Adapter):
    def load(self, rom: bytes) -> None:
        try:
            super().load(rom)
        except ValueError:
            raise ValueError("no") from None


class PeeksReadZero(Adapter):
    def peek(self, addresses: list[int]) -> bytes:
        return bytes(len(addresses))


class RamNeverReadsZero(Adapter):
    def read_ram(self) -> bytes:
        return bytes(value or 1 for value in super().read_ram())


class NametableLosesAnEntry(Adapter):
    """One line of a test program's menu says that it failed."""

    def read_nametables(self) -> bytes:
        return super().read_nametables().replace(b"OK LAX", b"4E LAX")


FAULTS = {
    "process-id-leaks": ProcessIdLeaks,
    "reset-does-nothing": ResetDoesNothing,
    "power-on-keeps-ram": PowerOnKeepsRam,
    "power-on-fill-ignored": PowerOnFillIgnored,
    "loads-any-cartridge": LoadsAnyCartridge,
    "refuses-without-reason": RefusesWithoutReason,
    "peeks-read-zero": PeeksReadZero,
    "ram-never-reads-zero": RamNeverReadsZero,
    "nametable-loses-an-entry": NametableLosesAnEntry,
}
