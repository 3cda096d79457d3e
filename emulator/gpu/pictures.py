"""The pictures of a batch on a GPU: what is recorded, and drawing it by many threads a console."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nesproof.emulator.gpu.arrays import DeviceArray
from nesproof.emulator.gpu.consoles import GpuConsoles
from nesproof.emulator.gpu.loaded import LoadedKernels

__all__ = ["Pictures"]

_LINES, _COLUMNS = 240, 256
_PIXELS = _LINES * _COLUMNS
_PIXELS_A_THREAD = 8


class Pictures:
    """Draw logs and pictures.

    Args:
        consoles: whose.
        load: compiles and loads the kernels for pictures, when the first is wanted.
        emphasis: pixels have two bytes.

    Attributes:
        count: pictures a console of the last step that recorded any; 0 before.
        is_recorded: the last step recorded something.
    """

    def __init__(self, consoles: GpuConsoles, load: Callable[[], LoadedKernels], emphasis: bool) -> None:
        self._consoles = consoles
        self._load = load
        self._kernels: LoadedKernels | None = None
        self._pixel = np.dtype(np.uint16 if emphasis else np.uint8)
        self._logs: DeviceArray | None = None
        self._all: DeviceArray | None = None
        self._is_undrawn = False
        self.is_recorded = False

    def unload(self) -> None:
        """Free the kernels; nothing may run any more."""
        if self._kernels is not None:
            self._kernels.unload()

    @property
    def count(self) -> int:
        """Of the buffer, a console."""
        return 0 if self._all is None else self._all.shape[1]

    @property
    def log_bytes(self) -> int:
        """A console's draw log, or 0 while there is none."""
        return 0 if self._logs is None else self._logs.shape[1]

    @property
    def frame_bytes(self) -> int:
        """A console's pictures, or 0 while there are none."""
        return 0 if self._all is None else self._all.nbytes // self._consoles.count

    def expect(self, pictures: int) -> None:
        """A step begins that leaves so many."""
        self.is_recorded = pictures > 0
        self._is_undrawn = False
        if pictures == 0:
            return
        consoles = self._consoles
        if self._kernels is None:
            self._kernels = self._load()
        if self._logs is None:
            self._logs = consoles.array((consoles.count, consoles.kernels.draw_log_bytes), np.uint8)
        if self.count != pictures:
            self._all = None  # its memory may be needed for the other
            self._all = consoles.array((consoles.count, pictures, _LINES, _COLUMNS), self._pixel)

    def record(self, picture: int, rows: int) -> None:
        """Run one frame and keep what its picture is made of; the one before is drawn first.

        Args:
            picture: which of those that were expected.
            rows: the address of [count, 1, 2] bytes of buttons.
        """
        if self._logs is None or self._all is None:
            raise RuntimeError("no picture is expected")
        self.draw()
        consoles, size_bytes = self._consoles, _PIXELS * self._pixel.itemsize
        self._launch(
            "step_recorded", consoles.count,
            consoles.tiles, consoles.count, rows, 2, self._logs.address, self._all.address + picture * size_bytes,
            self.count * size_bytes, self._pixel.itemsize,
        )  # fmt: skip
        self._is_undrawn = True

    def draw(self) -> None:
        """Draw what is recorded and not drawn."""
        if not self._is_undrawn or self._logs is None:
            return
        count = self._consoles.count
        self._launch("draw", count * _PIXELS // _PIXELS_A_THREAD, self._consoles.tiles, count, self._logs.address)
        self._is_undrawn = False

    def _launch(self, name: str, threads: int, *arguments: int) -> None:
        if self._kernels is None:
            raise RuntimeError("no picture is expected")
        self._kernels.launch(name, threads, arguments, self._consoles.order.stream)

    def all(self) -> DeviceArray:
        """[N, R, 240, 256]."""
        if self._all is None:
            raise RuntimeError("nothing has been recorded yet; step with record='last', 'last2' or 'all'")
        return self._all

    def last(self) -> DeviceArray:
        """[N, 240, 256], the newest of each."""
        return self.all().column(self.count - 1)

    def coloured(self, table: NDArray[np.uint8], out: Any) -> Any:
        """The newest of each through a table [512] or [512, channels]: uint8 [N, 240, 256] or with channels behind."""
        consoles, source = self._consoles, self.last()
        channels = table.size // len(table)
        result = consoles.result((*source.shape, *table.shape[1:]), np.uint8, out)
        entries = consoles.uploaded(table)
        self._launch(
            "colour", source.size,
            source.address, source.strides[0], source.size, self._pixel.itemsize,
            entries.address, channels, result.address,
        )  # fmt: skip
        consoles.done()
        return result if out is None else out
