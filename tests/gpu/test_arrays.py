"""Arrays on a device, over a host's memory: views, and the protocols by which others take them."""

import gc
from typing import Any

import numpy as np
import pytest

from nesproof.emulator import _gpu
from nesproof.emulator.gpu.arrays import DeviceArray, DeviceMemory, Order
from nesproof.emulator.gpu.foreign import ForeignArray, is_on_device


def array(device: Any, shape: tuple[int, ...], dtype: Any = np.uint8, stream: int = 77) -> DeviceArray:
    memory = DeviceMemory(device, int(np.prod(shape)) * np.dtype(dtype).itemsize)
    made = DeviceArray(memory, shape, dtype, Order(stream, "event"))
    values = np.arange(made.size, dtype=dtype).reshape(shape)
    device.upload(made.address, values, stream)
    return made


def test_a_copy_on_the_host(host_gpu: Any) -> None:
    made = array(host_gpu, (3, 4, 5), np.uint16)
    expected = np.arange(60, dtype=np.uint16).reshape(3, 4, 5)
    assert np.array_equal(made.numpy(), expected)
    assert np.array_equal(made[1].numpy(), expected[1])
    assert np.array_equal(made[-1][2].numpy(), expected[-1][2])
    assert np.array_equal(made[0:3:2].numpy(), expected[0:3:2])
    assert np.array_equal(made.column(3).numpy(), expected[:, 3])
    assert (made.ndim, made.size, made.nbytes, len(made)) == (3, 60, 120, 3)
    assert made.is_contiguous
    assert not made.column(0).is_contiguous
    assert array(host_gpu, (0, 7)).numpy().shape == (0, 7)
    for wrong in (3, -4):
        with pytest.raises(IndexError):
            made[wrong]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint64])
def test_memory_is_shared_by_dlpack(host_gpu: Any, dtype: Any) -> None:
    made = array(host_gpu, (4, 6), dtype)
    taken = np.from_dlpack(made)
    assert taken.ctypes.data == made.address
    assert np.array_equal(taken, made.numpy())
    host_gpu.upload(made.address, np.array([9], dtype), 77)
    assert taken[0, 0] == 9
    assert np.array_equal(np.from_dlpack(made.column(2)), made.numpy()[:, 2])


def test_the_capsule_owns_the_memory(host_gpu: Any) -> None:
    made = array(host_gpu, (8,))
    capsule = made.__dlpack__(stream=-1)
    taken = np.from_dlpack(made)
    del made
    gc.collect()
    assert host_gpu.allocations == 1
    del capsule  # nobody took it
    assert taken.sum() == 28
    del taken
    gc.collect()
    assert host_gpu.allocations == 0


def test_a_consumers_stream_waits(host_gpu: Any) -> None:
    made = array(host_gpu, (8,))
    made.__dlpack__(stream=5)
    made.__dlpack__()
    assert host_gpu.waits == [(5, "event"), (1, "event")]
    made.__dlpack__(stream=-1)
    made.__dlpack__(stream=77)  # the batch's own
    assert len(host_gpu.waits) == 2
    with pytest.raises(BufferError, match="ambiguous"):
        made.__dlpack__(stream=0)


def test_what_cannot_be_shared_is_refused(host_gpu: Any) -> None:
    made = array(host_gpu, (8,))
    with pytest.raises(BufferError, match="copied"):
        made.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="not on"):
        made.__dlpack__(dl_device=(2, 0))
    assert made.__dlpack_device__() == (1, 0)


def test_both_versions_of_the_protocol(host_gpu: Any) -> None:
    made = array(host_gpu, (8,))
    assert '"dltensor"' in repr(made.__dlpack__(stream=-1, max_version=None))
    assert '"dltensor_versioned"' in repr(made.__dlpack__(stream=-1, max_version=(1, 1)))
    assert '"dltensor"' in repr(made.__dlpack__(stream=-1, max_version=(0, 8)))


def test_the_cuda_array_interface(host_gpu: Any) -> None:
    made = array(host_gpu, (4, 3), np.uint16)
    assert made.__cuda_array_interface__ == {
        "shape": (4, 3), "typestr": "<u2", "data": (made.address, False), "version": 3, "strides": None, "stream": 77,
    }  # fmt: skip
    assert made.column(1).__cuda_array_interface__["strides"] == (6,)


def test_somebodys_array_is_taken(host_gpu: Any) -> None:
    source = np.arange(12, dtype=np.uint8).reshape(3, 4)
    made = array(host_gpu, (3, 4))
    assert is_on_device(made, host_gpu.device_type)
    assert not is_on_device(made, 2)
    assert not is_on_device(source, host_gpu.device_type)  # NumPy's own are the host's
    taken = ForeignArray(made, stream=-1, ordinal=0)
    assert (taken.address, taken.shape, taken.strides, taken.dtype) == (made.address, (3, 4), (4, 1), np.uint8)
    assert taken.is_contiguous
    assert not ForeignArray(made.column(1), stream=-1, ordinal=0).is_contiguous
    with pytest.raises(ValueError, match="cuda:0, the batch on cuda:1"):
        ForeignArray(made, stream=-1, ordinal=1)
    before = host_gpu.allocations
    del made
    assert host_gpu.allocations == before
    del taken
    assert host_gpu.allocations == before - 1


def test_a_capsule_is_taken_once(host_gpu: Any) -> None:
    capsule = array(host_gpu, (8,)).__dlpack__(stream=-1)
    _gpu.take(capsule)
    with pytest.raises(ValueError, match="unused"):
        _gpu.take(capsule)
