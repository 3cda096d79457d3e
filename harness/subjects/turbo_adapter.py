"""env-supermariobrosnes-turbo-emu 0.7.4 behind the subject protocol; runs in its own virtual environment.

What it can and cannot do, found in its source, and by trial with another release of the game:

- It runs one cartridge alone, a certain file of Super Mario Bros. that it knows by its SHA-256, and refuses every
  other; parts of that game are replaced by native code. Neither this package nor nesproof brings the file.
- It is a vector environment: consoles side by side, stepped by one call, on as many threads as it is told. The single
  console here is one lane.
- With no saved state to start from it powers on: RAM holds $FF. It has no reset button, no second controller, and no
  address but RAM that could be read.
- A step is `frame_skip` frames (one here, four where the last of four is drawn). A frame ends one scanline before the
  vertical blank, and the game is two frames earlier where the reference has it. A call has one action: buttons that
  change within it are refused.
- It draws the last frame of a step: RGB of 224 x 240, eight pixels cut off on each side, shown here with a black
  border in their place. In timed runs the observation is that picture, without resizing, stacking or grey, in its
  working buffer.
- A lane whose game is over is stepped no further.
"""

from __future__ import annotations

import hashlib
import time
from importlib.metadata import distributions, version
from typing import Any

from . import turbo_lanes as lanes_of
from .timed_window import without_collection

ROM_SHA256 = "f61548fdf1670cffefcc4f0b7bdcdd9eaba0c226e3b74f8666071496988248de"
"""The one file that it runs, header included."""

DISTRIBUTION = "env-supermariobrosnes-turbo-emu"


class TurboAdapter:
    """A vector environment of one lane for the console, and one of many for the batch."""

    name = DISTRIBUTION
    build = None

    def __init__(self) -> None:
        self.version = version(DISTRIBUTION)
        self.capabilities = [
            "ram", "frame", "state", "batch", "threads", "timing", "timing-wait", "draw:every", "draw:last-of-4",
        ]  # fmt: skip
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._console: Any = None
        self._batch: Any = None
        self._window_start: Any = None

    # --- One console

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError unless it is the one that this environment runs."""
        self._insert(rom)
        self._console = lanes_of.Lanes(1, 1)

    def power_on(self, fill: int) -> None:
        """A cold start."""
        if fill:
            raise NotImplementedError("RAM always holds $FF at power-on")
        self._loaded().power_on([0])

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte."""
        if players != 1:
            raise NotImplementedError("stepping with a second controller")
        self._loaded().step([buttons])

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return bytes(self._loaded().ram([0]))

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3], with a black border in place of the pixels that are cut off."""
        return bytes(self._loaded().picture(0))

    def save_state(self) -> bytes:
        """The environment's own portable snapshot."""
        return bytes(self._loaded().save([0])[0])

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError where it is foreign or damaged."""
        self._loaded().load([state], [0])

    # --- Several consoles

    @property
    def lanes(self) -> int:
        """How many consoles the batch holds."""
        return 0 if self._batch is None else int(self._batch.count)

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:  # noqa: ARG002
        """A vector environment with this cartridge, all lanes powered on."""
        self._insert(rom)
        self._batch = lanes_of.Lanes(lanes, threads)
        return {"device": "cpu", "threads": self._batch.threads, "layout": "a vector environment"}

    def batch_power_on(self, fill: int, lanes: list[int] | None) -> None:
        """A cold start of these lanes."""
        if fill:
            raise NotImplementedError("RAM always holds $FF at power-on")
        self._opened().power_on(lanes)

    def batch_step(self, buttons: bytes, frames: int, players: int, record: str) -> None:  # noqa: ARG002
        """Step every lane."""
        if players != 1:
            raise NotImplementedError("stepping with a second controller")
        self._opened().step([buttons[at : at + frames] for at in range(0, len(buttons), frames)])

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        """RAM of these lanes."""
        return bytes(self._opened().ram(lanes))

    def batch_save_states(self, lanes: list[int]) -> bytes:
        """Snapshots of these lanes."""
        return b"".join(self._opened().save(lanes))

    def batch_load_states(self, states: bytes, lanes: list[int]) -> None:
        """Put lanes into snapshots, or none where one is refused."""
        each = len(states) // len(lanes)
        self._opened().load([states[at : at + each] for at in range(0, len(states), each)], lanes)

    def batch_permute(self, order: list[int]) -> None:
        """Lane i gets the state that lane `order[i]` had."""
        batch = self._opened()
        states = batch.save(list(range(batch.count)))
        batch.load([states[lane] for lane in order], list(range(batch.count)))

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        """What the timed loop drew last, of each lane."""
        return [self._batch.picture(lane) for lane in lanes]

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
        """One timed window after a warm-up from power-on; nanoseconds.

        The warm-up goes frame by frame; its snapshots bring each run's own environment to where the window begins.
        """
        if (draw, frame_skip) not in {("every", 1), ("last-of-4", 4)}:
            raise NotImplementedError(f"drawing {draw!r} with {frame_skip} frames a call")
        each = len(buttons) // lanes
        streams = [buttons[at : at + each] for at in range(0, len(buttons), each)]
        states = self._at_window(rom, [stream[:warmup_frames] for stream in streams], wait_for)
        windows = [stream[warmup_frames : warmup_frames + frames] for stream in streams]
        batch = lanes_of.Lanes(lanes, threads, frame_skip)
        batch.load(states, list(range(lanes)))
        rows = batch.rows(windows)
        self._batch = batch
        with without_collection():
            started = time.perf_counter_ns()
            for row in rows:
                batch.env.step(row)
            return time.perf_counter_ns() - started

    def _at_window(self, rom: bytes, warmups: list[bytes], wait_for: dict[str, Any] | None) -> list[bytes]:
        start = (rom, warmups, wait_for)
        if self._window_start is None or self._window_start[0] != start:
            self._insert(rom)
            states = []
            for warmup in warmups:  # each alone, since they may have to wait for different times
                lane = lanes_of.Lanes(1, 1)
                lane.step([warmup])
                lane.wait_for(wait_for)
                states += lane.save([0])
            self._window_start = (start, states)
        return list(self._window_start[1])

    # --- Inside

    def _insert(self, rom: bytes) -> None:
        found = hashlib.sha256(rom).hexdigest()
        if found != ROM_SHA256:
            raise ValueError(
                f"it runs one file alone, Super Mario Bros. with SHA-256 {ROM_SHA256}; this one has {found}"
            )
        with open(lanes_of.ROM_NAME, "wb") as out:  # noqa: PTH123
            out.write(rom)

    def _loaded(self) -> Any:
        if self._console is None:
            raise ValueError("no cartridge is loaded")
        return self._console

    def _opened(self) -> Any:
        if self._batch is None:
            raise ValueError("no batch is open")
        return self._batch


def make_adapter(_options: dict[str, Any]) -> TurboAdapter:
    """The adapter; it takes no options."""
    return TurboAdapter()
