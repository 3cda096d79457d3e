"""The batch on the CPU: the core over host threads, and the GPU's layout and schedule beside it for tests."""
# ruff: noqa: D102 - what a method does is said once, in Batch

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nesproof.emulator import _core
from nesproof.emulator.batching import Batch, BatchMemory, Record
from nesproof.emulator.buttons import rows_for_batch
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.native import native_arguments
from nesproof.emulator.lanes import Mask, addresses_of, lanes_of, room_for, states_of
from nesproof.emulator.palette import grey_palette, rgb_palette

__all__ = ["HostBatch"]

_LANES_OF_A_TILE = 32


class HostBatch(Batch):
    """`Batch` for "cpu" and "hostsim". Arrays are NumPy's; views share the batch's memory and keep it alive."""

    def __init__(
        self,
        cartridge: Cartridge,
        num_envs: int,
        device: str = "cpu",
        *,
        threads: int | None = None,
        idle_skipping: bool = True,
        emphasis: bool = False,
    ) -> None:
        super().__init__(cartridge, num_envs, device, threads=threads, idle_skipping=idle_skipping, emphasis=emphasis)
        interleaved = device == "hostsim"
        # More threads than there are consoles, or tiles of them, would only wait.
        shares = -(-self._num_envs // _LANES_OF_A_TILE) if interleaved else self._num_envs
        self._native = _core.Batch(
            _core.Cartridge(**native_arguments(cartridge), idle_skipping=self._idle_skipping),
            count=self._num_envs,
            interleaved=interleaved,
            threads=min(self._wanted_threads or _cores(), shares),
            emphasis=self._emphasis,
        )

    def close(self) -> None:
        self._native.close()

    @property
    def threads(self) -> int:
        return self._native.threads

    @property
    def memory(self) -> BatchMemory:
        return BatchMemory(*self._native.memory())

    # --- Power and time

    def power_on(self, mask: Mask = None, *, fill: int = 0) -> None:
        if not 0 <= fill <= 0xFF:
            raise ValueError(f"fill is {fill}; it must be 0 to 255")
        self._native.power_on(lanes_of(mask, self._num_envs), fill)

    def press_reset(self, mask: Mask = None) -> None:
        self._native.press_reset(lanes_of(mask, self._num_envs))

    def step(self, buttons: ArrayLike = 0, frames: int | None = None, *, record: Record = "none") -> None:
        # What is in its plainest form already is run at once; anything else is checked, and put in that form.
        if not self._native.step(buttons, frames, record):
            self._native.step(*rows_for_batch(buttons, self._num_envs, frames, record))

    @property
    def frame_count(self) -> NDArray[np.uint64]:
        return self._native.frame_count()

    # --- Pictures

    def draw(self) -> Any:
        return self._native.draw()

    @property
    def frame(self) -> Any:
        return self._native.frame()

    @property
    def frames(self) -> Any:
        return self._native.frames()

    def rgb(self, out: Any = None) -> Any:
        room = room_for(out, (self._num_envs, 240, 256, 3))
        self._native.rgb(_colours(), room)
        return room

    def grey(self, out: Any = None) -> Any:
        room = room_for(out, (self._num_envs, 240, 256))
        self._native.grey(_colours(), room)
        return room

    # --- Memory

    def read(self, addresses: ArrayLike, out: Any = None) -> Any:
        wanted = addresses_of(addresses)
        room = room_for(out, (self._num_envs, len(wanted)))
        self._native.read(wanted, room)
        return room

    def read_ram(self, out: Any = None) -> Any:
        room = room_for(out, (self._num_envs, 2048))
        self._native.read_ram(room)
        return room

    @property
    def ram(self) -> NDArray[np.uint8]:
        return self._native.ram()

    # --- State

    @property
    def snapshot_bytes(self) -> int:
        return self._native.snapshot_bytes

    def save_states(self, mask: Mask = None) -> NDArray[np.uint8]:
        return self._native.save_states(lanes_of(mask, self._num_envs))

    def load_states(self, states: Any, mask: Mask = None) -> None:
        lanes = lanes_of(mask, self._num_envs)
        self._native.load_states(states_of(states, len(lanes)), lanes)

    def digest(self) -> NDArray[np.uint64]:
        return self._native.digest()


@lru_cache(maxsize=1)
def _colours() -> _core.Colours:
    return _core.Colours(rgb_palette(), grey_palette())


def _cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
