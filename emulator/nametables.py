"""Which nametable memory the PPU sees where, on boards that leave it to the header and on those that do not."""

from __future__ import annotations

import numpy as np

from nesproof.emulator.cartridge import Cartridge

__all__ = ["nametable_pages"]

_HORIZONTAL = (0, 0, 1, 1)
_VERTICAL = (0, 1, 0, 1)
_FOUR_SCREENS = (0, 1, 2, 3)


def nametable_pages(cartridge: Cartridge, row: np.void) -> tuple[int, ...]:
    """Which KiB of nametable memory each of the windows at $2000, $2400, $2800 and $2C00 shows.

    Args:
        cartridge: the console's.
        row: one snapshot of it, unpacked; `state/architecture.def` says what a board keeps in which of its registers.
    """
    if cartridge.mirroring == "four-screen":
        return _FOUR_SCREENS
    registers = row["board_registers"]
    if cartridge.mapper == 1:
        control = int(registers[0]) & 3
        return (_one_screen(0), _one_screen(1), _VERTICAL, _HORIZONTAL)[control]
    if cartridge.mapper == 4:
        return _HORIZONTAL if int(row["board_mirroring"]) & 1 else _VERTICAL
    if cartridge.mapper == 7:
        return _one_screen(int(registers[0]) >> 4 & 1)
    if cartridge.mapper == 71 and cartridge.submapper == 1:
        return _one_screen(int(registers[1]) >> 4 & 1)
    return _HORIZONTAL if cartridge.mirroring == "horizontal" else _VERTICAL


def _one_screen(page: int) -> tuple[int, int, int, int]:
    return (page, page, page, page)
