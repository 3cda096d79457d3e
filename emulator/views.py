"""What a console's chips hold, by name, as it was when asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["CpuView", "PpuView", "ppu_view"]


@dataclass(frozen=True)
class CpuView:
    """The 2A03's registers.

    Attributes:
        pc, a, x, y, s: program counter, accumulator, index registers, stack pointer.
        p: status as an interrupt pushes it: bit 5 set, bit 4 (B) clear.
        cycle: CPU cycles since power-on.
        jammed: an opcode has stopped the CPU until reset.
    """

    pc: int
    a: int
    x: int
    y: int
    p: int
    s: int
    cycle: int
    jammed: bool


@dataclass(frozen=True, eq=False)
class PpuView:
    """The 2C02's registers and memories; the arrays are copies and read-only.

    Attributes:
        scanline: 0 to 261; 241 to 260 are vertical blank, 261 is the pre-render line.
        dot: 0 to 340.
        control, mask, status: PPUCTRL, PPUMASK, and PPUSTATUS's three flags in bits 7 to 5.
        v, t, fine_x, w: the scroll registers.
        oam_address: OAMADDR.
        oam: uint8 [256].
        palette: uint8 [32], six bits each.
        nametables: uint8 [2048], or [4096] with four screens.
    """

    scanline: int
    dot: int
    control: int
    mask: int
    status: int
    v: int
    t: int
    fine_x: int
    w: int
    oam_address: int
    oam: NDArray[np.uint8]
    palette: NDArray[np.uint8]
    nametables: NDArray[np.uint8]


def ppu_view(row: np.void) -> PpuView:
    """From one snapshot, unpacked."""
    status = int(row["ppu_vblank"]) << 7 | int(row["ppu_sprite_zero_hit"]) << 6 | int(row["ppu_sprite_overflow"]) << 5
    return PpuView(
        scanline=int(row["ppu_scanline"]),
        dot=int(row["ppu_dot"]),
        control=int(row["ppu_control"]),
        mask=int(row["ppu_mask"]),
        status=status,
        v=int(row["ppu_v"]),
        t=int(row["ppu_t"]),
        fine_x=int(row["ppu_fine_x"]),
        w=int(row["ppu_w"]),
        oam_address=int(row["ppu_oam_address"]),
        oam=row["ppu_oam"],
        palette=row["ppu_palette"],
        nametables=row["cartridge_nametables"],
    )
