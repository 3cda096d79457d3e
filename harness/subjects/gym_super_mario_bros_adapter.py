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

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gym_super_mario_bros import SuperMarioBrosEnv
from gym_super_mario_bros._roms import rom_path

from .nes_py_adapter import NesPyAdapter


class FromPowerOn(SuperMarioBrosEnv):  # type: ignore[misc]  # it brings no types
    """The environment at power-on, with its title screen still to come."""

    def _skip_start_screen(self) -> None:
        """Leave the title to whoever plays."""


class SuperMarioBrosAdapter(NesPyAdapter):
    """One console with the one game. A window is of its `step`, after a warm-up of plain frames."""

    name = "gym-super-mario-bros"

    def __init__(self) -> None:
        super().__init__()
        self.version = version("gym-super-mario-bros")
        self.capabilities = ["ram", "poke", "frame", "timing", "timing-wait", "draw:every"]

    def load(self, rom: bytes) -> None:
        """Put the one cartridge in. Raises ValueError for any other."""
        if rom != Path(rom_path(False, "vanilla")).read_bytes():
            raise ValueError("it runs no cartridge but the Super Mario Bros. that it brings along, and this is another")
        self._power_on()

    def power_on(self, fill: int) -> None:
        """A new console."""
        if fill == 0:
            self._console()  # nothing stands in a file: it must have been asked for
        super().power_on(fill)

    def press_reset(self) -> None:
        """Its reset goes back to the start of a level."""
        raise NotImplementedError("it has no reset button")

    def step(self, buttons: bytes, players: int) -> None:
        """One plain frame a byte."""
        if players != 1:
            raise NotImplementedError("it has the first controller alone")
        super().step(buttons, players)

    def _window_step(self) -> Callable[[int], object]:
        """Its `step`. It raises ValueError where the game is over."""
        env = self._env
        env.done = False
        env._did_reset()  # what its reward compares with
        step: Callable[[int], object] = env.step
        return step

    def _new_console(self) -> Any:
        return FromPowerOn()


def make_adapter(_options: dict[str, Any]) -> SuperMarioBrosAdapter:
    """The adapter; it takes no options."""
    return SuperMarioBrosAdapter()
