"""nesproof's reference console behind the subject protocol."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np

from nesproof.harness.subjects.console_adapter import (
    CONSOLE_CAPABILITIES,
    ConsoleAdapter,
    board_capabilities,
    extension_sha256,
    settings_of,
)
from nesproof.harness.subjects.timed_window import wait_for_ram, without_collection

__all__ = ["ReferenceAdapter", "make_adapter"]

START_REGISTERS = (0xFD, 0, 0, 0, 0x24)
"""S, A, X, Y, P of a CPU that runs alone: as after a reset."""


class ReferenceAdapter(ConsoleAdapter):
    """One reference console at a time."""

    name = "reference"
    kind = "reference"

    def __init__(self) -> None:
        from nesproof.emulator import _reference, build_info

        super().__init__()
        self.capabilities = [
            *CONSOLE_CAPABILITIES,
            "flat-cpu",
            "flat-cpu-6502",
            "flat-cpu-bus",
            "timing",
            "timing-wait",
            "draw:every",
            *board_capabilities(),
        ]
        self.build = {**build_info(), "extension_sha256": extension_sha256(_reference)}
        self._window_start: tuple[tuple[object, ...], bytes] | None = None

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError (a CartridgeError) where the loader refuses it."""
        self._window_start = None
        super().load(rom)

    def run_flat_cpu(self, variant: Any, memory: bytes, pc: int, max_instructions: int) -> dict[str, int | bool]:
        """A CPU alone until it jumps to itself."""
        from nesproof.emulator.flat_cpu import FlatCpu

        cpu = FlatCpu(memory, variant)
        cpu.registers = (pc, *START_REGISTERS)
        trapped = cpu.run_until_trap(max_instructions) and not cpu.jammed
        counts = {"instructions": cpu.instructions, "cycles": cpu.cycles, "trapped": trapped}
        return {**cpu.registers._asdict(), **counts}

    def step_flat_cpu(self, cases: list[Any]) -> list[Any]:
        """One instruction a case, each on memory of its own."""
        from nesproof.emulator.flat_cpu import FlatCpu

        results: list[Any] = []
        for variant, group in itertools.groupby(cases, key=lambda case: case[0]):
            results += FlatCpu(None, variant).run_cases(case[1:] for case in group)
        return results

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
        """One timed window after a warm-up from power-on; nanoseconds.

        A snapshot brings later runs to where the first began its window; the digest at the end shows that it does.
        Every frame is drawn, and written as RGB of 32 bits a pixel into one buffer: what nes-py's frames cost it.
        """
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        stream = np.frombuffer(buffer=buttons, dtype=np.uint8)
        start = (rom, settings_of(rom), buttons[:warmup_frames], wait_for)
        if self._window_start is not None and self._window_start[0] == start:
            self._console.load_state(self._window_start[1])
        else:
            self.load(rom)
            self._console.step(stream[:warmup_frames])
            wait_for_ram(wait_for, lambda: self._console.ram, lambda: self._console.step(0))
            self._window_start = (start, self._console.save_state())
        console = self._console
        window = [int(button) for button in stream[warmup_frames : warmup_frames + frames]]
        palette = _palette_32()
        picture = console.frame_emphasis
        pixels = np.empty(picture.shape, np.uint32)
        with without_collection():
            started = time.perf_counter_ns()
            for button in window:
                console.step(button)
                np.take(palette, picture, out=pixels, mode="clip")
            return time.perf_counter_ns() - started

    def drawn_frames(self, _lanes: list[int]) -> list[bytes]:
        """The last frame, which this console draws as it steps, as palette indices."""
        return [self.read_frame_indices()]


def _palette_32() -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The palette as uint32 [512]: bytes R, G, B and one of padding."""
    from nesproof.emulator.palette import rgb_palette

    table = np.zeros((len(rgb_palette()), 4), np.uint8)
    table[:, :3] = rgb_palette()
    return table.view(np.uint32).reshape(-1)


def make_adapter(_options: dict[str, Any]) -> ReferenceAdapter:
    """The adapter; it takes no options."""
    return ReferenceAdapter()
