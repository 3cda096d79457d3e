"""Faults of a batch's memory: what it takes, what it says that it takes, and whether it is shared or copied."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.harness.faults.adapters.wrapping import Adapter, OverBatches, WrappedBatch

__all__ = ["FAULTS"]

_PICTURE_BYTES = 240 * 256
_HOARD_BYTES = 4096
_FRAME_BYTES = 2048


class StateHoldsAPicture(OverBatches):
    """Each console keeps a picture of its own as part of its state, and says so."""

    wrapper = WrappedBatch

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:
        opened = super().batch_open(rom, lanes, threads, idle_skipping)
        self._pictures = np.zeros((min(lanes, 64), _PICTURE_BYTES), np.uint8)
        return opened

    def batch_memory(self) -> dict[str, int]:
        parts = super().batch_memory()
        return {**parts, "state": parts["state"] + self._pictures.shape[1]}


class HoardsSnapshots(OverBatches):
    """Beside each console lies memory of which nothing is said."""

    wrapper = WrappedBatch

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:
        self._hoard = np.ones((lanes, _HOARD_BYTES), np.uint8)
        return super().batch_open(rom, lanes, threads, idle_skipping)


class KeepsEveryFrame(Adapter):
    """The process keeps something of each frame that the single console makes."""

    def step(self, buttons: bytes, players: int) -> None:
        super().step(buttons, players)
        kept = self.__dict__.setdefault("_frames_kept", [])
        kept += [bytearray(_FRAME_BYTES) for _ in range(len(buttons) // players)]


class _RamCopied(WrappedBatch):
    @property
    def ram(self) -> Any:
        return self.right.ram.copy()


class CopiesInsteadOfSharing(OverBatches):
    """The array that is handed out is a copy of the consoles' RAM."""

    wrapper = _RamCopied


FAULTS = {
    "state-holds-a-picture": StateHoldsAPicture,
    "hoards-snapshots": HoardsSnapshots,
    "keeps-every-frame": KeepsEveryFrame,
    "copies-instead-of-sharing": CopiesInsteadOfSharing,
}
