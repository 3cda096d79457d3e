"""Faults of the timed loop alone: what it leaves out makes it fast, and nothing else shows it."""

from __future__ import annotations

from typing import Any

from nesproof.harness.faults.adapters.wrapping import Adapter, OverBatches, WrappedBatch

__all__ = ["FAULTS"]

_COUNTERS = (0x09, 0x10)
"""Where the workloads' games count their frames."""


class _NotDrawnWhileTimed(WrappedBatch):
    def draw(self) -> Any:
        return None if self.adapter.is_timed else self.right.draw()


class DrawsNothingWhileTimed(OverBatches):
    """Frames are recorded on the clock and never drawn."""

    wrapper = _NotDrawnWhileTimed
    is_timed = False

    def time_run(self, rom: bytes, buttons: bytes, warmup_frames: int, frames: int, draw: str, **further: Any) -> int:
        self.is_timed = True
        try:
            return super().time_run(rom, buttons, warmup_frames, frames, draw, **further)
        finally:
            self.is_timed = False


class DrawsTheLastFrameAlone(DrawsNothingWhileTimed):
    """The timed loop draws once, at the end of the window that it is usually given."""

    _longest = 0

    def time_run(self, rom: bytes, buttons: bytes, warmup_frames: int, frames: int, draw: str, **further: Any) -> int:
        elapsed_ns = super().time_run(rom, buttons, warmup_frames, frames, draw, **further)
        self._longest = max(self._longest, frames)
        if draw != "none" and frames == self._longest:
            self._consoles.draw()
        return elapsed_ns


class RamOfAFrameAgo(Adapter):
    """RAM is read as it was: the game's frame counter stands one lower."""

    def read_ram(self) -> bytes:
        return _earlier(super().read_ram())

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        return _earlier(super().batch_read_ram(lanes))


def _earlier(ram: bytes) -> bytes:
    changed = bytearray(ram)
    for address in _COUNTERS:
        changed[address] = (changed[address] - 1) & 0xFF
    return bytes(changed)


FAULTS = {
    "draws-nothing-while-timed": DrawsNothingWhileTimed,
    "draws-the-last-frame-alone": DrawsTheLastFrameAlone,
    "ram-of-a-frame-ago": RamOfAFrameAgo,
}
