"""A bench for the PPU: CPU accesses at chosen dots, on a console whose state is set by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nesproof.emulator import Cartridge, Console

DOTS_A_LINE = 341
DOTS_A_CYCLE = 3
# An access of LDA or STA absolute is its fourth cycle's, two dots into the cycle.
DOTS_BEFORE_ACCESS = 3 * DOTS_A_CYCLE + 2
DOTS_TO_SETTLE = 12  # until the last access has had its effect
RESULTS = 0x10


@dataclass(frozen=True)
class Access:
    """One access of the CPU. `value` is None for a read. `line` counts on past 261 into the next frame."""

    line: int
    dot: int
    register: int
    value: int | None = None

    @property
    def at_dots(self) -> int:
        return self.line * DOTS_A_LINE + self.dot

    @property
    def cycles_before(self) -> int:
        """Cycles of its instructions before the one that accesses: LDA immediate comes first where it writes."""
        return 2 if self.value is not None else 0

    @property
    def cycles_after(self) -> int:
        """Cycles after the access's own: a read's result is stored in the zero page."""
        return 3 if self.value is None else 0

    def code(self, result: int) -> bytes:
        low, high = self.register & 0xFF, self.register >> 8
        if self.value is None:
            return bytes([0xAD, low, high, 0x85, result])
        return bytes([0xA9, self.value, 0x8D, low, high])


def waiting(cycles: int) -> bytes:
    """Code that does nothing for so many cycles."""
    assert cycles == 0 or cycles >= 2, "the accesses are too close to each other"
    threes = cycles % 2
    return b"\xea" * ((cycles - 3 * threes) // 2) + b"\xa5\x00" * threes


@dataclass(frozen=True)
class Outcome:
    """What the reads got, and the console a few dots after the last access."""

    reads: tuple[int, ...]
    interrupts: int
    console: Console

    def state(self, name: str) -> Any:
        return self.console.state()[0][name]


def cartridge(code: bytes, chr_rom: bytes, vertical: bool) -> Cartridge:
    prg = bytearray(b"\xea" * 0x8000)
    prg[: len(code)] = code
    prg[0x7FFA:] = bytes([0x00, 0xFF, 0x00, 0x80, 0x00, 0xFF])  # NMI and IRQ: $FF00
    prg[0x7F00] = 0xE6  # INC RESULTS - 1, RTI: counts interrupts
    prg[0x7F01] = RESULTS - 1
    prg[0x7F02] = 0x40
    return Cartridge.load(b"NES\x1a\x02\x01" + bytes([int(vertical)]) + bytes(9) + bytes(prg) + chr_rom)


def put(console: Console, **fields: Any) -> None:
    """Set fields of the state by name."""
    state = console.state().copy()
    for name, value in fields.items():
        state[0][name] = value
    console.load_state(state.tobytes())


class Bench:
    """Runs accesses at chosen dots, from a state that is set by name."""

    BACKGROUND_ON, SPRITES_ON, LEFT_COLUMN = 0x08, 0x10, 0x06
    ALL_ON = BACKGROUND_ON | SPRITES_ON | LEFT_COLUMN

    @staticmethod
    def read(line: int, dot: int, register: int) -> Access:
        return Access(line, dot, register)

    @staticmethod
    def write(line: int, dot: int, register: int, value: int) -> Access:
        return Access(line, dot, register, value)

    @staticmethod
    def sprites(*rows: tuple[int, int, int, int], filler: int = 0xFF, first: int = 0) -> NDArray[np.uint8]:
        """OAM with these sprites (y, tile, attributes, x) from `first` on and `filler` elsewhere."""
        oam = np.full(256, filler, np.uint8)
        for index, row in enumerate(rows, first):
            oam[4 * index : 4 * index + 4] = row
        return oam

    @staticmethod
    def tiles(**patterns: Sequence[int]) -> bytes:
        """CHR-ROM whose tiles are empty but for `t1=...`: up to 16 bytes, low plane and high plane."""
        chr_rom = np.zeros((512, 16), np.uint8)
        for name, pattern in patterns.items():
            chr_rom[int(name[1:]), : len(pattern)] = pattern
        return chr_rom.tobytes()

    @staticmethod
    def run(
        accesses: Sequence[Access] = (),
        *,
        chr_rom: bytes = bytes(8192),
        start: tuple[int, int] | None = None,
        run_to: tuple[int, int] | None = None,
        vertical: bool = True,
        **fields: Any,
    ) -> Outcome:
        """Set the state to `fields`, run the accesses at their positions, and on to `run_to` (line, dot).

        It starts at `start` (line, dot), or six lines before the first access. Lines count on past 261. Accesses that
        are not a whole number of CPU cycles apart cannot be.
        """
        if start is None:
            at = max(accesses[0].at_dots - 6 * DOTS_A_LINE, 0) if accesses else 0
        else:
            at = start[0] * DOTS_A_LINE + start[1]
        if accesses:
            at += (accesses[0].at_dots - DOTS_BEFORE_ACCESS - at) % DOTS_A_CYCLE
        first, code, reads = at, b"", 0
        for access in accesses:
            dots = access.at_dots - DOTS_BEFORE_ACCESS - at
            assert dots % DOTS_A_CYCLE == 0, "these accesses fall into different thirds of a CPU cycle"
            code += waiting(dots // DOTS_A_CYCLE - access.cycles_before) + access.code(RESULTS + reads)
            reads += access.value is None
            at = access.at_dots - DOTS_BEFORE_ACCESS + (4 + access.cycles_after) * DOTS_A_CYCLE
        console = Console(cartridge(code, chr_rom, vertical))
        console.trace(0)
        where = {"ppu_scanline": first // DOTS_A_LINE, "ppu_dot": first % DOTS_A_LINE, "ppu_warming_up": 0}
        if "ppu_mask" in fields:
            where["ppu_pipeline_mask"] = fields["ppu_mask"]
        put(console, **(where | fields))
        end = run_to[0] * DOTS_A_LINE + run_to[1] if run_to else at + DOTS_TO_SETTLE
        cycle = console.cpu.cycle
        while (console.cpu.cycle - cycle) * DOTS_A_CYCLE < end - first:
            console.step_instruction()
        results = console.peek(np.arange(RESULTS, RESULTS + reads))
        return Outcome(tuple(int(value) for value in results), int(console.peek(RESULTS - 1)), console)


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench()
