"""stable-retro 1.0.1 behind the subject protocol: `RetroEnv.step` over its core FCEUmm; in its own environment.

What it can and cannot do, found in its source and by trial:

- It runs games that it knows by an *integration*, a folder that names variables and rewards. This adapter makes an
  empty one around any cartridge, in the worker's private folder, which adds nothing to what `RetroEnv.step` does
  anyway: buttons to the core, a frame, variables and reward looked up, and a new RGB picture made of the core's.
- It allows one emulator a process: a power-on closes the last one, which unloads the core, and loads the core anew.
- Making an environment runs frames without a button before anything can be asked of it: one when the core is loaded,
  one more in `RetroEnv`, one in `reset()`. The state after the first is kept and gone back to, so that this one alone
  is past; it counts as the first frame stepped after a power-on, and buttons held then have no effect.
- A frame of FCEUmm begins with the vertical blank and ends below the last visible line, almost where the reference's
  ends. The console shows no vertical blank in its first two frames, so that a program that waits for it begins one
  frame later: its own frame counter is one behind the reference's, and buttons reach it a frame later.
- RAM holds $FF at power-on, and what a program never writes keeps that. There is no reset button in its interface.
- Pictures are RGB of 224 x 240, eight pixels cut off on each side; they are shown here with a black border there.
- Reading and writing go through the memory that the core hands out, without side effects: RAM, and the cartridge's
  RAM at $6000, which every board gets. Registers and ROM are not in it.
- The core takes a cartridge of a board that it lacks all the same, and says so only in its log, which stable-retro
  drops: it runs, wrongly.
"""

from __future__ import annotations

import gc
import importlib
import json
import time
from collections.abc import Sequence
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

from .fceumm_boards import BOARDS
from .retro_pads import MASKS, framed
from .timed_window import wait_for_ram, without_collection

GAME = "Cartridge-Nes"
RAM_BYTES = 2048


class StableRetroAdapter:
    """One RetroEnv at a time."""

    name = "stable-retro"
    build = None

    def __init__(self) -> None:
        self._retro = importlib.import_module("stable_retro")
        self._retro.data.Integrations.add_custom_path(str(Path.cwd()))
        self.version = version("stable-retro")
        boards = [f"mapper:{number}" for number in BOARDS]
        self.capabilities = [
            "ram", "peek", "poke", "frame", "second-player", "state", "timing", "timing-wait", "draw:every", *boards,
        ]  # fmt: skip
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._env: Any = None
        self._first_is_past = False
        self._window_start: Any = None

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError where the core refuses it."""
        self._close()
        _write_integration(rom)
        self._power_on()

    def power_on(self, fill: int) -> None:
        """A new environment, and with it a new core."""
        if fill:
            raise NotImplementedError("RAM holds the core's own pattern at power-on")
        self._running()
        self._close()
        self._power_on()

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte, or a pair of bytes with two players."""
        env = self._running()
        env.em.set_button_mask(MASKS[0], 1)
        for at in range(0, len(buttons), players):
            if self._first_is_past:
                self._first_is_past = False
                continue
            if players == 2:
                env.em.set_button_mask(MASKS[buttons[at + 1]], 1)
            env.step(MASKS[buttons[at]])

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return self.peek(range(RAM_BYTES))

    def peek(self, addresses: Sequence[int]) -> bytes:
        """Bytes of the memory that the core hands out. Raises ValueError for what is not in it."""
        blocks = self._running().data.memory.blocks
        found = []
        for address in addresses:
            block = next((b for b in blocks if b <= address < b + len(blocks[b])), None)
            if block is None:
                raise ValueError(f"${address:04X} is not in the memory that the core hands out")
            found.append(blocks[block][address - block])
        return bytes(found)

    def poke(self, address: int, value: int) -> None:
        """Change a byte of that memory."""
        self.peek([address])
        self._running().data.memory.assign(address, "|u1", value)

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3], with a black border in place of the pixels that are cut off."""
        return framed(self._running().em.get_screen())

    def save_state(self) -> bytes:
        """The core's own state."""
        return bytes(self._running().em.get_state())

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError where the core refuses it."""
        em = self._running().em
        if len(state) != len(em.get_state()) or not em.set_state(state):
            raise ValueError("the core does not take this state")
        self._first_is_past = False

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
        """One timed window after a warm-up from power-on; nanoseconds. `RetroEnv.step` makes a picture each frame."""
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        self._to_window(rom, buttons[:warmup_frames], wait_for)
        window = [MASKS[button] for button in buttons[warmup_frames : warmup_frames + frames]]
        step = self._env.step
        with without_collection():
            started = time.perf_counter_ns()
            for mask in window:
                step(mask)
            return time.perf_counter_ns() - started

    def _to_window(self, rom: bytes, warmup: bytes, wait_for: dict[str, Any] | None) -> None:
        start = (rom, warmup, wait_for)
        if self._window_start is not None and self._window_start[0] == start:
            self._env.em.set_state(self._window_start[1])
            return
        self.load(rom)
        self.step(warmup, 1)
        wait_for_ram(wait_for, self.read_ram, lambda: self.step(b"\0", 1))
        self._window_start = (start, self._env.em.get_state())

    def _power_on(self) -> None:
        retro = self._retro
        first = self._after_the_first_frame()
        self._env = retro.RetroEnv(
            GAME,
            state=retro.State.NONE,
            use_restricted_actions=retro.Actions.ALL,
            inttype=retro.data.Integrations.CUSTOM_ONLY,
            render_mode="rgb_array",
        )
        self._env.reset()
        self._env.em.set_state(first)
        self._first_is_past = True

    def _after_the_first_frame(self) -> bytes:
        """The core's state after the one frame that it runs whenever it is loaded."""
        em = None
        try:
            em = self._retro.RetroEmulator(str(Path(GAME) / "rom.nes"))
            return bytes(em.get_state())
        except RuntimeError as fault:
            raise ValueError(f"the core does not take this cartridge: {fault}") from fault
        finally:
            del em
            gc.collect()

    def _running(self) -> Any:
        if self._env is None:
            raise ValueError("no cartridge is loaded")
        return self._env

    def _close(self) -> None:
        if self._env is not None:
            self._env.close()
            self._env = None
            gc.collect()
        self._window_start = None


def _write_integration(rom: bytes) -> None:
    """The folder that stable-retro knows a game by: the cartridge, without variables, rewards or an end."""
    empty: dict[str, dict[str, Any]] = {"data": {"info": {}}, "scenario": {"done": {}, "reward": {}}, "metadata": {}}
    folder = Path(GAME)
    folder.mkdir(exist_ok=True)
    for name, content in empty.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="ascii")
    (folder / "rom.nes").write_bytes(rom)


def make_adapter(_options: dict[str, Any]) -> StableRetroAdapter:
    """The adapter; it takes no options."""
    return StableRetroAdapter()
