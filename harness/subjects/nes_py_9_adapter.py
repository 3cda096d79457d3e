"""nes-py 9.0.1 behind the subject protocol; runs in its own virtual environment. Its `VectorNESEmulator` is the batch.

What it can and cannot do, found in its documentation and by trial:

- `NESEnv(path)` runs only after its `reset()`, which is the console's button as well: RAM survives it. A power-on is a
  new `NESEnv` and one `reset()`, and a lane's is the state of a fresh one.
- One step ends where version 8's does, some twenty scanlines after the reference's, so that a game's frame counter is
  one ahead.
- It always draws: RGB, 240 x 256 pixels of 32 bits, seen through `env.screen` without a copy.
- `dump_state` and `load_state` exist, and what they hand out lives in this process alone: it is no bytes, so that no
  state is declared. It serves to move lanes, to power one on, and to begin each timed run in one state.
- `VectorNESEmulator` steps its consoles one after the other in one thread, and takes the first controller alone.
- Nothing shows the CPU's bus; RAM can be read and written.
- Boards as `nes_py` itself lists them; trainers and PAL are refused.
- The ROM goes to the current folder, which is private to this process, under a plain name.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import nes_py
import numpy as np
from nes_py import _native
from numpy.typing import NDArray

from .nes_py_adapter import NesPyAdapter
from .timed_window import wait_for_ram, without_collection

BATCH_ROM_NAME = "batch.nes"
MAPPERS = 256
LAYOUT = "console by console, VectorNESEmulator"


class NesPy9Adapter(NesPyAdapter):
    """One nes-py console at a time, and beside it one batch."""

    name = "nes-py-9"

    def __init__(self) -> None:
        super().__init__()
        boards = [f"mapper:{number}" for number in range(MAPPERS) if _native.is_mapper_supported(number)]
        self.capabilities = [
            "ram", "poke", "frame", "reset", "second-player", "batch", "timing", "timing-wait", "draw:every", *boards,
        ]  # fmt: skip
        self._vector: Any = None
        self._cold: Any = None
        self._batch_start: tuple[tuple[object, ...], list[Any]] | None = None

    def press_reset(self) -> None:
        """The console's button: nes-py's reset leaves RAM as it is."""
        self._console().reset()

    # --- Several

    @property
    def lanes(self) -> int:
        """How many consoles the batch holds."""
        return int(self._consoles().num_envs)

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:  # noqa: ARG002
        """Consoles with this cartridge, powered on. Raises ValueError where nes-py refuses it."""
        self._close_batch()
        Path(BATCH_ROM_NAME).write_bytes(rom)
        self._vector = nes_py.VectorNESEmulator(BATCH_ROM_NAME, lanes)
        self._vector.reset()
        self._cold = self._vector.dump_state(0)
        return {"device": "cpu", "threads": 1, "layout": LAYOUT}

    def batch_power_on(self, fill: int, lanes: list[int] | None) -> None:
        """Put lanes back to where a fresh console is."""
        if fill:
            raise NotImplementedError("RAM always holds 0 at power-on")
        for lane in self._chosen(lanes):
            self._vector.load_state(lane, self._cold)

    def batch_press_reset(self, lanes: list[int] | None) -> None:
        """The button of lanes."""
        for lane in self._chosen(lanes):
            self._vector.reset_one(lane)

    def batch_step(self, buttons: bytes, frames: int, players: int, record: str) -> None:  # noqa: ARG002
        """Run frames on every lane; all are drawn, whatever is asked for."""
        if players != 1:
            raise NotImplementedError("its batch has the first controller alone")
        self._play(np.frombuffer(buttons, np.uint8).reshape(self.lanes, frames))

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        """The RAM of lanes, one after the other."""
        rams = self._consoles().rams
        return b"".join(rams[lane].tobytes() for lane in lanes)

    def batch_permute(self, order: list[int]) -> None:
        """Lane i gets the state of lane `order[i]`."""
        vector = self._consoles()
        states = [vector.dump_state(lane) for lane in range(vector.num_envs)]
        for lane, source in enumerate(order):
            vector.load_state(lane, states[source])

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        """The last frame of lanes, RGB, as it lies in the emulators' buffers."""
        screens = self._consoles().screens
        return [np.ascontiguousarray(screens[lane]).tobytes() for lane in lanes]

    # --- Timing

    def time_run(
        self,
        rom: bytes,
        buttons: bytes,
        warmup_frames: int,
        frames: int,
        draw: str,
        *,
        wait_for: dict[str, Any] | None = None,
        lanes: int = 1,
        threads: int = 1,
        frame_skip: int = 1,
    ) -> int:
        """One timed window after a warm-up from power-on, on every lane; nanoseconds. Every frame is drawn.

        Calls of several frames do not exist, so that `frame_skip` changes nothing. Later runs begin where the first
        one's window did, by nes-py's own snapshots of each lane.
        """
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        if threads != 1:
            raise NotImplementedError("one thread steps all consoles")
        del frame_skip
        rows = np.frombuffer(buttons, np.uint8).reshape(lanes, warmup_frames + frames)
        key = (rom, rows[:, :warmup_frames].tobytes(), lanes, wait_for)
        if self._batch_start is None or self._batch_start[0] != key:
            self.batch_open(rom, lanes, None, True)
            self._play(rows[:, :warmup_frames])
            none = np.zeros(lanes, np.uint8)
            wait_for_ram(wait_for, lambda: self._vector.rams[0], lambda: self._vector.step(none))
            self._batch_start = (key, [self._vector.dump_state(lane) for lane in range(lanes)])
        for lane, state in enumerate(self._batch_start[1]):
            self._vector.load_state(lane, state)
        window = _columns(rows[:, warmup_frames:])
        step = self._vector.step
        with without_collection():
            started = time.perf_counter_ns()
            for held in window:
                step(held)
            return time.perf_counter_ns() - started

    def _play(self, rows: NDArray[np.uint8]) -> None:
        for held in _columns(rows):
            self._consoles().step(held)

    # --- What is held

    def _consoles(self) -> Any:
        if self._vector is None:
            raise ValueError("no batch is open")
        return self._vector

    def _chosen(self, lanes: list[int] | None) -> list[int]:
        return list(range(self.lanes)) if lanes is None else lanes

    def _close_batch(self) -> None:
        if self._vector is not None:
            self._vector.close()
        self._vector = self._cold = self._batch_start = None


def _columns(rows: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """What all lanes hold in each frame, of [lanes, frames]."""
    return [np.ascontiguousarray(column) for column in rows.T]


def make_adapter(_options: dict[str, Any]) -> NesPy9Adapter:
    """The adapter; it takes no options."""
    return NesPy9Adapter()
