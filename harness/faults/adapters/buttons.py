"""Faults of the controllers and of the frames that are stepped with them, in consoles and in batches alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.faults.adapters.wrapping import Adapter, OverBatches, WrappedBatch, is_lane, rows_of, step_rows

__all__ = ["FAULTS", "Rows", "Spoilt"]

_EVERY = 8
"""One frame of so many is not run."""
_LONG_CALL_FRAMES = 20

Rows = NDArray[np.uint8]
"""Buttons, uint8 [lanes, frames, players]."""


def _swapped(rows: Rows, first: int, second: int) -> Rows:
    one, other = rows >> first & 1, rows >> second & 1
    changed: Rows = (rows & ~np.uint8(1 << first | 1 << second) | one << second | other << first).astype(np.uint8)
    return changed


class _SpoiltSteps(WrappedBatch):
    """A batch whose steps get other rows than they were given; `spoil` is the adapter's own."""

    spoil: Any

    def step(self, buttons: Any = 0, frames: int | None = None, *, record: str = "none") -> None:  # noqa: ARG002
        step_rows(self.right, self.spoil(rows_of(buttons, self.count), self), record)


class Spoilt(OverBatches):
    """The frames that are stepped are others than those that were asked for."""

    def spoil(self, rows: Rows, stepped: Any) -> Rows:
        """What is stepped instead. `stepped` is who steps, a place for what the fault remembers."""
        raise NotImplementedError

    def _make_batch(
        self, rom: bytes, lanes: int, *, threads: int | None, idle_skipping: bool, emphasis: bool = False
    ) -> Any:
        self.wrapper = type("Spoilt", (_SpoiltSteps,), {"spoil": staticmethod(self.spoil)})
        return super()._make_batch(rom, lanes, threads=threads, idle_skipping=idle_skipping, emphasis=emphasis)

    def step(self, buttons: bytes, players: int) -> None:
        """Steps the one console, where it is no lane."""
        if not is_lane(self):
            rows = self.spoil(np.frombuffer(buttons, np.uint8).copy().reshape(1, -1, players), self)
            buttons = rows.tobytes()
        if buttons:
            super().step(buttons, players)

    def time_run(self, rom: bytes, buttons: bytes, warmup_frames: int, frames: int, draw: str, **further: Any) -> int:
        """Times what steps without a batch: a batch is spoilt by itself."""
        if not hasattr(self, "batch_open"):
            window = np.frombuffer(buttons, np.uint8)[warmup_frames:].reshape(1, -1, 1).copy()
            window = self.spoil(window, self)
            buttons, frames = buttons[:warmup_frames] + window.tobytes(), window.shape[1]
        return super().time_run(rom, buttons, warmup_frames, frames, draw, **further)


class SkipsFrames(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:
        done = getattr(stepped, "frames_asked_for", 0)
        stepped.frames_asked_for = done + rows.shape[1]
        numbers = np.arange(done, done + rows.shape[1])
        return rows[:, numbers % _EVERY != _EVERY - 1]


class LongCallsLoseAFrame(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        return rows[:, 1:] if rows.shape[1] > _LONG_CALL_FRAMES else rows


class ButtonsLost(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        return np.zeros_like(rows)


class SwapsAAndB(Spoilt):
    def spoil(self, rows: Rows, stepped: Any) -> Rows:  # noqa: ARG002
        return _swapped(rows, 0, 1)


class SwapsUpAndDown(Adapter):
    """In the single console alone: a batch has another way to its buttons."""

    def step(self, buttons: bytes, players: int) -> None:
        super().step(_swapped(np.frombuffer(buttons, np.uint8), 4, 5).tobytes(), players)


FAULTS = {
    "skips-frames": SkipsFrames,
    "long-calls-lose-a-frame": LongCallsLoseAFrame,
    "buttons-lost": ButtonsLost,
    "swaps-a-and-b": SwapsAAndB,
    "swaps-up-and-down": SwapsUpAndDown,
}
