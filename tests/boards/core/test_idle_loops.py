"""Loops that wait in a window that moves are skipped as those in ROM that stands still are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.cartridge.source import Source
from nesproof.suites.parity.program_pieces import Assembly
from nesproof.suites.parity.random_programs import assembled

_UNIT_BYTES, _UNITS = 0x4000, 8
_WAIT, _MAIN, _NMI, _TABLE = 0x8010, 0xD000, 0xD100, 0xD200
_NMIS, _SEEN, _BANK = 0xF0, 0xF1, 0xF2


def _waits(closed_by: str, code: Assembly, again: int) -> None:
    """Until the NMI's handler has counted."""
    loop = code.here
    code.emit("LDA", "zp", _NMIS)
    code.emit("CMP", "zp", _SEEN)
    if closed_by == "branch":
        code.emit("BEQ", "rel", loop - code.here - 2)
    else:
        code.emit("BNE", "rel", 3)
        code.emit("JMP", "abs", loop)
    code.emit("STA", "zp", _SEEN)
    code.emit("JMP", "abs", again)


def _cartridge(mapper: int, banks: int, closed_by: str) -> Cartridge:
    """In each frame another bank is put at $8000, and waits there for the next one."""
    main = Assembly(_MAIN)
    for mnemonic, mode, operand in (
        ("LDX", "#", 0xFF),
        ("TXS", "", 0),
        *2 * (("BIT", "abs", 0x2002), ("BPL", "rel", -5)),
    ):
        main.emit(mnemonic, mode, operand)
    main.emit("LDA", "#", 0x80)
    main.emit("STA", "abs", 0x2000)
    again = main.here
    main.emit("INC", "zp", _BANK)
    main.emit("LDA", "zp", _BANK)
    main.emit("AND", "#", banks - 1)
    if mapper == 1:
        for bit in range(5):
            if bit:
                main.emit("LSR", "A")
            main.emit("STA", "abs", 0xE000)
    else:
        main.emit("TAX")
        main.emit("STA", "abs,X", _TABLE)
    main.emit("JMP", "abs", _WAIT)
    wait = Assembly(_WAIT)
    _waits(closed_by, wait, again)
    unit = bytearray(_UNIT_BYTES)
    for at, made in (
        (_WAIT - 0x8000, wait.bytes_with_calls()),
        (_MAIN - 0xC000, main.bytes_with_calls()),
        (_NMI - 0xC000, b"\xe6\xf0\x40"),  # INC, RTI
        (_TABLE - 0xC000, bytes(range(banks))),
        (0x3FFA, b"".join(address.to_bytes(2, "little") for address in (_NMI, _MAIN, _NMI))),
    ):
        unit[at : at + len(made)] = made
    nrom = Cartridge.from_source(Source("a program that waits", assembled([], cartridge=7)))
    return replace(nrom, prg_rom=bytes(unit) * _UNITS, mapper=mapper)


def _strides_of_a_frame(console: Console) -> int:
    """From the end of one frame to that of the next."""
    return console.run_blocks(100_000, (0, 0))


@pytest.mark.parametrize("closed_by", ["branch", "jump"])
@pytest.mark.parametrize(("mapper", "banks"), [(1, 8), (2, 8), (7, 4), (11, 4), (34, 4), (71, 8)])
def test_waiting_in_a_bank_takes_few_strides(mapper: int, banks: int, closed_by: str) -> None:
    image = _cartridge(mapper, banks, closed_by)
    reference, skips, executes = (
        Console(image, "reference"),
        Console(image, "core"),
        Console(image, "core", idle_skipping=False),
    )
    for one in (reference, skips, executes):
        one.step(0, frames=20)
        assert one.ram[_BANK] >= 17, "a bank a frame"
        assert one.save_state() == reference.save_state()
    assert _strides_of_a_frame(executes) > 2_000
    assert _strides_of_a_frame(skips) < 200
    assert skips.save_state() == executes.save_state()
