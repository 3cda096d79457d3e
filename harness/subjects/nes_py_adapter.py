"""nes-py 8.2.1 behind the subject protocol; runs in its own virtual environment.

What it can and cannot do, found in its source and by trial:

- `NESEnv(path)` leaves the CPU's program counter at 0: only its `reset()` makes it run. A power-on is therefore a new
  `NESEnv` and one `reset()`; a later `reset()` is the console's button (RAM survives).
- One step is a fixed 29,781 CPU cycles, counted from the pre-render line at power-on, not "until vblank": it ends some
  twenty scanlines after the reference's, when the NMI handler of that frame has mostly run, so that a game's frame
  counter is one ahead.
- It always draws: RGB, 256 x 240 pixels of 32 bits, written by the emulator, seen through `env.screen` without a copy.
- A button byte has the same bit order as ours (A 01 ... Right 80).
- The battery bit decides whether RAM exists at $6000; trainers and PAL are refused; boards 0 to 3.
- RAM can be read and written; nothing shows the rest of the CPU's bus.
- It reads the ROM from a path and reports nothing when that fails; the path is narrowed to bytes, so that a name
  outside ASCII breaks it. The ROM goes to the current folder, which is private to this process, under a plain name.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nes_py
import numpy as np

from .timed_window import wait_for_ram, without_collection

ROM_NAME = "cartridge.nes"
RAM_BYTES = 0x0800
RAM_END = 0x2000


class NesPyAdapter:
    """One nes-py console at a time."""

    name = "nes-py"
    build = None

    def __init__(self) -> None:
        from importlib.metadata import distributions, version

        self.version = version("nes-py")
        boards = [f"mapper:{number}" for number in range(4)]
        self.capabilities = [
            "ram", "poke", "frame", "reset", "second-player", "timing", "timing-wait", "draw:every", *boards,
        ]  # fmt: skip
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._env: Any = None
        self._window_start: tuple[object, ...] | None = None

    def load(self, rom: bytes) -> None:
        """Put a cartridge in; the next `power_on` runs it. Raises ValueError where nes-py refuses it."""
        self._close()
        Path(ROM_NAME).write_bytes(rom)
        self._power_on()

    def power_on(self, fill: int) -> None:
        """A new console."""
        if fill:
            raise NotImplementedError("RAM always holds 0 at power-on")
        self._power_on()

    def press_reset(self) -> None:
        """The console's button: nes-py's reset leaves RAM as it is."""
        env = self._console()
        env._has_backup = False  # with a backup, its reset would go back to that
        env.reset()

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte, or a pair of bytes with two players."""
        env = self._console()
        env.controllers[1][:] = 0
        for at in range(0, len(buttons), players):
            if players == 2:
                env.controllers[1][:] = buttons[at + 1]
            env._frame_advance(buttons[at])

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return bytes(self._console().ram.tobytes())

    def poke(self, address: int, value: int) -> None:
        """Change a byte of work RAM, which is all that can be written."""
        if address >= RAM_END:
            raise ValueError(f"${address:04X} cannot be written; RAM is at $0000-$1FFF")
        self._console().ram[address % RAM_BYTES] = value

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3]."""
        return np.ascontiguousarray(self._console().screen).tobytes()

    def time_run(
        self,
        rom: bytes,
        buttons: bytes,
        warmup_frames: int,
        frames: int,
        draw: str,
        *,
        wait_for: dict[str, Any] | None = None,
    ) -> int:
        """One timed window after a warm-up from power-on; nanoseconds. Every frame is drawn, as nes-py always does.

        The console's own backup brings later runs to where the first began its window; that it does so exactly is what
        equal RAM at the end of every run shows.
        """
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        start = (rom, buttons[:warmup_frames], wait_for)
        if self._window_start == start:
            self._env._restore()
        else:
            self.load(rom)
            for button in buttons[:warmup_frames]:
                self._env._frame_advance(button)
            wait_for_ram(wait_for, lambda: self._env.ram, lambda: self._env._frame_advance(0))
            self._env._backup()
            self._window_start = start
        step = self._window_step()
        window = buttons[warmup_frames : warmup_frames + frames]
        with without_collection():
            started = time.perf_counter_ns()
            for button in window:
                step(button)
            return time.perf_counter_ns() - started

    def _window_step(self) -> Callable[[int], object]:
        """What runs a frame of a timed window."""
        step: Callable[[int], object] = self._env._frame_advance
        return step

    def _new_console(self) -> Any:
        """A console with the cartridge of the file, powered on."""
        env = nes_py.NESEnv(ROM_NAME)
        env.reset()
        return env

    def _power_on(self) -> None:
        self._close()
        self._env = self._new_console()

    def _console(self) -> Any:
        if self._env is None:
            raise ValueError("no cartridge is loaded")
        return self._env

    def _close(self) -> None:
        if self._env is not None:
            self._env.close()
            self._env = None
        self._window_start = None


def make_adapter(_options: dict[str, Any]) -> NesPyAdapter:
    """The adapter; it takes no options."""
    return NesPyAdapter()
