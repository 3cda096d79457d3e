"""Arrays on a device: memory that several arrays share, and consumers take without a copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from nesproof.emulator import _gpu

__all__ = ["Device", "DeviceArray", "DeviceMemory", "Order"]

_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's numbers for NumPy's kinds."""


class Device(Protocol):
    """What arrays need of a driver; `nesproof.emulator.gpu.driver.Driver` is one."""

    ordinal: int
    device_type: int

    def allocate(self, size_bytes: int) -> int: ...  # noqa: D102
    def free(self, address: int) -> None: ...  # noqa: D102
    def download(self, address: int, out: NDArray[Any], stream: int) -> None: ...  # noqa: D102
    def wait(self, stream: int, event: Any) -> None: ...  # noqa: D102
    def synchronize(self, stream: int) -> None: ...  # noqa: D102


class DeviceMemory:
    """Zeroed bytes on a device, freed with the last array or capsule that refers to them.

    Raises:
        GpuMemoryError: there is not so much.
    """

    def __init__(self, device: Device, size_bytes: int) -> None:
        self.device = device
        self.size_bytes = size_bytes
        self.address = 0
        self.address = device.allocate(size_bytes)

    def __del__(self) -> None:
        if self.address:
            self.device.free(self.address)


class Order:
    """When memory is ready: the stream that writes it, and the event behind what has been written.

    Args:
        stream: its handle.
        event: recorded in it.
        release: gives both back, once no array needs them any more.
    """

    def __init__(self, stream: int, event: Any, release: Callable[[], None] | None = None) -> None:
        self.stream = stream
        self.event = event
        self._release = release

    def __del__(self) -> None:
        if self._release is not None:
            self._release()


class DeviceArray:
    """An array on a GPU: shape, dtype, strides, and the stream that its contents come from.

    `torch.from_dlpack(array)`, `cupy.from_dlpack(array)`, `cupy.asarray(array)` and Numba share its memory; what they
    launch afterwards waits for what the batch has launched before. `numpy()` copies to the host.

    Attributes:
        shape: lengths.
        dtype: NumPy's.
        strides: in bytes.
    """

    def __init__(
        self,
        memory: DeviceMemory,
        shape: tuple[int, ...],
        dtype: DTypeLike,
        order: Order,
        *,
        offset_bytes: int = 0,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self._memory = memory
        self._order = order
        self._offset_bytes = offset_bytes
        self.shape = tuple(int(length) for length in shape)
        self.dtype = np.dtype(dtype)
        self.strides = _contiguous(self.shape, self.dtype.itemsize) if strides is None else strides

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype.name}, device='cuda:{self._memory.device.ordinal}')"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no dimension has no length")
        return self.shape[0]

    @property
    def ndim(self) -> int:
        """How many dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of its elements."""
        return self.size * self.dtype.itemsize

    @property
    def address(self) -> int:
        """Of the first element, on the device."""
        return self._memory.address + self._offset_bytes

    @property
    def stream(self) -> int:
        """The CUDA stream whose work fills it, as the driver's handle."""
        return self._order.stream

    @property
    def is_contiguous(self) -> bool:
        """Whether its elements lie one after the other, the last index fastest."""
        return self.strides == _contiguous(self.shape, self.dtype.itemsize)

    def numpy(self) -> NDArray[Any]:
        """A copy on the host, once the batch's work is done."""
        span = sum((n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True)) + self.dtype.itemsize
        if self.size == 0:
            return np.empty(self.shape, self.dtype)
        host = np.empty(span, np.uint8)
        self._memory.device.download(self.address, host, self._order.stream)
        strided = np.lib.stride_tricks.as_strided(
            host[: self.dtype.itemsize].view(self.dtype), self.shape, self.strides, writeable=False
        )
        return np.ascontiguousarray(strided)

    def __getitem__(self, index: int | slice) -> DeviceArray:
        """Rows of the first dimension: an array on the same memory."""
        if not self.shape:
            raise IndexError("an array of no dimension has no rows")
        if isinstance(index, slice):
            rows = range(self.shape[0])[index]
            if rows.step < 0:
                raise IndexError("rows are taken forwards")
            shape = (len(rows), *self.shape[1:])
            first, stride = (rows.start if len(rows) else 0), self.strides[0] * rows.step
            return self._view(shape, first * self.strides[0], (stride, *self.strides[1:]))
        row = range(self.shape[0])[index]
        return self._view(self.shape[1:], row * self.strides[0], self.strides[1:])

    def column(self, index: int) -> DeviceArray:
        """One index of the second dimension: an array on the same memory."""
        at = range(self.shape[1])[index] * self.strides[1]
        return self._view((self.shape[0], *self.shape[2:]), at, (self.strides[0], *self.strides[2:]))

    def _view(self, shape: tuple[int, ...], offset_bytes: int, strides: tuple[int, ...]) -> DeviceArray:
        return DeviceArray(
            self._memory,
            shape,
            self.dtype,
            self._order,
            offset_bytes=self._offset_bytes + offset_bytes,
            strides=strides,
        )

    # --- For others

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's numbers for kind and index of the device."""
        return self._memory.device.device_type, self._memory.device.ordinal

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """A capsule that shares the memory and keeps it alive.

        Args:
            stream: the consumer's, which from now on waits for the batch's work so far: a handle, 1 for the legacy
                default stream, 2 for the per-thread default stream, -1 for no waiting. None means 1.
            max_version: the newest protocol that the consumer reads.
            dl_device: where the consumer wants it; elsewhere than here is refused.
            copy: True is refused: there is nobody here to own a copy.

        Raises:
            BufferError: another device or a copy was asked for.
        """
        if copy:
            raise BufferError("the array is shared, not copied; copy it with the library that takes it")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the array is on device {self.__dlpack_device__()}, not on {tuple(dl_device)}")
        if stream == 0:
            raise BufferError("stream 0 is ambiguous by the protocol; 1 is the legacy default stream")
        if stream != -1:
            self._let_wait(1 if stream is None else stream)
        width = self.dtype.itemsize
        return _gpu.capsule(
            self._memory,
            self.address,
            self.shape,
            tuple(stride // width for stride in self.strides),
            _CODES[self.dtype.kind],
            8 * width,
            *self.__dlpack_device__(),
            max_version is not None and tuple(max_version) >= (1, 0),
        )

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3 of Numba's protocol: the consumer's stream waits for the one that is named."""
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "version": 3,
            "strides": None if self.is_contiguous else self.strides,
            "stream": self._order.stream or 1,
        }

    def _let_wait(self, stream: int) -> None:
        if stream != self._order.stream:
            self._memory.device.wait(stream, self._order.event)


def _contiguous(shape: tuple[int, ...], width: int) -> tuple[int, ...]:
    strides = []
    for length in reversed(shape):
        strides.append(width)
        width *= max(length, 1)
    return tuple(reversed(strides))
