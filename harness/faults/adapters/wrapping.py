"""What faults of batches stand on: a batch that passes on whatever the fault leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.subjects.lane_console import LaneConsole

if TYPE_CHECKING:
    from nesproof.harness.subjects.core_adapter import CoreAdapter as Adapter
else:
    Adapter = object

__all__ = ["Adapter", "OverBatches", "WrappedBatch", "is_lane", "lanes_in", "rows_of", "step_rows"]


class WrappedBatch:
    """A batch inside another object, to which a fault's class adds; it knows how it was asked for, and by whom."""

    def __init__(self, right: Any, *, adapter: Any, threads: int | None, idle_skipping: bool) -> None:
        self.right = right
        self.adapter = adapter
        self.asked_threads = threads
        self.skips_idle_loops = idle_skipping

    def __getattr__(self, name: str) -> Any:
        return getattr(self.right, name)

    @property
    def count(self) -> int:
        """How many consoles."""
        return int(self.right.num_envs)


class OverBatches(Adapter):
    """Puts `wrapper` around every batch that the adapter makes, the one behind a device's single console too."""

    wrapper: type[WrappedBatch]

    def _make_batch(
        self, rom: bytes, lanes: int, *, threads: int | None, idle_skipping: bool, emphasis: bool = False
    ) -> Any:
        right = super()._make_batch(rom, lanes, threads=threads, idle_skipping=idle_skipping, emphasis=emphasis)
        return self.wrapper(right, adapter=self, threads=threads, idle_skipping=idle_skipping)


def rows_of(buttons: Any, lanes: int) -> NDArray[np.uint8]:
    """A step's buttons as uint8 [N, F, players], a copy."""
    rows = np.array(buttons, np.uint8)
    return rows.reshape(lanes, rows.shape[1] if rows.ndim > 1 else 1, -1)


def step_rows(batch: Any, rows: NDArray[np.uint8], record: str) -> None:
    """Step a batch with buttons [N, F, players]; nothing happens where F is 0."""
    if rows.shape[1]:
        held = rows[:, :, 0] if rows.shape[2] == 1 else rows
        batch.step(np.ascontiguousarray(held), frames=rows.shape[1], record=record)


def lanes_in(mask: Any, count: int) -> NDArray[np.int64]:
    """The lanes that a mask chooses, in its order."""
    if mask is None:
        return np.arange(count)
    chosen = np.asarray(mask)
    return np.flatnonzero(chosen) if chosen.dtype == bool else chosen.astype(np.int64)


def is_lane(adapter: Any) -> bool:
    """Whether the adapter's single console is a lane of a batch, which the fault of batches then reaches."""
    return isinstance(adapter._loaded, LaneConsole)
