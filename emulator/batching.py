"""Many consoles with one cartridge, stepped together: one face for every device."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NoReturn, TypeVar, cast

from numpy.typing import ArrayLike

from nesproof.emulator.buttons import Record
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.lanes import Mask

__all__ = ["MAX_ENVS", "Batch", "BatchMemory", "Record"]

MAX_ENVS = 1 << 24
"""At most so many consoles a batch: more than any memory of today holds."""

_CUDA = re.compile(r"cuda(:\d{1,4})?")

_Self = TypeVar("_Self", bound="Batch")


@dataclass(frozen=True)
class BatchMemory:
    """Bytes that each console takes, on the batch's device. What has not been needed yet is 0.

    Attributes:
        state_bytes: registers, RAM, OAM, palette, nametables, and what the core remembers beside them.
        prg_ram_bytes, chr_ram_bytes: what the cartridge adds.
        draw_log_bytes: from the first recorded frame on.
        frame_buffer_bytes: of all frames that the last record keeps.
    """

    state_bytes: int
    prg_ram_bytes: int
    chr_ram_bytes: int
    draw_log_bytes: int
    frame_buffer_bytes: int


class Batch:
    """`num_envs` consoles with one cartridge, powered on with RAM at 0. Console i is row i of every array, always.

    A batch is deterministic: number of threads, device and memory layout change nothing, and no console sees another.
    Batches are independent of each other. One batch takes one thread at a time and raises RuntimeError otherwise; the
    GIL is released while it runs. An interrupted step (Ctrl-C) leaves all consoles after the same number of frames.

    `Batch(...)` makes an object of the device's own class.

    Args:
        cartridge: what `Cartridge.load` returned.
        num_envs: how many consoles, 1 to `MAX_ENVS`.
        device: "cpu"; "cuda" or "cuda:1" for a GPU, which needs the extra `nesproof[cuda]`; "hostsim" for the GPU's
            memory layout and schedule on the CPU, which is for tests and slow.
        threads: of the CPU that step; None for as many as the process has cores. A GPU ignores it.
        idle_skipping: skip loops that wait, exactly; off, every instruction is executed, with the same results.
        emphasis: pixels are uint16 with the emphasis in bits 6 to 8 instead of uint8.

    Raises:
        TypeError, ValueError: an argument that cannot be, or a board that the core does not have.
        GpuUnavailableError: a GPU was asked for and something is missing for it; the message has the remedy.
    """

    def __new__(
        cls: type[_Self],
        cartridge: Cartridge,  # noqa: ARG004 - the class depends on the device alone
        num_envs: int,  # noqa: ARG004
        device: str = "cpu",
        **options: Any,  # noqa: ARG004
    ) -> _Self:
        """The device's own class."""
        return cast("_Self", super().__new__(_class_for(device) if cls is Batch else cls))

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
        if not isinstance(cartridge, Cartridge):
            raise TypeError(
                f"cartridge is a Cartridge, which Cartridge.load makes of a file, not {type(cartridge).__name__}"
            )
        self._cartridge = cartridge
        self._num_envs = _count("num_envs", num_envs, MAX_ENVS)
        self._device = device
        self._wanted_threads = None if threads is None else _count("threads", threads, 4096)
        self._idle_skipping = bool(idle_skipping)
        self._emphasis = bool(emphasis)

    def __repr__(self) -> str:
        return f"Batch({self._cartridge.source_name!r}, {self._num_envs}, device={self._device!r})"

    def __len__(self) -> int:
        return self._num_envs

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Neither a copy nor another process could share what lies underneath."""
        raise TypeError(
            "a batch is neither copied nor pickled; "
            "make another from its cartridge, and give it the states by load_states(batch.save_states())"
        )

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory, threads and device; views keep what they show, the batch raises ValueError from then on.

        Closing twice is fine; a batch that is no longer referenced is closed.
        """
        raise NotImplementedError

    # --- What it is

    @property
    def cartridge(self) -> Cartridge:
        """What is in each console."""
        return self._cartridge

    @property
    def num_envs(self) -> int:
        """How many consoles."""
        return self._num_envs

    @property
    def device(self) -> str:
        """As asked for; "cuda" is the current device's own name, such as "cuda:0"."""
        return self._device

    @property
    def idle_skipping(self) -> bool:
        """Whether loops that wait are skipped."""
        return self._idle_skipping

    @property
    def emphasis(self) -> bool:
        """Whether pixels are uint16 with emphasis."""
        return self._emphasis

    @property
    def threads(self) -> int:
        """How many threads step."""
        raise NotImplementedError

    @property
    def memory(self) -> BatchMemory:
        """Bytes that each console takes."""
        raise NotImplementedError

    @property
    def bytes_per_console(self) -> int:
        """Bytes of a console's state, without PRG-RAM, CHR-RAM, draw log and frame buffer; `memory` has these."""
        return self.memory.state_bytes

    # --- Power and time

    def power_on(self, mask: Mask = None, *, fill: int = 0) -> None:
        """Turn consoles off and on again; RAM, nametables, PRG-RAM and CHR-RAM then hold `fill`."""
        raise NotImplementedError

    def press_reset(self, mask: Mask = None) -> None:
        """Press the consoles' reset button, as `Console.press_reset`. What RL calls a reset is `load_states`."""
        raise NotImplementedError

    def step(self, buttons: ArrayLike = 0, frames: int | None = None, *, record: Record = "none") -> None:
        """Run frames on every console.

        Args:
            buttons: what is held, constant within a frame. uint8 [N]: player 1, in all frames. uint8 [N, F]: player 1,
                a column a frame. uint8 [N, F, 2]: both players. An int: player 1 of all consoles. Bits as in `Button`.
            frames: how many; 1 by default, or the array's F.
            record: which frames are kept for drawing: "none", the last one, the last two, or all.

        Raises:
            TypeError, ValueError: another dtype, shape or number; nothing was run then. [N, 2] is taken for two frames
                only with frames=2, since it looks like two players.
        """
        raise NotImplementedError

    @property
    def frame_count(self) -> Any:
        """Frames that have ended since power-on, counted by each PPU: uint64 [N]."""
        raise NotImplementedError

    # --- Pictures

    def draw(self) -> Any:
        """Draw what the last step recorded, if it is not drawn yet, and return `frame`.

        Loading a state, a reset and power-on draw first what they would spoil, so that a picture is always of the last
        recorded frame.

        Raises:
            RuntimeError: the last step recorded nothing.
        """
        raise NotImplementedError

    @property
    def frame(self) -> Any:
        """The last drawn picture of each console, palette entries [N, 240, 256], uint8 (uint16 with emphasis): a view.

        It shows the buffer that `draw` fills: drawing changes it, without a copy. Another record than before (other
        than in being "none") takes another buffer; a view keeps the old one.

        Raises:
            RuntimeError: the last step recorded nothing.
        """
        raise NotImplementedError

    @property
    def frames(self) -> Any:
        """All pictures of the record, oldest first, [N, R, 240, 256]: a view; `frame` is its last column."""
        raise NotImplementedError

    def rgb(self, out: Any = None) -> Any:
        """`frame` in colours by `nesproof.emulator.palette`, uint8 [N, 240, 256, 3]; into `out` where given."""
        raise NotImplementedError

    def grey(self, out: Any = None) -> Any:
        """`frame` in grey, uint8 [N, 240, 256]: the colours' luma by BT.601; into `out` where given."""
        raise NotImplementedError

    # --- Memory

    def read(self, addresses: ArrayLike, out: Any = None) -> Any:
        """What each CPU would read, without side effects and without time: uint8 [N, K].

        Args:
            addresses: integers [K], 0 to 65535; uint16 is fastest.
            out: uint8 [N, K], written to and returned where given.
        """
        raise NotImplementedError

    def read_ram(self, out: Any = None) -> Any:
        """A copy of the 2 KiB of RAM of each: uint8 [N, 2048]; into `out` where given."""
        raise NotImplementedError

    @property
    def ram(self) -> Any:
        """The 2 KiB of RAM of each, a live view without a copy: writing to it changes the consoles. CPU only.

        uint8 [N, 2048], strided. On hostsim it is [T, 32, 2048], tiles of 32 consoles (or [1, N, 2048] below 32).

        Raises:
            RuntimeError: the last tile would show lanes that are no consoles; or the memory is on a GPU.
        """
        raise NotImplementedError

    # --- State

    @property
    def snapshot_bytes(self) -> int:
        """Bytes of one console's snapshot, the same for every console kind."""
        raise NotImplementedError

    def save_states(self, mask: Mask = None) -> Any:
        """Snapshots, uint8 [M, `snapshot_bytes`], in the mask's order; `Console.load_state` takes a row as it is."""
        raise NotImplementedError

    def load_states(self, states: Any, mask: Mask = None) -> None:
        """Put consoles into saved states.

        Args:
            states: uint8 [M, `snapshot_bytes`], a row for each console of the mask, or one snapshot ([bytes] or a
                bytes object) for all of them.
            mask: which consoles.

        Raises:
            SnapshotError: one of them is not a whole snapshot of this cartridge; nothing was changed then.
        """
        raise NotImplementedError

    def digest(self) -> Any:
        """The digest of each console's state, uint64 [N]; `Console.digest` says of what."""
        raise NotImplementedError


def _class_for(device: object) -> type[Batch]:
    if not isinstance(device, str):
        raise TypeError(f"device is a string such as 'cpu' or 'cuda:0', not {type(device).__name__}")
    if device in ("cpu", "hostsim"):
        from nesproof.emulator.host_batch import HostBatch

        return HostBatch
    if _CUDA.fullmatch(device):
        from nesproof.emulator.gpu import CudaBatch

        return CudaBatch
    raise ValueError(f"there is no device {device!r}; the devices are cpu, cuda, cuda:0, cuda:1 ... and hostsim")


def _count(name: str, value: int, largest: int) -> int:
    if isinstance(value, bool):
        raise TypeError(f"{name} is a number, not a bool")
    number = operator.index(value)
    if not 1 <= number <= largest:
        raise ValueError(f"{name} is {number}; it must be 1 to {largest}")
    return number
