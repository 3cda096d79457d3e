"""A batch whose consoles live on a GPU: the same face as on the CPU, and arrays that stay where the network is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nesproof.emulator.batching import Batch, BatchMemory, Record
from nesproof.emulator.buttons import pictures_of
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.gpu.arrays import DeviceArray, DeviceMemory, Order
from nesproof.emulator.gpu.compile import CompiledKernels, compile_kernels
from nesproof.emulator.gpu.consoles import GpuConsoles
from nesproof.emulator.gpu.driver import Driver
from nesproof.emulator.gpu.foreign import stream_handle
from nesproof.emulator.gpu.loaded import LoadedKernels, Roms
from nesproof.emulator.gpu.marks import Mark
from nesproof.emulator.gpu.pictures import Pictures
from nesproof.emulator.gpu.specialisation import Part, Schedule, Specialisation
from nesproof.emulator.gpu.states import States
from nesproof.emulator.lanes import Mask, addresses_of, lanes_of
from nesproof.emulator.palette import grey_palette, rgb_palette

__all__ = ["CudaBatch"]

_LONGEST = 60
"""Frames of one launch: short enough that a display's driver does not end it, and that Ctrl-C is heard."""


class CudaBatch(Batch):
    """`Batch` on a GPU. What it returns are `DeviceArray`s; what it is given may lie on the host or on the GPU.

    Work is queued and not waited for: an array's consumer waits on the GPU (by DLPack or `__cuda_array_interface__`),
    the host waits in `DeviceArray.numpy` and in `synchronize`.

    The batch's own stream keeps order with the legacy default stream, on which libraries work unless told otherwise, so
    that neither side overtakes the other. Who works on another stream hands it in as `stream`.

    Args:
        cartridge, num_envs, device, threads, idle_skipping, emphasis: as `Batch`.
        schedule: which lanes of a warp run next; the others are there to be compared with.
        stream: a stream of the caller's to work on: its handle, or an object with `__cuda_stream__`. It must live as
            long as the batch.
        driver: whom to ask in the place of the CUDA driver; for tests.

    Attributes:
        kernels: the binaries that it has needed so far, in figures.

    Raises:
        GpuUnavailableError: the extra, the driver or the GPU is absent; the message has the remedy.
        GpuMemoryError: the consoles do not fit; the message says how many do.
    """

    def __init__(
        self,
        cartridge: Cartridge,
        num_envs: int,
        device: str = "cuda",
        *,
        threads: int | None = None,
        idle_skipping: bool = True,
        emphasis: bool = False,
        schedule: Schedule = "smallest-key",
        stream: Any = None,
        driver: Any = None,
    ) -> None:
        self._closed = True  # until everything is there
        super().__init__(cartridge, num_envs, device, threads=threads, idle_skipping=idle_skipping, emphasis=emphasis)
        self._lock = threading.Lock()
        specialisation = Specialisation.of(cartridge, schedule=schedule)
        self._driver = Driver(int(device.partition(":")[2]) if ":" in device else None) if driver is None else driver
        self._device = f"cuda:{self._driver.ordinal}"
        order = _order_of(self._driver, stream)
        self._roms = roms = Roms(self._driver, cartridge, order.stream, idle_skipping=self._idle_skipping)

        def load(part: Part) -> LoadedKernels:
            compiled = compile_kernels(specialisation, self._driver.architecture, part)
            self.kernels[part] = compiled
            return LoadedKernels(self._driver, compiled, roms, order.stream)

        self.kernels: dict[Part, CompiledKernels] = {}
        self._consoles = GpuConsoles(self._driver, load("plain"), self._num_envs, order)
        self._pictures = Pictures(self._consoles, lambda: load("recording"), self._emphasis)
        self._states = States(self._consoles, cartridge)
        self._closed = False
        self.power_on()

    def close(self) -> None:
        """Free what is on the GPU; arrays that were handed out keep what they show."""
        if self._closed:
            return
        with self._in_use():
            self._closed = True
            order = self._consoles.order
            self._driver.synchronize(order.stream)
            self._pictures.unload()
            self._consoles.kernels.unload()
            del self._pictures, self._states, self._consoles

    def __del__(self) -> None:
        if not self._closed:
            self.close()

    # --- What it is

    @property
    def threads(self) -> int:
        """How many of the host's threads are at work: the caller's."""
        return 1

    @property
    def stream(self) -> int:
        """The CUDA stream that it works on, as the driver's handle."""
        with self._in_use():
            return self._consoles.order.stream

    @property
    def memory(self) -> BatchMemory:
        """Bytes that each console takes on the GPU."""
        with self._in_use():
            cartridge = self._cartridge
            ram_bytes = cartridge.prg_ram_bytes + cartridge.chr_ram_bytes
            return BatchMemory(
                state_bytes=self._consoles.kernels.state_bytes - ram_bytes,
                prg_ram_bytes=cartridge.prg_ram_bytes,
                chr_ram_bytes=cartridge.chr_ram_bytes,
                draw_log_bytes=self._pictures.log_bytes,
                frame_buffer_bytes=self._pictures.frame_bytes,
            )

    @property
    def gpu_name(self) -> str:
        """The GPU's own name."""
        return str(self._driver.name)

    def mark(self) -> Mark:
        """A point in the work that has been asked for so far, for `milliseconds`."""
        with self._in_use():
            mark = Mark(self._driver)
            self._driver.record(mark.event, self._consoles.order.stream)
            return mark

    def milliseconds(self, begin: Mark, end: Mark) -> float:
        """Time on the GPU between two marks, once the second is reached."""
        with self._in_use():
            self._driver.synchronize(self._consoles.order.stream)
            return float(self._driver.milliseconds(begin.event, end.event))

    def synchronize(self) -> None:
        """Wait until everything has been done that was asked for."""
        with self._in_use():
            self._driver.synchronize(self._consoles.order.stream)

    # --- Power and time

    def power_on(self, mask: Mask = None, *, fill: int = 0) -> None:
        """As `Batch.power_on`."""
        if not 0 <= fill <= 0xFF:
            raise ValueError(f"fill is {fill}; it must be 0 to 255")
        with self._in_use():
            lanes, count = self._lanes(mask)
            self._pictures.draw()
            trainer = self._roms.trainer
            self._consoles.launch("power_on", count, lanes.address, count, fill, trainer.address, trainer.size_bytes)
            self._consoles.done()

    def press_reset(self, mask: Mask = None) -> None:
        """As `Batch.press_reset`."""
        with self._in_use():
            lanes, count = self._lanes(mask)
            self._pictures.draw()
            self._consoles.launch("press_reset", count, lanes.address, count)
            self._consoles.done()

    def step(self, buttons: Any = 0, frames: int | None = None, *, record: Record = "none") -> None:
        """As `Batch.step`; buttons may lie on the GPU. It returns when the work is queued."""
        with self._in_use():
            consoles = self._consoles
            held = consoles.held(buttons, frames, record)
            pictures = pictures_of(record, held.frames)
            unrecorded = held.frames - pictures
            self._pictures.expect(pictures)
            for first in range(0, unrecorded, _LONGEST):
                piece = min(_LONGEST, unrecorded - first)
                rows = consoles.rows_of(held, first, piece)
                consoles.launch("step", consoles.count, consoles.count, rows, 2 * piece, piece)
            for picture in range(pictures):
                self._pictures.record(picture, consoles.rows_of(held, unrecorded + picture, 1))
            consoles.done()

    @property
    def frame_count(self) -> DeviceArray:
        """As `Batch.frame_count`, on the GPU."""
        with self._in_use():
            return self._counted("frame_count")

    # --- Pictures

    def draw(self) -> DeviceArray:
        """As `Batch.draw`."""
        with self._in_use():
            if not self._pictures.is_recorded:
                raise RuntimeError("the last step recorded nothing; step with record='last', 'last2' or 'all'")
            self._pictures.draw()
            self._consoles.done()
            return self._pictures.last()

    @property
    def frame(self) -> DeviceArray:
        """As `Batch.frame`."""
        with self._in_use():
            return self._pictures.last()

    @property
    def frames(self) -> DeviceArray:
        """As `Batch.frames`."""
        with self._in_use():
            return self._pictures.all()

    def rgb(self, out: Any = None) -> Any:
        """As `Batch.rgb`, on the GPU."""
        with self._in_use():
            return self._pictures.coloured(rgb_palette(), out)

    def grey(self, out: Any = None) -> Any:
        """As `Batch.grey`, on the GPU."""
        with self._in_use():
            return self._pictures.coloured(grey_palette(), out)

    # --- Memory

    def read(self, addresses: ArrayLike, out: Any = None) -> Any:
        """As `Batch.read`; the addresses are the host's, `out` is on the GPU."""
        places = addresses_of(addresses)
        with self._in_use():
            consoles = self._consoles
            result = consoles.result((self._num_envs, len(places)), np.uint8, out)
            consoles.settle()
            at = consoles.uploaded(places)
            consoles.launch(
                "read", self._num_envs * len(places), self._num_envs, at.address, len(places), result.address
            )
            consoles.done()
            return result if out is None else out

    def read_ram(self, out: Any = None) -> Any:
        """As `Batch.read_ram`, on the GPU."""
        with self._in_use():
            result = self._consoles.result((self._num_envs, 2048), np.uint8, out)
            # A warp an address of a tile: threads for whole tiles.
            self._consoles.launch("read_ram", self._consoles.lanes * 2048, self._num_envs, result.address)
            self._consoles.done()
            return result if out is None else out

    @property
    def ram(self) -> Any:
        """On a GPU there is no such view: consoles lie interleaved there. `read_ram` copies."""
        raise RuntimeError("a view of RAM is for batches on the CPU; use read_ram() or read(addresses)")

    # --- State

    @property
    def snapshot_bytes(self) -> int:
        """As `Batch.snapshot_bytes`."""
        with self._in_use():
            return self._states.row_bytes

    def save_states(self, mask: Mask = None) -> DeviceArray:
        """As `Batch.save_states`, on the GPU."""
        with self._in_use():
            lanes, count = self._lanes(mask)
            self._consoles.settle()
            rows = self._states.save(lanes, count)
            self._consoles.done()
            return rows

    def load_states(self, states: Any, mask: Mask = None) -> None:
        """As `Batch.load_states`; the states may lie on the GPU, where `save_states` left them."""
        with self._in_use():
            lanes, count = self._lanes(mask)
            self._pictures.draw()
            self._states.load(states, lanes, count)

    def digest(self) -> DeviceArray:
        """As `Batch.digest`, on the GPU."""
        with self._in_use():
            return self._counted("digest")

    # --- How it is done

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("the batch is in use by another thread")
        try:
            if self._closed:
                raise ValueError("the batch is closed; make another")
            yield
        finally:
            self._lock.release()

    def _lanes(self, mask: Mask) -> tuple[DeviceMemory, int]:
        lanes = lanes_of(mask, self._num_envs)
        return self._consoles.uploaded(lanes.astype(np.uint32)), len(lanes)

    def _counted(self, kernel: str) -> DeviceArray:
        consoles = self._consoles
        consoles.settle()
        counts = consoles.array((self._num_envs,), np.uint64)
        consoles.launch(kernel, self._num_envs, self._num_envs, counts.address)
        consoles.done()
        return counts


def _order_of(driver: Any, stream: Any) -> Order:
    """A stream of the batch's own, or the caller's, with an event."""
    handle, event = (driver.make_stream() if stream is None else stream_handle(stream)), driver.make_event()

    def release() -> None:
        driver.destroy_event(event)
        if stream is None:
            driver.destroy_stream(handle)

    return Order(handle, event, release)
