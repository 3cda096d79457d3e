"""FCEUmm, the libretro core inside stable-retro 1.0.1, without the environment around it; in its own environment.

What it can and cannot do, found by trial:

- It is reached as any libretro front end reaches it: the shared library's own functions, through `ctypes`.
- A power-on loads the cartridge anew; `retro_reset` is the console's button (RAM survives).
- A frame begins with the vertical blank and ends below the last visible line, almost where the reference's ends.
  There is no vertical blank in the first two frames, so that a program that waits for it begins one frame later: its
  own frame counter is one behind the reference's, and buttons reach it a frame later.
- It fills RAM with $FF at power-on; here the asked byte is written there before the first frame.
- It is told to cut no pixels off, which stable-retro's environment cannot tell it.
- It always draws: 240 x 256 pixels of 16 bits (5, 6, 5), in its own buffer.
- Reading and writing go through the memory that the core hands out, without side effects: RAM, and the cartridge's
  RAM at $6000, which every board gets. Registers and ROM are not in it.
- A board that it lacks it takes all the same, and says so only in its log; what it says there is heard here, and the
  cartridge refused.
- One core a process: its state lies in the library's own variables.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from importlib.metadata import distributions, version
from typing import Any

import numpy as np

from . import libretro_core as libretro
from .fceumm_boards import BOARDS
from .timed_window import wait_for_ram, without_collection

LIBRARY = "fceumm_libretro.so"
WIDTH, HEIGHT = 256, 240
OPTIONS = {b"fceumm_overscan": b"disabled"}
"""The core's options that are not left at what they are by default."""


class FceummAdapter:
    """One core."""

    name = "fceumm"
    build = None

    def __init__(self) -> None:
        package = next(d for d in distributions() if d.metadata["Name"] == "stable-retro")
        path = next(str(f.locate()) for f in package.files or () if f.name == LIBRARY)
        self._core = libretro.Core(path, OPTIONS)
        self.version = f"in stable-retro {version('stable-retro')}"
        boards = [f"mapper:{number}" for number in BOARDS]
        self.capabilities = [
            "ram", "peek", "poke", "frame", "reset", "power-on-fill", "second-player", "state", "timing", "timing-wait",
            "draw:every", *boards,
        ]  # fmt: skip
        self.packages = sorted((d.metadata["Name"], d.version) for d in distributions())
        self._cartridge: bytes | None = None
        self._window_start: Any = None

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError where the core refuses it."""
        self._cartridge = self._window_start = None
        taken = self._core.load(rom)
        unsupported = [complaint for complaint in self._core.complaints if "not supported" in complaint]
        if not taken or unsupported:
            said = f": {unsupported[0]}" if unsupported else ""
            raise ValueError(f"the core does not take this cartridge{said}")
        self._core.fill_ram(0)
        self._cartridge = rom

    def power_on(self, fill: int) -> None:
        """The cartridge is loaded anew."""
        self._running()
        self.load(self._cartridge or b"")
        self._core.fill_ram(fill)

    def press_reset(self) -> None:
        """The console's button."""
        self._running().reset()

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte, or a pair of bytes with two players."""
        core = self._running()
        for at in range(0, len(buttons), players):
            core.pads = [libretro.PAD_WORDS[buttons[at]], libretro.PAD_WORDS[buttons[at + 1]] if players == 2 else 0]
            core.run()

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return bytes(self._running().ram())

    def peek(self, addresses: Sequence[int]) -> bytes:
        """Bytes of the memory that the core hands out. Raises ValueError for what is not in it."""
        core = self._running()
        found = []
        for address in addresses:
            byte = core.byte(address)
            if byte is None:
                raise ValueError(f"${address:04X} is not in the memory that the core hands out")
            found.append(byte)
        return bytes(found)

    def poke(self, address: int, value: int) -> None:
        """Change a byte of that memory."""
        if not self._running().write(address, value):
            raise ValueError(f"${address:04X} is not in the memory that the core hands out")

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3]."""
        core = self._running()
        if not core.picture:
            raise ValueError("no frame has been drawn since power-on")
        width, height, pitch = core.geometry
        if (width, height) != (WIDTH, HEIGHT):
            raise RuntimeError(f"the core drew {width} x {height} pixels")
        words = np.frombuffer(core.pixels(), np.uint16).reshape(height, pitch // 2)[:, :width]
        red, green, blue = words >> 11, words >> 5 & 0x3F, words & 0x1F
        rgb = np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], axis=2)
        return bytes(rgb.astype(np.uint8).tobytes())

    def save_state(self) -> bytes:
        """The core's own state."""
        return bytes(self._running().save())

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError where the core refuses it."""
        if not self._running().restore(state):
            raise ValueError("the core does not take this state")

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
        """One timed window after a warm-up from power-on; nanoseconds. Every frame is drawn: the core always does."""
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        self._to_window(rom, buttons[:warmup_frames], wait_for)
        core = self._core
        pads, run = core.pads, core.run
        window = [libretro.PAD_WORDS[button] for button in buttons[warmup_frames : warmup_frames + frames]]
        with without_collection():
            started = time.perf_counter_ns()
            for word in window:
                pads[0] = word
                run()
            return time.perf_counter_ns() - started

    def _to_window(self, rom: bytes, warmup: bytes, wait_for: dict[str, Any] | None) -> None:
        start = (rom, warmup, wait_for)
        if self._window_start is not None and self._window_start[0] == start:
            self.load_state(self._window_start[1])
            return
        self.load(rom)
        self.step(warmup, 1)
        wait_for_ram(wait_for, self._core.ram, lambda: self.step(b"\0", 1))
        self._core.pads = [0, 0]
        self._window_start = (start, self._core.save())

    def _running(self) -> Any:
        if self._cartridge is None:
            raise ValueError("no cartridge is loaded")
        return self._core


def make_adapter(_options: dict[str, Any]) -> FceummAdapter:
    """The adapter; it takes no options."""
    return FceummAdapter()
