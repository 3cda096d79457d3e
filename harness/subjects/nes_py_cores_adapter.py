"""nes-py 8.2.1 on the whole machine: Gymnasium's `AsyncVectorEnv`, one process for each core; in its own environment.

A single console is `nes_py_adapter.py`'s. A batch is what a user of nes-py who wants every core writes: consoles behind
`gymnasium.vector.AsyncVectorEnv`, which starts a process for each of its environments, sends actions through pipes and
takes observations through shared memory.

- nes-py 8 speaks the interface of an old gym: four results of a step, one of a reset. gym 0.26's own `AsyncVectorEnv`
  wants five and two, and so does Gymnasium's. `Consoles` translates, and adds neither reward nor end.
- `threads` is the number of processes. With as many consoles as processes each environment is one console; with more, a
  process steps its share one after the other, as `nes_py_adapter.py` steps one.
- The observations are shared and not copied once more (`copy=False`), which is the cheaper of the two ways.
- A call may be of several frames (`frame_skip`): all are drawn, since nes-py always draws, and the last one's picture
  is handed over. That spares the processes round trips, in nes-py's favour.
- A lane is moved by calling another console by its number: there is no state that could travel.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import nes_py
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AsyncVectorEnv
from numpy.typing import NDArray

from .nes_py_adapter import NesPyAdapter
from .timed_window import wait_for_ram, without_collection

BATCH_ROM_NAME = "batch.nes"
SCREEN = (240, 256, 3)
LAYOUT = "gymnasium AsyncVectorEnv, observations in shared memory"

Place = tuple[int, int]
"""A process, and which of its consoles."""


class Consoles(gymnasium.Env[Any, Any]):  # type: ignore[misc]  # it may not be installed where types are checked
    """The consoles of one process. An action is uint8 [consoles, frames, players], an observation RGB of the last."""

    def __init__(self, process: int, used: int, room: int) -> None:
        self._process = process
        self._used = used
        self.observation_space = Box(0, 255, (room, *SCREEN), np.uint8)
        self.action_space = Box(0, 255, (room, 1, 1), np.uint8)
        self._consoles: list[Any] = []
        self._screens = np.zeros((room, *SCREEN), np.uint8)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """New consoles, powered on."""
        del seed, options
        self.close()
        for _ in range(self._used):
            console = nes_py.NESEnv(BATCH_ROM_NAME)
            console.reset()
            self._consoles.append(console)
        return self._observation(), {}

    def step(self, action: NDArray[np.uint8]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Run the frames of one call on each console."""
        for console, rows in zip(self._consoles, action.tolist()):  # noqa: B905 - there may be room for more
            advance = console._frame_advance
            console.controllers[1][:] = 0
            for held in rows:
                if len(held) == 2:
                    console.controllers[1][:] = held[1]
                advance(held[0])
        return self._observation(), 0.0, False, False, {}

    def close(self) -> None:
        """End the consoles."""
        while self._consoles:
            self._consoles.pop().close()

    def rams(self) -> list[bytes]:
        """The RAM of each console."""
        return [console.ram.tobytes() for console in self._consoles]

    def power_on(self, chosen: Sequence[Place]) -> None:
        """Replace those of the chosen consoles that are here by new ones."""
        for at in self._mine(chosen):
            self._consoles[at].close()
            self._consoles[at] = nes_py.NESEnv(BATCH_ROM_NAME)
            self._consoles[at].reset()

    def press_reset(self, chosen: Sequence[Place]) -> None:
        """The button of those of the chosen consoles that are here."""
        for at in self._mine(chosen):
            self._consoles[at]._has_backup = False  # with a backup, its reset would go back to that
            self._consoles[at].reset()

    def backup(self) -> None:
        """Remember where each console is."""
        for console in self._consoles:
            console._backup()

    def restore(self) -> None:
        """Go back there."""
        for console in self._consoles:
            console._restore()

    def _mine(self, chosen: Sequence[Place]) -> list[int]:
        return [at for process, at in chosen if process == self._process]

    def _observation(self) -> NDArray[np.uint8]:
        if len(self._screens) == 1:
            view: NDArray[np.uint8] = self._consoles[0].screen[np.newaxis]
            return view
        for at, console in enumerate(self._consoles):
            self._screens[at] = console.screen
        return self._screens


class NesPyCoresAdapter(NesPyAdapter):
    """nes-py with several consoles, in several processes."""

    name = "nes-py-cores"

    def __init__(self) -> None:
        super().__init__()
        self.capabilities = [*self.capabilities, "batch", "threads"]
        self.lanes = 0
        self._vector: Any = None
        self._places: list[Place] = []
        self._window: tuple[object, ...] | None = None

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:  # noqa: ARG002
        """Consoles with this cartridge, powered on. Raises ValueError where nes-py refuses it."""
        self._close_batch()
        Path(BATCH_ROM_NAME).write_bytes(rom)
        nes_py.NESEnv(BATCH_ROM_NAME).close()  # what it refuses it refuses here, and not in another process
        room = -(-lanes // min(lanes, threads or _cores()))
        processes = -(-lanes // room)
        used = [min(room, lanes - room * process) for process in range(processes)]
        makers = [functools.partial(Consoles, process, used[process], room) for process in range(processes)]
        self._vector = AsyncVectorEnv(makers, shared_memory=True, copy=False)
        self._vector.reset()
        self.lanes = lanes
        self._places = [divmod(lane, room) for lane in range(lanes)]
        return {"device": "cpu", "threads": processes, "layout": LAYOUT}

    def batch_power_on(self, fill: int, lanes: list[int] | None) -> None:
        """New consoles in the place of lanes."""
        if fill:
            raise NotImplementedError("RAM always holds 0 at power-on")
        self._consoles().call("power_on", self._chosen(lanes))

    def batch_press_reset(self, lanes: list[int] | None) -> None:
        """The button of lanes."""
        self._consoles().call("press_reset", self._chosen(lanes))

    def batch_step(self, buttons: bytes, frames: int, players: int, record: str) -> None:  # noqa: ARG002
        """Run frames on every lane; all are drawn, whatever is asked for."""
        self._consoles().step(self._dealt(np.frombuffer(buttons, np.uint8).reshape(self.lanes, frames, players)))

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        """The RAM of lanes, one after the other."""
        rams = self._consoles().call("rams")
        return b"".join(rams[process][at] for process, at in self._chosen(lanes))

    def batch_permute(self, order: list[int]) -> None:
        """Lane i gets the console that lane `order[i]` had."""
        self._consoles()
        self._places = [self._places[lane] for lane in order]

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        """What lanes drew last, RGB, as it lies in the memory that the processes share."""
        observations = self._consoles().observations
        return [observations[process][at].tobytes() for process, at in self._chosen(lanes)]

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
        """One timed window after a warm-up from power-on, on every lane in `threads` processes; nanoseconds.

        Later runs begin where the first one's window did, by each console's own backup.
        """
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        rows = np.frombuffer(buttons, np.uint8).reshape(lanes, warmup_frames + frames, 1)
        window = (rom, rows[:, :warmup_frames].tobytes(), lanes, threads, wait_for)
        if self._window == window:
            self._vector.call("restore")
        else:
            self.batch_open(rom, lanes, threads, True)
            if warmup_frames:
                self._vector.step(self._dealt(rows[:, :warmup_frames]))
            none = self._dealt(np.zeros((lanes, 1, 1), np.uint8))
            wait_for_ram(wait_for, lambda: self.batch_read_ram([0]), lambda: self._vector.step(none))
            self._vector.call("backup")
            self._window = window
        starts = range(warmup_frames, warmup_frames + frames, frame_skip)
        calls = [self._dealt(rows[:, at : at + frame_skip]) for at in starts]
        step = self._vector.step
        with without_collection():
            started = time.perf_counter_ns()
            for call in calls:
                step(call)
            return time.perf_counter_ns() - started

    def _dealt(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Buttons [lanes, frames, players] by process and console."""
        dealt = np.zeros(
            (self._vector.num_envs, *self._vector.single_action_space.shape[:1], *rows.shape[1:]), np.uint8
        )
        processes, consoles = zip(*self._places)  # noqa: B905 - pairs
        dealt[list(processes), list(consoles)] = rows
        return dealt

    def _chosen(self, lanes: list[int] | None) -> list[Place]:
        return self._places if lanes is None else [self._places[lane] for lane in lanes]

    def _consoles(self) -> Any:
        if self._vector is None:
            raise ValueError("no batch is open")
        return self._vector

    def _close_batch(self) -> None:
        if self._vector is not None:
            self._vector.close()
        self._vector = self._window = None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_adapter(_options: dict[str, Any]) -> NesPyCoresAdapter:
    """The adapter; it takes no options."""
    return NesPyCoresAdapter()
