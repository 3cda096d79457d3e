"""The core compares times of 32 bits, which are further apart than that after 20 minutes without a look at $2002."""

from __future__ import annotations

import numpy as np
import pytest

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.cartridge.source import Source

pytest.importorskip("nesproof.emulator._core", reason="the consoles are not built")
pytest.importorskip("nesproof.emulator._reference", reason="the consoles are not built")

NMIS, NMIS_SEEN, STATUS = 0x11, 0x12, 0x13
WAIT_FOR_VBLANK = bytes([0x2C, 0x02, 0x20, 0x10, 0xFB])  # BIT $2002, BPL
WAIT_IN_A_LOOP = bytes([0xA2, 0x00, 0xCA, 0xD0, 0xFD])  # LDX #0, DEX, BNE


def wait(times: int) -> bytes:
    """About 1,281 cycles each."""
    return bytes([0xA0, times]) + WAIT_IN_A_LOOP + bytes([0x88, 0xD0, 0xF8])  # LDY #times, ..., DEY, BNE


def cartridge() -> Cartridge:
    """Turns all on, and then reads $2002 once a frame, after a sprite-0 hit and after loops that look at nothing."""
    start = 2 * WAIT_FOR_VBLANK + bytes([0xA9, 0x90, 0x8D, 0x00, 0x20, 0xA9, 0x1E, 0x8D, 0x01, 0x20])
    frame = bytes([0xA5, NMIS, 0xC5, NMIS_SEEN, 0xF0, 0xFA, 0x85, NMIS_SEEN])  # LDA, CMP, BEQ, STA
    frame += wait(2) + bytes([0xAD, 0x07, 0x20])  # LDA $2007 before the picture
    frame += wait(7) + bytes([0xAD, 0x02, 0x20, 0x85, STATUS])  # LDA $2002, STA in the middle of it
    again = 0x8000 + len(start)
    main = start + frame + bytes([0x4C, again & 0xFF, again >> 8])
    prg = bytearray(0x8000)
    prg[: len(main)] = main
    prg[0x200:0x203] = bytes([0xE6, NMIS, 0x40])  # INC, RTI
    prg[0x7FFA:] = bytes([0x00, 0x82, 0x00, 0x80, 0x00, 0x82])
    image = b"NES\x1a\x02\x01" + bytes(10) + bytes(prg) + b"\xff" * 0x2000
    return Cartridge.from_source(Source("a program that looks once", image))


@pytest.mark.parametrize("cycles", [0, 2**31 + 2**28, 2**32 - 30_000])
def test_a_late_look_finds_what_is_there(cycles: int) -> None:
    reference, core = Console(cartridge(), kind="reference"), Console(cartridge(), kind="core")
    reference.step(0, frames=4)
    state = reference.state().copy()
    state["bus_cycle_count"] = cycles
    state["ppu_oam"][0, :4] = np.array([50, 1, 0, 60])
    for one in (reference, core):
        one.load_state(state.tobytes())
        one.step(0, frames=3)
        assert one.ram[STATUS] & 0x40, f"{one.kind}: sprite 0 has hit by then"
    assert core.save_state() == reference.save_state()
