"""What nesproof's consoles have in common behind the subject protocol: one console of a kind."""

from __future__ import annotations

import hashlib
import pathlib
import types
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from nesproof.emulator import Cartridge

__all__ = [
    "CONSOLE_CAPABILITIES",
    "ConsoleAdapter",
    "board_capabilities",
    "cartridge_of",
    "extension_sha256",
    "settings_of",
]

CONSOLE_CAPABILITIES = [
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
    "units",
    "cartridge-settings",
]
"""What every console of nesproof's does, beside its boards."""


def board_capabilities() -> list[str]:
    """The boards that the emulator's loader knows, and with it every console on every device, as capabilities: their
    numbers, and the submappers that it heeds."""
    from nesproof.emulator.cartridge import SUPPORTED_BOARDS

    known = {number: {s for board in boards for s in board.submappers} for number, boards in SUPPORTED_BOARDS.items()}
    variants = [f"mapper:{number}.{s}" for number, submappers in known.items() for s in sorted(submappers) if s]
    return [*(f"mapper:{number}" for number in known), *variants]


def cartridge_of(rom: bytes) -> Cartridge:
    """The cartridge of a file's bytes, with the `settings` that they carry as the worker hands them over.

    Raises ValueError (a CartridgeError) where the loader refuses it.
    """
    from nesproof.emulator import Cartridge
    from nesproof.emulator.cartridge.source import Source

    return Cartridge.from_source(Source("the cartridge", rom), **settings_of(rom))


def settings_of(rom: bytes) -> dict[str, Any]:
    """What is to hold in place of the file's header, as `Cartridge.load` takes it."""
    settings: dict[str, Any] = getattr(rom, "settings", {})
    return settings


def extension_sha256(extension: types.ModuleType) -> str:
    """SHA-256 of a compiled part's file."""
    return hashlib.sha256(pathlib.Path(str(extension.__file__)).read_bytes()).hexdigest()


class ConsoleAdapter:
    """One console of one kind at a time."""

    kind: Literal["reference", "core"]

    def __init__(self) -> None:
        try:
            self.version = version("nesproof")
        except PackageNotFoundError:
            self.version = "0+uninstalled"
        self.packages = [("numpy", np.__version__)]
        self._loaded: Any = None

    @property
    def _console(self) -> Any:
        if self._loaded is None:
            raise ValueError("no cartridge is loaded")
        return self._loaded

    def load(self, rom: bytes) -> None:
        """Put a cartridge in. Raises ValueError (a CartridgeError) where the loader refuses it."""
        from nesproof.emulator import Console

        self._loaded = Console(cartridge_of(rom), kind=self.kind)

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
        return bytes(self._console.ram.tobytes())

    def peek(self, addresses: list[int]) -> bytes:
        """A byte an address, without side effects."""
        return bytes(self._console.peek(np.array(addresses, np.int64)).tobytes())

    def poke(self, address: int, value: int) -> None:
        """Change a byte of RAM."""
        self._console.poke(address, value)

    def read_nametables(self) -> bytes:
        """$2000-$2FFF as the board lets the PPU see it now."""
        return bytes(self._console.nametables().tobytes())

    def read_frame(self) -> bytes:
        """The last frame, RGB [240, 256, 3], emphasis included."""
        return bytes(self._console.rgb().tobytes())

    def read_frame_indices(self) -> bytes:
        """The last frame as palette indices [240, 256]."""
        return bytes(self._console.frame.tobytes())

    def digest(self) -> str:
        """The state's digest, 16 hexadecimal digits."""
        return f"{self._console.digest():016x}"

    def save_state(self) -> bytes:
        """The whole state."""
        return bytes(self._console.save_state())

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

    def run_units(self, units: int, buttons: list[int] | None, digest_every: int) -> tuple[bytes, list[int]]:
        """The state before each unit, and the digest after every so many; `buttons` are held from here on."""
        if buttons is not None:
            self.hold(buttons)
        digest, every = self._console.digest, digest_every or max(1, units)
        rows, digests = [], []
        for at in range(0, units, every):
            count = min(every, units - at)
            rows.append(self.trace(count, None))
            if digest_every and count == digest_every:
                digests.append(digest())
        return b"".join(rows), digests

    def hold(self, buttons: list[int]) -> None:
        """Change what is held, as a step does at its start."""
        state = self._console.state().copy()
        state["controller_buttons"] = buttons
        self._console.load_state(state.tobytes())

    def state_fields(self) -> tuple[int, list[tuple[str, str, int]]]:
        """Bytes of a saved state's header, and name, type and number of each field after it."""
        from nesproof.emulator._reference import SNAPSHOT_HEADER_BYTES

        kept = (field for field in self._console.fields if field.field_class != "DERIVED" and field.count)
        return SNAPSHOT_HEADER_BYTES, [(field.name, field.dtype, field.count) for field in kept]
