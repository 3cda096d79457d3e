"""gym-super-mario-bros 7.4.0 behind the subject protocol: its `step`; runs in its own virtual environment.

What it can and cannot do, found in its source and by trial:

- It runs the game that it brings along, and no other: another cartridge is refused.
- It is nes-py 8.2.1 underneath, with what `nes_py_adapter.py` says of that. Its `step` is one frame of nes-py's, then
  reward, end and info from RAM; where the game is busy (a pipe, a death, the end of a level) it also edits RAM and runs
  further frames until the game goes on.
- Its constructor plays through the title screen. `FromPowerOn` leaves that out, so that warm-up and window are the
  workload's own: plain frames lead to where a window begins, and its `step` runs the window.
- A step outside that window is a plain frame as well: at the title its `step` would run frames without end.
- Its `reset` goes back to the start of a level and is not the console's button.
- It draws as nes-py does: always, RGB, readable without a copy.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import numpy as np
from gym_super_mario_bros import SuperMarioBrosEnv
from gym_super_mario_bros._roms import rom_path

RAM_BYTES = 0x0800
RAM_END = 0x2000


class FromPowerOn(SuperMarioBrosEnv):  # type: ignore[misc]  # it brings no types
    """The environment at power-on, with its title screen still to come."""

    def _skip_start_screen(self) -> None:
        """Leave the title to whoever plays."""


class SuperMarioBrosAdapter:
    """One console with the one game."""

    name = "gym-super-mario-bros"
    build = None

    def __init__(self) -> None:
        from importlib.metadata import distributions, version

        self.version = version("gym-super-mario-bros")
        self.capabilities = ["ram", "poke", "frame", "timing", "timing-wait", "draw:every"]
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._env: Any = None
        self._window_start: tuple[object, ...] | None = None

    def load(self, rom: bytes) -> None:
        """Put the one cartridge in. Raises ValueError for any other."""
        if rom != Path(rom_path(False, "vanilla")).read_bytes():
            raise ValueError("it runs no cartridge but the Super Mario Bros. that it brings along, and this is another")
        self._power_on()

    def power_on(self, fill: int) -> None:
        """A new console."""
        if fill:
            raise NotImplementedError("RAM always holds 0 at power-on")
        self._console()
        self._power_on()

    def step(self, buttons: bytes, players: int) -> None:
        """One plain frame a byte."""
        if players != 1:
            raise NotImplementedError("it has the first controller alone")
        for button in buttons:
            self._console()._frame_advance(button)

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
        """One window of `step` after a warm-up of plain frames from power-on; nanoseconds. Every frame is drawn.

        nes-py's own backup brings later runs to where the first began its window. Raises ValueError where the game is
        over within the window.
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
            self._wait_for(wait_for)
            self._env._backup()
            self._window_start = start
        env = self._env
        env.done = False
        env._did_reset()  # what its reward compares with
        step = env.step
        window = buttons[warmup_frames : warmup_frames + frames]
        gc.collect()
        gc.disable()
        try:
            started = time.perf_counter_ns()
            for button in window:
                step(button)
            return time.perf_counter_ns() - started
        finally:
            gc.enable()

    def _wait_for(self, wanted: dict[str, Any] | None) -> None:
        if wanted is None:
            return
        for _ in range(wanted["limit_frames"] + 1):
            if all(int(self._env.ram[address]) == value for address, value in wanted["values"]):
                return
            self._env._frame_advance(0)
        raise ValueError(f"RAM did not hold {wanted['values']} within {wanted['limit_frames']} frames")

    def _power_on(self) -> None:
        if self._env is not None:
            self._env.close()
        self._window_start = None
        self._env = FromPowerOn()

    def _console(self) -> Any:
        if self._env is None:
            raise ValueError("no cartridge is loaded")
        return self._env


def make_adapter(_options: dict[str, Any]) -> SuperMarioBrosAdapter:
    """The adapter; it takes no options."""
    return SuperMarioBrosAdapter()
