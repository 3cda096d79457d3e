"""cynes 0.1.2 behind the subject protocol; runs in its own virtual environment.

What it can and cannot do, found in its source and by trial:

- A power-on is a new `NES`; its `reset()` is the console's button (RAM survives).
- One step runs until the PPU begins the vertical blank (scanline 241, dot 1) and the instruction there is over, which
  is where the reference's ends too: RAM is equal frame by frame, but for bytes under the stack's top.
- The vertical blank's flag is set at power-on, so that a program that waits for it twice begins one frame earlier
  than on the reference: Super Mario Bros. does, the house programs do not.
- It always draws: RGB, 240 x 256 x 3 bytes, into one array that every step hands back without a copy.
- A button byte has the opposite bit order of ours (A 80 ... Right 01); the second controller is the high byte.
- `nes[address]` reads the CPU's bus: memory without side effects, the registers from $2000 to $401F with theirs, so
  that those are refused. Writing is as on the bus: RAM, and the cartridge's RAM, can be poked.
- Its saved state is the console's memory as it lies, checked by nothing; here it travels with the cartridge's hash
  and a checksum, so that a foreign or damaged one is refused.
- One flag is never initialised: where chance has set it, a new console's first step runs nothing. That is seen, and
  the step made up for (`cynes_console.py`).
- Several consoles live in one process, stepped one after the other.
- A jammed CPU ends a step at once, without a further frame.
- It reads the ROM from a path, ignores NES 2.0's fields, and refuses boards that it lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import distributions, version
from typing import Any

import cynes  # type: ignore[import-not-found,unused-ignore]

from . import cynes_console as console

BOARDS = (0, 1, 2, 3, 4, 7, 9, 10, 66, 71)


class CynesAdapter:
    """One cynes console, and beside it a batch of them."""

    name = "cynes"
    build = None

    def __init__(self) -> None:
        self.version = version("cynes")
        boards = [f"mapper:{number}" for number in BOARDS]
        self.capabilities = [
            "ram", "peek", "poke", "frame", "reset", "second-player", "state", "batch", "timing", "timing-wait",
            "draw:every", *boards,
        ]  # fmt: skip
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._slot = console.Slot(cynes, "cartridge.nes")
        self._console: Any = None
        self._batch_slot = console.Slot(cynes, "batch.nes")
        self._lanes: list[Any] = []
        self._window_start: Any = None

    # --- One console

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError where cynes refuses it."""
        self._console = None
        self._slot.insert(rom)
        self._console = self._slot.console()

    def power_on(self, fill: int) -> None:
        """A new console."""
        _demand_zero(fill)
        self._loaded()
        self._console = self._slot.console()

    def press_reset(self) -> None:
        """The console's button."""
        self._loaded().nes.reset()

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte, or a pair of bytes with two players."""
        loaded = self._loaded()
        for pads in console.words(buttons, players):
            loaded.step(pads)

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return bytes(self._loaded().ram())

    def peek(self, addresses: Sequence[int]) -> bytes:
        """Bytes of memory; a register would change by being read."""
        nes = self._loaded().nes
        for address in addresses:
            if 0x2000 <= address < 0x4020:
                raise ValueError(f"reading ${address:04X}, a register, would change it")
        return bytes([nes[address] for address in addresses])

    def poke(self, address: int, value: int) -> None:
        """Change a byte of RAM, the console's or the cartridge's."""
        if not (address < 0x2000 or 0x6000 <= address < 0x8000):
            raise ValueError(f"${address:04X} is no RAM")
        self._loaded().nes[address] = value

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3]."""
        return bytes(self._loaded().picture())

    def save_state(self) -> bytes:
        """cynes' state with the cartridge's hash and a checksum."""
        return bytes(self._loaded().save())

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError where it is foreign or damaged."""
        loaded = self._loaded()
        loaded.restore(loaded.checked(state))

    # --- Several consoles

    @property
    def lanes(self) -> int:
        """How many consoles the batch holds."""
        return len(self._lanes)

    def batch_open(self, rom: bytes, lanes: int, threads: int | None, idle_skipping: bool) -> dict[str, Any]:  # noqa: ARG002
        """New consoles with this cartridge, all powered on."""
        if threads not in {None, 1}:
            raise NotImplementedError("stepping with several threads")
        self._lanes = []
        self._window_start = None
        self._batch_slot.insert(rom)
        self._lanes = [self._batch_slot.console() for _ in range(lanes)]
        return {"device": "cpu", "threads": 1, "layout": "a console each, one after the other"}

    def batch_power_on(self, fill: int, lanes: list[int] | None) -> None:
        """New consoles in these lanes."""
        _demand_zero(fill)
        for lane in self._chosen(lanes):
            self._lanes[lane] = self._batch_slot.console()

    def batch_press_reset(self, lanes: list[int] | None) -> None:
        """The button of these lanes."""
        for lane in self._chosen(lanes):
            self._lanes[lane].nes.reset()

    def batch_step(self, buttons: bytes, frames: int, players: int, record: str) -> None:  # noqa: ARG002
        """Step every lane; it always draws, and keeps the last frame alone."""
        each = frames * players
        for at, lane in enumerate(self._lanes):
            for pads in console.words(buttons[at * each : (at + 1) * each], players):
                lane.step(pads)

    def batch_read_ram(self, lanes: list[int]) -> bytes:
        """RAM of these lanes."""
        return b"".join(self._lanes[lane].ram() for lane in self._chosen(lanes))

    def batch_save_states(self, lanes: list[int]) -> bytes:
        """States of these lanes."""
        return b"".join(self._lanes[lane].save() for lane in self._chosen(lanes))

    def batch_load_states(self, states: bytes, lanes: list[int]) -> None:
        """Put lanes into states, or none where one is refused."""
        chosen = [self._lanes[lane] for lane in self._chosen(lanes)]
        each = len(states) // len(chosen)
        checked = [lane.checked(states[at * each : (at + 1) * each]) for at, lane in enumerate(chosen)]
        for lane, state in zip(chosen, checked, strict=True):
            lane.restore(state)

    def batch_permute(self, order: list[int]) -> None:
        """Lane i gets the console that lane `order[i]` was."""
        self._lanes = [self._lanes[lane] for lane in order]

    def drawn_frames(self, lanes: list[int]) -> list[bytes]:
        """What the timed loop drew last, RGB, of each lane: cynes hands out one array, and draws into that."""
        return [self._lanes[lane].picture() for lane in self._chosen(lanes)]

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
        """One timed window after a warm-up from power-on; nanoseconds. Every frame is drawn, as cynes always does.

        Calls of several frames draw them all as well, so that `frame_skip` changes nothing. Later runs get to where the
        window begins by cynes' own states; that they do so exactly is what equal RAM at the end of every run shows.
        """
        del frame_skip
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        if threads != 1:
            raise NotImplementedError("stepping with several threads")
        each = len(buttons) // lanes
        streams = [console.words(buttons[at * each : (at + 1) * each], 1) for at in range(lanes)]
        self._to_window(rom, [stream[:warmup_frames] for stream in streams], wait_for)
        return int(console.timed(self._lanes, [stream[warmup_frames : warmup_frames + frames] for stream in streams]))

    def _to_window(self, rom: bytes, warmups: list[list[int]], wait_for: dict[str, Any] | None) -> None:
        start = (rom, warmups, wait_for)
        if self._window_start is None or self._window_start[0] != start:
            self.batch_open(rom, len(warmups), None, True)
            for lane, warmup in zip(self._lanes, warmups, strict=True):
                for pads in warmup:
                    lane.step(pads)
                lane.wait_for(wait_for)
            self._window_start = (start, [lane.checked(lane.save()) for lane in self._lanes])
        for lane, state in zip(self._lanes, self._window_start[1], strict=True):
            lane.restore(state)

    # --- Inside

    def _loaded(self) -> Any:
        if self._console is None:
            raise ValueError("no cartridge is loaded")
        return self._console

    def _chosen(self, lanes: list[int] | None) -> list[int]:
        chosen = list(range(len(self._lanes))) if lanes is None else lanes
        if not chosen or max(chosen) >= len(self._lanes):
            raise ValueError(f"there are {len(self._lanes)} lanes")
        return chosen


def _demand_zero(fill: int) -> None:
    if fill:
        raise NotImplementedError("RAM always holds 0 at power-on")


def make_adapter(_options: dict[str, Any]) -> CynesAdapter:
    """The adapter; it takes no options."""
    return CynesAdapter()
