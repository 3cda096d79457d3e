"""A batch of one lane as a console: for devices that hold batches alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nesproof.emulator.batching import Batch

__all__ = ["LaneConsole", "on_host"]


def on_host(array: Any) -> NDArray[Any]:
    """A batch's array as NumPy's; one that lies on a GPU is copied."""
    if isinstance(array, np.ndarray):
        return array
    return np.asarray(array.numpy() if hasattr(array, "numpy") else array)


class LaneConsole:
    """As much of the face of `nesproof.emulator.Console` as a batch offers that keeps the emphasis of its pixels."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def power_on(self, fill: int) -> None:
        """Switch it off and on; RAM holds `fill`."""
        self._batch.power_on(fill=fill)

    def press_reset(self) -> None:
        """The console's button."""
        self._batch.press_reset()

    def step(self, buttons: NDArray[np.uint8]) -> None:
        """Frames with buttons [F] or [F, 2]; the last one is drawn when somebody looks."""
        self._batch.step(buttons[np.newaxis], frames=len(buttons), record="last")

    @property
    def ram(self) -> NDArray[np.uint8]:
        """The 2 KiB of RAM; a copy."""
        ram: NDArray[np.uint8] = on_host(self._batch.read_ram())[0]
        return ram

    def peek(self, addresses: NDArray[np.int64]) -> NDArray[np.uint8]:
        """A byte an address, without side effects."""
        values: NDArray[np.uint8] = on_host(self._batch.read(addresses))[0]
        return values

    @property
    def frame(self) -> NDArray[np.uint8]:
        """The last frame, palette indices [240, 256]."""
        picture: NDArray[np.uint8] = (on_host(self._batch.draw())[0] & 0x3F).astype(np.uint8)
        return picture

    def rgb(self) -> NDArray[np.uint8]:
        """The last frame in colours [240, 256, 3]."""
        self._batch.draw()
        colours: NDArray[np.uint8] = on_host(self._batch.rgb())[0]
        return colours

    def digest(self) -> int:
        """The state's digest."""
        return int(on_host(self._batch.digest())[0])

    def save_state(self) -> bytes:
        """The whole state."""
        return bytes(on_host(self._batch.save_states())[0].tobytes())

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError (a SnapshotError) where it is foreign or damaged."""
        if len(state) != self._batch.snapshot_bytes:
            needed = self._batch.snapshot_bytes
            raise ValueError(f"a state of this cartridge has {needed} bytes, not {len(state)}: give all that was saved")
        self._batch.load_states(np.frombuffer(state, np.uint8)[np.newaxis])
