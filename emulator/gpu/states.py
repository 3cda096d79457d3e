"""Snapshots of a batch on a GPU: rows of bytes that stay there, checked there before they are believed."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.emulator._reference import SNAPSHOT_HEADER_BYTES
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.console import Console
from nesproof.emulator.gpu.arrays import DeviceArray, DeviceMemory
from nesproof.emulator.gpu.consoles import GpuConsoles
from nesproof.emulator.gpu.foreign import is_on_device
from nesproof.emulator.lanes import states_of
from nesproof.emulator.snapshot import SnapshotError

__all__ = ["States"]

_NO_ROW = 0xFFFFFFFF


class States:
    """Saving and loading.

    Attributes:
        row_bytes: of a snapshot.
    """

    def __init__(self, consoles: GpuConsoles, cartridge: Cartridge) -> None:
        self._consoles = consoles
        # It knows what a snapshot of this cartridge has to say of itself, and puts what is wrong with one into words.
        self._judge = Console(cartridge, "reference")
        header = np.frombuffer(self._judge.save_state()[:SNAPSHOT_HEADER_BYTES], np.uint8)
        self._header = consoles.uploaded(header)
        self.row_bytes = SNAPSHOT_HEADER_BYTES + consoles.kernels.snapshot_body_bytes

    def save(self, lanes: DeviceMemory, count: int) -> DeviceArray:
        """Of settled consoles, [count, row_bytes]."""
        rows = self._consoles.array((count, self.row_bytes), np.uint8)
        self._consoles.launch(
            "save", count, lanes.address, count, rows.address, self.row_bytes, self._header.address,
            SNAPSHOT_HEADER_BYTES,
        )  # fmt: skip
        return rows

    def load(self, states: Any, lanes: DeviceMemory, count: int) -> None:
        """Put consoles into states: [count, row_bytes] or one for all, from the host or the GPU.

        Raises:
            TypeError, ValueError: another shape or dtype.
            SnapshotError: a row is no whole snapshot of this cartridge; nothing was changed then.
        """
        address, row_stride, keeper = self._rows(states, count)
        self._check(address, row_stride, count if row_stride else min(count, 1))
        self._consoles.launch("load", count, lanes.address, count, address + SNAPSHOT_HEADER_BYTES, row_stride)
        self._consoles.done()
        del keeper

    def _rows(self, states: Any, count: int) -> tuple[int, int, Any]:
        if is_on_device(states, self._consoles.driver.device_type):
            given: Any = self._consoles.foreign(states)
        else:
            given = states_of(states, count)
        if given.dtype != np.uint8:
            raise TypeError(f"states has dtype {given.dtype}; uint8 is needed")
        if given.shape[-1:] != (self.row_bytes,):
            size_bytes = given.shape[-1] if given.shape else 1
            raise SnapshotError(
                f"the snapshot has {size_bytes} bytes; {self.row_bytes} are needed: give all that was saved"
            )
        if given.shape not in ((self.row_bytes,), (1, self.row_bytes), (count, self.row_bytes)):
            raise ValueError(f"states has shape {list(given.shape)}; [{count}, {self.row_bytes}] is needed")
        if given.strides[-1] != 1 or any(stride < 0 for stride in given.strides):
            raise ValueError("the bytes of a state must lie beside each other; pass a contiguous array")
        keeper = self._consoles.uploaded(given) if isinstance(given, np.ndarray) else given
        return keeper.address, (given.strides[0] if given.shape == (count, self.row_bytes) else 0), keeper

    def _check(self, address: int, row_stride: int, count: int) -> None:
        consoles = self._consoles
        worst = consoles.uploaded(np.array([_NO_ROW], np.uint32))
        consoles.launch_alone(
            "check", count, address, count, row_stride, self._header.address, SNAPSHOT_HEADER_BYTES, worst.address
        )
        found = np.empty(1, np.uint32)
        consoles.driver.download(worst.address, found, consoles.order.stream)
        row = int(found[0])
        if row == _NO_ROW:
            return
        state = np.empty(self.row_bytes, np.uint8)
        consoles.driver.download(address + row * row_stride, state, consoles.order.stream)
        self._judge.load_state(state.tobytes())
        raise SnapshotError(
            f"row {row} is not a snapshot of this cartridge; give what a batch or console with it saved"
        )
