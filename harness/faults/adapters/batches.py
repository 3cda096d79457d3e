"""Faults of how a batch is stepped: its threads and its idle skipping change what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.harness.faults.adapters.wrapping import OverBatches, WrappedBatch, rows_of, step_rows

__all__ = ["FAULTS"]


class _ThreadsMatter(WrappedBatch):
    def step(self, buttons: Any = 0, frames: int | None = None, *, record: str = "none") -> None:  # noqa: ARG002
        rows = rows_of(buttons, self.count)
        if self.asked_threads not in {None, 1}:
            rows[-1] ^= 1
        step_rows(self.right, rows, record)


class ThreadsMatter(OverBatches):
    """The last lane's share goes wrong as soon as more than one thread steps."""

    wrapper = _ThreadsMatter


class OneThreadOnly(OverBatches):
    """However many threads are asked for, one steps; every result is right."""

    wrapper = WrappedBatch

    def _make_batch(
        self,
        rom: bytes,
        lanes: int,
        *,
        threads: int | None,  # noqa: ARG002
        idle_skipping: bool,
        emphasis: bool = False,
    ) -> Any:
        return super()._make_batch(rom, lanes, threads=1, idle_skipping=idle_skipping, emphasis=emphasis)


class _SkippingMatters(WrappedBatch):
    def step(self, buttons: Any = 0, frames: int | None = None, *, record: str = "none") -> None:
        self.right.step(buttons, frames, record=record)
        if not self.skips_idle_loops:
            self.right.step(np.zeros((self.count, 1), np.uint8), frames=1)


class IdleSkippingMatters(OverBatches):
    """With every instruction executed, a call runs a frame more."""

    wrapper = _SkippingMatters


class IdleSkippingIgnored(OverBatches):
    """No loop is skipped, whatever is asked for; every result is right."""

    wrapper = WrappedBatch

    def _make_batch(
        self,
        rom: bytes,
        lanes: int,
        *,
        threads: int | None,
        idle_skipping: bool,  # noqa: ARG002
        emphasis: bool = False,
    ) -> Any:
        return super()._make_batch(rom, lanes, threads=threads, idle_skipping=False, emphasis=emphasis)


FAULTS = {
    "threads-matter": ThreadsMatter,
    "one-thread-only": OneThreadOnly,
    "idle-skipping-matters": IdleSkippingMatters,
    "idle-skipping-ignored": IdleSkippingIgnored,
}
