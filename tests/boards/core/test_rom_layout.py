"""A ROM of any size is laid out alike in both consoles: as chips, of which what follows one repeats to fill as much."""

from __future__ import annotations

import numpy as np
import pytest

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.console import ConsoleKind

UNIT_BYTES = 16 << 10


def laid_out(numbers: list[int]) -> list[int]:
    """The numbers of a ROM's banks in the order in which a register names them."""
    chip = 1 << (len(numbers).bit_length() - 1)
    if chip == len(numbers):
        return numbers
    rest = laid_out(numbers[chip:])
    return numbers[:chip] + rest * (chip // len(rest))


def uxrom(banks: int) -> Cartridge:
    """Each bank of 16 KiB holds its number throughout, but for a loop and the vectors at its end."""
    prg = bytearray()
    for bank in range(banks):
        unit = bytearray([bank]) * UNIT_BYTES
        unit[0x3FF7:0x3FFA] = bytes((0x4C, 0xF7, 0xFF))
        unit[0x3FFA:] = bytes((0xF7, 0xFF)) * 3
        prg += unit
    header = b"NES\x1a" + bytes((banks, 0, 0x20, 0x08, 0x10, 0, 0, 7, 0, 0, 0, 0))
    return Cartridge.load(header + bytes(prg))


@pytest.mark.parametrize("kind", ["reference", "core"])
@pytest.mark.parametrize("banks", [*range(1, 17), 19, 21, 22, 23, 27, 31, 37, 43, 75])
def test_each_bank_of_prg_rom(kind: ConsoleKind, banks: int) -> None:
    console = Console(uxrom(banks), kind)
    expected = laid_out(list(range(banks)))
    state = console.state().copy()
    found = []
    for bank in range(len(expected)):
        state["board_registers"][0, 0] = bank
        console.load_state(state.tobytes())
        assert np.unique(console.peek(np.arange(0x8000, 0xBFF7))).size == 1
        found.append(console.peek(0x8000))
    assert found == expected
    assert console.peek(0xC000) == banks - 1
