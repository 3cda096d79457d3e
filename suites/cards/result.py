"""Where a card says how it went: at `$6000`, or for whoever does not show that, in its RAM."""

from __future__ import annotations

from collections.abc import Collection

from nesproof.harness.subjects.client import Subject
from nesproof.roms_manifest import Run
from nesproof.suites.hardware_roms.playback import Report, Watcher
from nesproof.suites.hardware_roms.watchers import watcher_for

__all__ = ["RamWatcher", "card_watcher"]

_PHASE, _RESULT = 0x12, 0x13
_DECIDED = {1, 2}
"""The phases of a card: 0 while it tests, 1 while it shows its verdict, 2 in the show."""


class RamWatcher:
    """The card's own bytes: its phase at `$12`, and at `$13` the number of the first test that failed, or 0."""

    way = "the result in RAM"
    frames_between_looks = 4

    def look(self, subject: Subject) -> Report | None:
        """The result once the card has come to its verdict."""
        ram = subject.read_ram()
        if int(ram[_PHASE]) not in _DECIDED:
            return None
        result = int(ram[_RESULT])
        return Report(passed=result == 0, reason=f"Result {result:02X} at ${_RESULT:02X}.")

    def so_far(self, subject: Subject) -> str:
        """The phase that it is in."""
        return f"its phase at ${_PHASE:02X} is {int(subject.read_ram()[_PHASE]):02X}."


def card_watcher(run: Run, rom: bytes, capabilities: Collection[str]) -> Watcher:
    """The watcher of a card for a subject with these capabilities, "peek" or "ram" among them."""
    return watcher_for(run, rom, capabilities) if "peek" in capabilities else RamWatcher()
