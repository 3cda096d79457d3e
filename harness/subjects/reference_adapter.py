"""nesproof's reference console behind the subject protocol: the one place in the harness that imports the emulator."""

from __future__ import annotations

import gc
import hashlib
import itertools
import pathlib
import platform
import sys
import time
import types
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from nesproof.emulator import Console

START_REGISTERS = (0xFD, 0, 0, 0, 0x24)
"""S, A, X, Y, P of a CPU that runs alone: as after a reset."""


class ReferenceAdapter:
    """One reference console at a time."""

    name = "reference"

    def __init__(self) -> None:
        from nesproof.emulator import _reference, build_info

        try:
            self.version = version("nesproof")
        except PackageNotFoundError:
            self.version = "0+uninstalled"
        self.capabilities = [
            "ram",
            "peek",
            "poke",
            "nametables",
            "frame",
            "frame-indices",
            "reset",
            "power-on-fill",
            "second-player",
            "digest",
            "state",
            "trace",
            "flat-cpu",
            "timing",
            "mapper:0",
            "draw:every",
        ]
        self.packages = [("numpy", np.__version__)]
        extension = pathlib.Path(str(_reference.__file__)).read_bytes()
        self.build = {**build_info(), "extension_sha256": hashlib.sha256(extension).hexdigest()}
        self._loaded: Console | None = None
        self._window_start: tuple[tuple[bytes, bytes], bytes] | None = None

    @property
    def _console(self) -> Console:
        if self._loaded is None:
            raise ValueError("no cartridge is loaded")
        return self._loaded

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError (a CartridgeError) where the loader refuses it."""
        from nesproof.emulator import Cartridge, Console
        from nesproof.emulator.cartridge.source import Source

        self._window_start = None
        self._loaded = Console(Cartridge.from_source(Source("the cartridge", rom)))

    def power_on(self, fill: int) -> None:
        """Switch it off and on; RAM holds `fill`."""
        self._console.power_on(fill)

    def press_reset(self) -> None:
        """The console's button."""
        self._console.press_reset()

    def step(self, buttons: bytes, players: int) -> None:
        """One frame a byte, or a pair of bytes with two players."""
        rows = np.frombuffer(buffer=buttons, dtype=np.uint8)
        self._console.step(rows.reshape(-1, 2) if players == 2 else rows)

    def read_ram(self) -> bytes:
        """The 2 KiB of work RAM."""
        return self._console.ram.tobytes()

    def peek(self, addresses: list[int]) -> bytes:
        """A byte an address, without side effects."""
        return self._console.peek(np.array(addresses, np.int64)).tobytes()

    def poke(self, address: int, value: int) -> None:
        """Change a byte of RAM."""
        self._console.poke(address, value)

    def read_nametables(self) -> bytes:
        """$2000-$2FFF through the cartridge's mirroring."""
        console = self._console
        banks = console.ppu.nametables.reshape(-1, 1024)
        order = {"horizontal": (0, 0, 1, 1), "vertical": (0, 1, 0, 1), "four-screen": (0, 1, 2, 3)}
        return np.ascontiguousarray(banks[list(order[console.cartridge.mirroring])]).tobytes()

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3], emphasis included."""
        return self._console.rgb().tobytes()

    def read_frame_indices(self) -> bytes:
        """The last frame as palette indices [240, 256]."""
        return self._console.frame.tobytes()

    def digest(self) -> str:
        """The state's digest, 16 hexadecimal digits."""
        return f"{self._console.digest():016x}"

    def save_state(self) -> bytes:
        """The whole state."""
        return self._console.save_state()

    def load_state(self, state: bytes) -> None:
        """Go to a saved state. Raises ValueError (a SnapshotError) where it is foreign or damaged."""
        self._console.load_state(state)

    def trace(self, instructions: int, start_pc: int | None) -> bytes:
        """The state before each instruction, in the protocol's rows; the console calls SP `s`."""
        from nesproof.harness.subjects.trace import TRACE_DTYPE

        traced = self._console.trace(instructions, start_pc)
        rows = np.empty(instructions, TRACE_DTYPE)
        for name in rows.dtype.names or ():
            rows[name] = traced["s" if name == "sp" else name]
        return rows.tobytes()

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

    def time_run(self, rom: bytes, buttons: bytes, warmup_frames: int, frames: int, draw: str) -> int:
        """One timed window after a warm-up from power-on; nanoseconds.

        A snapshot brings later runs to where the first began its window; the digest at the end shows that it does.
        Every frame is drawn, and written as RGB of 32 bits a pixel into one buffer: what nes-py's frames cost it.
        """
        if draw != "every":
            raise NotImplementedError(f"drawing {draw!r}")
        stream = np.frombuffer(buffer=buttons, dtype=np.uint8)
        start = (rom, buttons[:warmup_frames])
        if self._window_start is not None and self._window_start[0] == start:
            self._console.load_state(self._window_start[1])
        else:
            self.load(rom)
            self._console.step(stream[:warmup_frames])
            self._window_start = (start, self._console.save_state())
        console = self._console
        window = [int(button) for button in stream[warmup_frames : warmup_frames + frames]]
        palette = _palette_32()
        picture = console.frame_emphasis
        pixels = np.empty(picture.shape, np.uint32)
        gc.collect()
        gc.disable()
        try:
            started = time.perf_counter_ns()
            for button in window:
                console.step(button)
                np.take(palette, picture, out=pixels, mode="clip")
            return time.perf_counter_ns() - started
        finally:
            gc.enable()


def _palette_32() -> np.ndarray[Any, np.dtype[np.uint32]]:
    """The palette as uint32 [512]: bytes R, G, B and one of padding."""
    from nesproof.emulator.palette import rgb_palette

    table = np.zeros((len(rgb_palette()), 4), np.uint8)
    table[:, :3] = rgb_palette()
    return table.view(np.uint32).reshape(-1)


def make_adapter(options: dict[str, Any]) -> ReferenceAdapter:
    """The adapter. `options["namespace"]` lists the folders of the `nesproof` that started this process, so that the
    console under test is the one that belongs to the harness, however that was installed or put on the path.
    """
    if sys.implementation.name != "cpython":
        raise ImportError(f"the console is built for CPython, not {platform.python_implementation()}")
    namespace = types.ModuleType("nesproof")
    namespace.__path__ = options["namespace"]
    sys.modules["nesproof"] = namespace
    return ReferenceAdapter()
