"""The consoles of a batch on a GPU: their memory, their kernels, the stream that they are worked on in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from nesproof.emulator.buttons import rows_for_batch
from nesproof.emulator.gpu.arrays import DeviceArray, DeviceMemory, Order
from nesproof.emulator.gpu.errors import GpuMemoryError
from nesproof.emulator.gpu.foreign import ForeignArray, is_on_device
from nesproof.emulator.gpu.held import Held, held_at, held_on_device
from nesproof.emulator.gpu.loaded import LoadedKernels

__all__ = ["LANES", "GpuConsoles"]

LANES = 32
"""Consoles of a tile, and threads of a warp."""


class GpuConsoles:
    """What the parts of a batch share. Nothing here is for several threads at once.

    Attributes:
        driver: the GPU's.
        kernels: loaded there.
        count: consoles, without those that fill up the last tile.
        order: stream and event of everything that is queued.
    """

    def __init__(self, driver: Any, kernels: LoadedKernels, count: int, order: Order) -> None:
        self.driver = driver
        self.kernels = kernels
        self.count = count
        self.order = order
        self._tiles = self._take(self.lanes * kernels.state_bytes, kernels.state_bytes)
        self._buttons = DeviceMemory(driver, 0)
        self._given = DeviceMemory(driver, 0)

    @property
    def lanes(self) -> int:
        """Consoles with those that fill up the last tile."""
        return -(-self.count // LANES) * LANES

    @property
    def tiles(self) -> int:
        """Where the consoles lie."""
        return self._tiles.address

    # --- Work

    def launch(self, name: str, threads: int, *arguments: int) -> None:
        """Queue a kernel whose first argument is where the consoles lie."""
        self.kernels.launch(name, threads, (self._tiles.address, *arguments), self.order.stream)

    def launch_alone(self, name: str, threads: int, *arguments: int) -> None:
        """Queue a kernel that needs no console."""
        self.kernels.launch(name, threads, arguments, self.order.stream)

    def done(self) -> None:
        """Consumers of what has been queued so far wait for this point."""
        self.driver.record(self.order.event, self.order.stream)

    def settle(self) -> None:
        """Bring every field up to now, as looking from outside needs."""
        self.launch("settle", self.count, self.count)

    # --- Memory

    def array(self, shape: tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """A fresh array on the GPU, a row a console.

        Raises:
            GpuMemoryError: it does not fit.
        """
        size_bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        return DeviceArray(self._take(size_bytes, size_bytes // max(1, shape[0])), shape, dtype, self.order)

    def uploaded(self, data: NDArray[Any]) -> DeviceMemory:
        """A host array's bytes on the GPU."""
        memory = DeviceMemory(self.driver, data.nbytes)
        if data.nbytes:
            self.driver.upload(memory.address, np.ascontiguousarray(data), self.order.stream)
        return memory

    def result(self, shape: tuple[int, ...], dtype: DTypeLike, out: Any) -> Any:
        """Where a result goes: `out` where given, else a fresh array.

        Raises:
            TypeError, ValueError: `out` is not on the GPU, or has another shape or dtype.
        """
        if out is None:
            return self.array(shape, dtype)
        if not is_on_device(out, self.driver.device_type):
            raise TypeError(f"out is an array on cuda:{self.driver.ordinal}, not {type(out).__name__}")
        target = self.foreign(out)
        if target.shape != shape or target.dtype != np.dtype(dtype) or not target.is_contiguous:
            raise ValueError(f"out is a contiguous array {list(shape)} of {np.dtype(dtype)}")
        return target

    def foreign(self, array: Any) -> ForeignArray:
        """Somebody's array on the GPU, once whoever fills it is done."""
        return ForeignArray(array, stream=self.order.stream, ordinal=self.driver.ordinal)

    # --- Buttons

    def held(self, buttons: Any, frames: int | None, record: str) -> Held:
        """What a step is given, checked and on the GPU.

        Raises:
            TypeError, ValueError: another dtype, shape or number.
        """
        if is_on_device(buttons, self.driver.device_type):
            return held_on_device(self.foreign(buttons), self.count, frames, record)
        rows, frame_count, _ = rows_for_batch(buttons, self.count, frames, record)
        # The same memory for every step: the stream keeps the order, and freeing memory would wait for it.
        self._given = self._grown(self._given, rows.nbytes)
        self.driver.upload(self._given.address, rows, self.order.stream)
        return held_at(self._given, rows.shape, rows.strides, frame_count)

    def rows_of(self, held: Held, first: int, frames: int) -> int:
        """The address of [count, frames, 2] bytes: held from a frame of the step on; until it is asked again."""
        self._buttons = self._grown(self._buttons, self.count * frames * 2)
        self.launch_alone(
            "spread_buttons", self.count * frames,
            held.address + first * held.frame_stride, held.console_stride, held.frame_stride, held.players,
            self._buttons.address, self.count, frames,
        )  # fmt: skip
        return self._buttons.address

    def _grown(self, memory: DeviceMemory, size_bytes: int) -> DeviceMemory:
        return memory if memory.size_bytes >= size_bytes else self._take(size_bytes, size_bytes // self.count)

    def _take(self, size_bytes: int, bytes_each: int) -> DeviceMemory:
        free = self.driver.free_bytes()
        try:
            if size_bytes > free:
                raise GpuMemoryError
            return DeviceMemory(self.driver, size_bytes)
        except GpuMemoryError:
            fit = int(free * 0.95) // max(1, bytes_each) // LANES * LANES
            raise GpuMemoryError(
                f"{self.count} consoles need {size_bytes / 2**30:.1f} GiB of GPU memory for this, and "
                f"{free / 2**30:.1f} GiB are free on {self.driver.name}: about {fit} fit."
            ) from None
