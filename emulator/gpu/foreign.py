"""Other libraries' arrays on the batch's GPU, taken by DLPack without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from nesproof.emulator import _gpu

__all__ = ["ForeignArray", "is_on_device", "stream_handle"]

_CODES = {0: "i", 1: "u", 2: "f", 6: "b"}


class ForeignArray:
    """What an array on the device holds, kept alive for as long as this object is.

    Attributes:
        address: of its first element.
        shape: lengths.
        strides: in bytes.
        dtype: NumPy's.
    """

    def __init__(self, array: Any, *, stream: int, ordinal: int) -> None:
        """Let the stream wait for whoever fills the array.

        Raises:
            ValueError: it lies on another GPU.
            TypeError: its elements are of no type that NumPy has.
        """
        keeper, address, shape, strides, code, bits, lanes, _type, device_id = _gpu.take(
            array.__dlpack__(stream=stream)
        )
        if device_id != ordinal:
            raise ValueError(f"the array is on cuda:{device_id}, the batch on cuda:{ordinal}; copy it there")
        if lanes != 1 or code not in _CODES:
            raise TypeError("the array's elements are neither bools nor integers nor floats")
        self._keeper = keeper
        self.address = address
        self.shape = tuple(shape)
        self.dtype = np.dtype(f"{_CODES[code]}{bits // 8}" if code != 6 else "bool")
        self.strides = tuple(stride * self.dtype.itemsize for stride in strides)

    @property
    def is_contiguous(self) -> bool:
        """Whether its elements lie one after the other, the last index fastest."""
        width = self.dtype.itemsize
        for length, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if length > 1 and stride != width:
                return False
            width *= length
        return True


def is_on_device(array: object, device_type: int) -> bool:
    """Whether it says by DLPack that it lies on such a device."""
    where = getattr(array, "__dlpack_device__", None)
    return where is not None and not isinstance(array, np.ndarray) and int(where()[0]) == device_type


def stream_handle(stream: Any) -> int:
    """The driver's handle of a stream: an int, an object with `__cuda_stream__`, or PyTorch's.

    Raises:
        TypeError: it is none of them.
    """
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        return int((protocol() if callable(protocol) else protocol)[1])
    handle = getattr(stream, "cuda_stream", None)
    if isinstance(handle, int):
        return handle
    raise TypeError(f"a stream is its handle or an object with __cuda_stream__, not {type(stream).__name__}")
