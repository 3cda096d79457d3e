"""What a step is given as buttons, as rows on the GPU that a kernel can read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nesproof.emulator.buttons import rows_for_batch
from nesproof.emulator.gpu.arrays import DeviceMemory
from nesproof.emulator.gpu.foreign import ForeignArray

__all__ = ["Held", "held_at", "held_on_device"]


@dataclass(frozen=True)
class Held:
    """Buttons on the GPU.

    Attributes:
        address: of console 0's first byte.
        console_stride, frame_stride: bytes from one to the next; 0 where all frames have the same.
        players: 1 or 2 bytes beside each other.
        frames: how many frames the step has.
        keeper: what keeps the memory alive.
    """

    address: int
    console_stride: int
    frame_stride: int
    players: int
    frames: int
    keeper: Any


def held_at(rows: DeviceMemory | ForeignArray, shape: tuple[int, ...], strides: tuple[int, ...], frames: int) -> Held:
    """Of checked rows [N], [N, F] or [N, F, 2].

    Raises:
        ValueError: a stride that the kernel does not read.
    """
    if any(stride < 0 for stride in strides) or (len(shape) == 3 and strides[2] != 1):
        raise ValueError("buttons lies in memory in a way that is not supported; pass a contiguous array")
    frame_stride = strides[1] if len(shape) > 1 else 0
    return Held(rows.address, strides[0], frame_stride, 2 if len(shape) == 3 else 1, frames, rows)


def held_on_device(array: ForeignArray, num_envs: int, frames: int | None, record: str) -> Held:
    """Of somebody's array; it is held to what an array of the host is held to.

    Raises:
        TypeError, ValueError: as `rows_for_batch`.
    """
    # Rules are about shape and dtype alone, so an array without memory of its own is asked in its place.
    stand_in = np.broadcast_to(np.zeros((), array.dtype), array.shape)
    _, frame_count, _ = rows_for_batch(stand_in, num_envs, frames, record)
    return held_at(array, array.shape, array.strides, frame_count)
