"""One console: power, buttons, frames, memory, state, whichever kind it is of."""

from __future__ import annotations

import operator
from functools import cached_property
from typing import Literal, NoReturn, get_args, overload

import numpy as np
from numpy.typing import NDArray

from nesproof.emulator import _core, _reference
from nesproof.emulator.buttons import Buttons, Record, pictures_of, rows_of_buttons
from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.cartridge.native import native_arguments
from nesproof.emulator.palette import rgb_palette
from nesproof.emulator.snapshot import Field, dtype_of
from nesproof.emulator.views import CpuView, PpuView, ppu_view

__all__ = ["CONSOLE_KINDS", "Console", "ConsoleKind"]

ConsoleKind = Literal["reference", "core"]
CONSOLE_KINDS: tuple[str, ...] = get_args(ConsoleKind)


class Console:
    """An NTSC console with a cartridge in it, powered on with RAM at 0.

    A frame ends when the PPU's position reaches scanline 241, dot 1; `step` returns at the first instruction boundary
    at or after that. The first frame after power-on or reset is therefore shorter than the others.

    A console is deterministic: nothing in it depends on time, chance or other consoles. Different consoles may run in
    different threads at once (the GIL is released while stepping); one console takes one thread at a time and raises
    RuntimeError otherwise.

    Args:
        cartridge: what `Cartridge.load` returned.
        kind: which implementation; "reference" advances dot by dot and is written to be read, "core" is fast. Each is
            bit for bit what the other is, and takes the other's snapshots.
        idle_skipping: the core skips loops that wait, exactly; off, it executes every instruction, with the same
            results. The reference skips none.

    Raises:
        TypeError: the cartridge is not a `Cartridge`.
        ValueError: the kind is not one of `CONSOLE_KINDS`, or the board is not one that this kind has.
    """

    def __init__(self, cartridge: Cartridge, kind: ConsoleKind = "reference", *, idle_skipping: bool = True) -> None:
        if kind not in CONSOLE_KINDS:
            raise ValueError(f"there is no console kind {kind!r}; the kinds are: {', '.join(CONSOLE_KINDS)}")
        if not isinstance(cartridge, Cartridge):
            raise TypeError(
                f"cartridge is a Cartridge, which Cartridge.load makes of a file, not {type(cartridge).__name__}"
            )
        self._cartridge = cartridge
        self._kind = kind
        self._native: _core.Console | _reference.Console
        if kind == "core":
            self._native = _core.Console(
                _core.Cartridge(**native_arguments(cartridge), idle_skipping=bool(idle_skipping))
            )
        else:
            self._native = _reference.Console(**native_arguments(cartridge))

    def __repr__(self) -> str:
        return f"Console({self._cartridge.source_name!r}, kind={self._kind!r}, frame_count={self.frame_count})"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """A copy that shared the machine underneath, as `copy.copy` would make one, would be no console of its own."""
        raise TypeError(
            "a console is neither copied nor pickled; "
            "make another from its cartridge, and give it the state by load_state(console.save_state())"
        )

    @property
    def cartridge(self) -> Cartridge:
        """What was put in."""
        return self._cartridge

    @property
    def kind(self) -> ConsoleKind:
        """Which implementation this is."""
        return self._kind

    # --- Power and time

    def power_on(self, fill: int = 0) -> None:
        """Turn the console off and on again.

        Args:
            fill: the byte that RAM, nametables, PRG-RAM and CHR-RAM hold then. Registers are 0, and the palette is the
                one of a particular console; nothing is left to chance.
        """
        self._native.power_on(_in_range("fill", fill, 0xFF))

    def press_reset(self) -> None:
        """Press the reset button: memories stay, the CPU and the APU start over, the PPU's picture does, too."""
        self._native.press_reset()

    def step(self, buttons: Buttons = 0, frames: int | None = None, *, record: Record = "last") -> None:
        """Run frames.

        Args:
            buttons: what is held, constant within a frame: an int for player 1, a pair of ints for both players, or a
                uint8 array [F] or [F, 2] with one row a frame. Bits: A 01, B 02, Select 04, Start 08, Up 10, Down 20,
                Left 40, Right 80 (hexadecimal; `Button` names them).
            frames: how many; 1 by default, or the array's length.
            record: which frames' pictures are kept: "none", the "last" one, the "last2", or "all". The reference draws
                every frame whatever it says; the core draws those that are kept, when somebody looks at them, and is
                several times faster with "none".

        Raises:
            TypeError, ValueError: another dtype, shape, number or record; nothing was run then.
        """
        rows = rows_of_buttons(buttons, frames)
        self._native.step(rows, pictures_of(record, len(rows)))

    def step_instruction(self) -> bool:
        """Run one instruction, one interrupt or reset sequence, or one cycle of a jammed CPU; the buttons stay.

        Returns:
            Whether a frame ended in it.
        """
        return self._native.step_unit()

    def run_blocks(self, blocks: int, buttons: tuple[int, int]) -> int:
        """Run at most that many of the strides in which the core looks at no chip, within one frame, then one unit.

        Where a fast stride goes wrong is found this way. Nothing is drawn.

        Returns:
            How many strides there were.

        Raises:
            ValueError: the reference has none.
        """
        if isinstance(self._native, _reference.Console):
            raise ValueError("the reference has no strides; it looks at every chip in every cycle: use kind='core'")
        return self._native.run_blocks(np.array(buttons, np.uint8), operator.index(blocks))

    def run_until(self, pc: int, max_instructions: int = 10_000_000) -> bool:
        """Run at least one instruction, until the next one is at `pc`; False if that never was within the limit."""
        return self._native.run_until(_in_range("pc", pc, 0xFFFF), max_instructions)

    def trace(self, instructions: int, start: int | None = None) -> NDArray[np.void]:
        """Run instructions (and interrupt sequences, a line each) and return the state before each.

        Args:
            instructions: how many lines.
            start: where to go first; by default on from where the console is. A pending reset sequence is run before
                and has no line.

        Returns:
            A structured array [instructions]: `pc`, `a`, `x`, `y`, `p`, `s`, the PPU's `scanline` and `dot`, and
            `cycle`, the CPU cycles since power-on.
        """
        if instructions < 0:
            raise ValueError(f"instructions is {instructions}; it must not be negative")
        return self._native.trace(instructions, -1 if start is None else _in_range("start", start, 0xFFFF))

    @property
    def frame_count(self) -> int:
        """Frames that have ended since power-on, counted by the PPU."""
        return self._native.frame_count

    # --- Memory

    @property
    def ram(self) -> NDArray[np.uint8]:
        """The 2 KiB of RAM, uint8 [2048]: a live view; writing to it changes the console."""
        return self._native.ram

    @overload
    def peek(self, address: int) -> int: ...
    @overload
    def peek(self, address: NDArray[np.integer]) -> NDArray[np.uint8]: ...
    def peek(self, address: int | NDArray[np.integer]) -> int | NDArray[np.uint8]:
        """What the CPU would read, without side effects and without time.

        Args:
            address: 0 to 65535, or an integer array of them of any shape.

        Returns:
            An int, or a uint8 array of the same shape. What nothing drives reads as the bus's last value.
        """
        addresses = np.asarray(address)
        if addresses.dtype.kind not in "iu":
            raise TypeError(f"addresses are integers, not {addresses.dtype}")
        if addresses.size and not 0 <= int(addresses.min()) <= int(addresses.max()) <= 0xFFFF:
            raise ValueError("an address is 0 to 65535")
        values = self._native.peek(np.ascontiguousarray(addresses.astype(np.uint16)))
        return values.reshape(addresses.shape) if isinstance(address, np.ndarray) else int(values.reshape(-1)[0])

    def nametables(self) -> NDArray[np.uint8]:
        """What the PPU reads at $2000-$2FFF, through the cartridge's mirroring as it is: uint8 [4, 1024], a copy."""
        return self._native.nametables()

    def poke(self, address: int, value: int) -> None:
        """Change a byte of RAM ($0000-$1FFF) or PRG-RAM ($6000-$7FFF), without time.

        Raises:
            ValueError: nothing can be changed at that address.
        """
        if not self._native.poke(_in_range("address", address, 0xFFFF), _in_range("value", value, 0xFF)):
            raise ValueError(f"${address:04X} cannot be poked; RAM is at $0000-$1FFF, PRG-RAM at $6000-$7FFF if any")

    # --- Picture

    @property
    def frame(self) -> NDArray[np.uint8]:
        """The last picture, uint8 [240, 256] of palette entries (0 to 63); a copy.

        It is not part of the state: after `load_state` it is the old one until a frame has been run. Where single
        instructions are run, it shows what has been drawn so far; the core leaves out the line that is under way.

        Raises:
            RuntimeError: the last step recorded nothing, or, with the core, none has been made.
        """
        return (self.frame_emphasis & 0x3F).astype(np.uint8)

    @property
    def frames(self) -> NDArray[np.uint8]:
        """The pictures that the last step recorded, oldest first, uint8 [R, 240, 256]; a copy. `frame` is the last.

        Raises:
            RuntimeError: as `frame`.
        """
        return (self._pictures() & 0x3F).astype(np.uint8)

    @property
    def frame_emphasis(self) -> NDArray[np.uint16]:
        """The last picture with the emphasis bits, uint16 [240, 256]: entry in bits 0-5, emphasis in 6-8; a view.

        Emphasis bit 6 is red, 7 green, 8 blue, as in PPUMASK's bits 5 to 7. What the view shows once the console has
        run on is open: the reference draws into it, the core as well, but later.

        Raises:
            RuntimeError: as `frame`.
        """
        picture: NDArray[np.uint16] = self._pictures()[-1]
        return picture

    def rgb(self) -> NDArray[np.uint8]:
        """The last picture in colours, uint8 [240, 256, 3], by `nesproof.emulator.palette`.

        Raises:
            RuntimeError: as `frame`.
        """
        return rgb_palette()[self.frame_emphasis]

    def _pictures(self) -> NDArray[np.uint16]:
        pictures = self._native.pictures
        if not len(pictures):
            raise RuntimeError("the last step recorded no picture; step(..., record='last') does")
        return pictures

    # --- State

    @property
    def cpu(self) -> CpuView:
        """The CPU's registers now."""
        pc, a, x, y, p, s, _scanline, _dot, cycle = self._native.cpu
        return CpuView(pc=pc, a=a, x=x, y=y, p=p, s=s, cycle=cycle, jammed=self._native.jammed)

    @property
    def ppu(self) -> PpuView:
        """The PPU's registers and memories now."""
        return ppu_view(self.state()[0])

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The list of the state's fields, with this cartridge's counts."""
        return tuple(Field(*row) for row in self._native.fields)  # type: ignore[arg-type]

    @cached_property
    def _snapshot_dtype(self) -> np.dtype[np.void]:
        return dtype_of(self.fields)

    def state(self) -> NDArray[np.void]:
        """The whole state by name: a structured array [1] of a snapshot made now."""
        return np.frombuffer(self.save_state(), self._snapshot_dtype)

    def digest(self) -> int:
        """A 64-bit number for the state: equal states have equal digests, whatever console, view or device they are in.

        The sum over all ARCH fields and indices of mix64(field, index, value), modulo 2^64.
        """
        return self._native.digest()

    def save_state(self) -> bytes:
        """The state as bytes, of the same size for all snapshots of a cartridge. Running on from a loaded snapshot
        equals running on.
        """
        return self._native.save_state()

    def load_state(self, state: bytes | bytearray | memoryview) -> None:
        """Go to a saved state.

        Raises:
            SnapshotError: the bytes are not a whole snapshot of this cartridge and version with values that can be; the
                console is unchanged then.
        """
        self._native.load_state(state)


def _in_range(name: str, value: int, largest: int) -> int:
    number = operator.index(value)
    if not 0 <= number <= largest:
        raise ValueError(f"{name} is {number}; it must be 0 to {largest}")
    return number
