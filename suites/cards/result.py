"""Where a card says how it went: at `$6000`, or for whoever does not show that, in its RAM."""

from __future__ import annotations

from collections.abc import Collection

from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.roms_manifest import Run
from nesproof.suites.hardware_roms.playback import Report, ResetWanted, Watcher
from nesproof.suites.hardware_roms.watchers import watcher_for

__all__ = ["CardWatcher", "RamWatcher", "card_watcher"]

_PHASE, _RESULT = 0x12, 0x13
_DECIDED = {1, 2}
"""The phases of a card: 0 while it tests, 1 while it shows its verdict, 2 in the show."""
_LOOKS_WITHOUT_STATUS = 3
"""The status is written before the phase changes, so that it is missing for good after so many looks."""


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


class CardWatcher:
    """The status at `$6000`; and where there is none, since many boards have no RAM there, the result in RAM."""

    frames_between_looks = 4

    def __init__(self, status: Watcher | None, ram: RamWatcher | None) -> None:
        self._status = status
        self._ram = ram
        self._decided_looks = 0
        self.way = RamWatcher.way

    def look(self, subject: Subject) -> Report | ResetWanted | None:
        """The status, or a result that has stood in RAM for several looks without one."""
        if self._status is not None:
            try:
                report = self._status.look(subject)
            except SubjectRefused:  # the subject shows nothing of these addresses
                self._status = report = None
            if report is not None:
                self.way = self._status.way if self._status is not None else self.way
                return report
        report = None if self._ram is None else self._ram.look(subject)
        self._decided_looks += report is not None
        return report if self._status is None or self._decided_looks > _LOOKS_WITHOUT_STATUS else None

    def so_far(self, subject: Subject) -> str:
        """What can be seen of it."""
        seen = [watcher.so_far(subject) for watcher in (self._status, self._ram) if watcher is not None]
        return " ".join(seen)


def card_watcher(run: Run, rom: bytes, capabilities: Collection[str]) -> CardWatcher:
    """The watcher of a card for a subject with these capabilities, "peek" or "ram" among them."""
    return CardWatcher(
        watcher_for(run, rom, capabilities) if "peek" in capabilities else None,
        RamWatcher() if "ram" in capabilities else None,
    )
