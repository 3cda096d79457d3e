"""Random programs for boards that move windows.

PRG-ROM is made of units of 16 KiB. What a unit holds from its offset $1000 on is the same in all of them: the program,
its handlers and the vectors, so that it goes on wherever a register has just put the windows. What lies before is each
unit's own: a few subroutines at known places, waits among them, and data. $BFF9 and $BFFE can be called, and run on
into the unit at $C000.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any

from board_pieces import (
    FIRST_SUBROUTINE,
    SUBROUTINE_BYTES,
    SUBROUTINES,
    buttons,
    call_elsewhere,
    latch,
    look,
    nina_registers,
    picture,
    prg_ram,
    serial,
    sprites_from_rom,
)

from nesproof.emulator import Cartridge, Console
from nesproof.emulator.cartridge.source import Source
from nesproof.suites.parity.program_pieces import HANDLER_PIECES, PIECES, Assembly, Piece
from nesproof.suites.parity.random_programs import assembled

__all__ = ["BOARDS", "BoardCase", "cartridge", "lively"]

_UNIT_BYTES = 0x4000
_COMMON = 0x1000  # from this offset on all units are alike, but for some data
_DATA, _DATA_END = 0x3000, 0x3FF9
_MAIN, _RESET, _NMI, _IRQ, _HANDLERS, _HANDLERS_END = 0xD000, 0xE080, 0xE900, 0xE9AD, 0xE9C0, 0xF000
_LONGEST_PIECE_BYTES = 96


@dataclass(frozen=True)
class BoardCase:
    """A board of certain sizes, and how programs write its registers."""

    name: str
    mapper: int
    registers: tuple[Piece, ...]
    prg_rom_bytes: int
    chr_rom_bytes: int = 0
    chr_ram_bytes: int = 0
    prg_ram_bytes: int = 0
    submapper: int = 0
    mirroring: str = "horizontal"
    trainer: bytes = b""


_EVERYWHERE: tuple[Piece, ...] = (
    (call_elsewhere,) * 8 + (look,) * 4 + (prg_ram,) * 3 + (buttons,) * 2 + (sprites_from_rom,)
)


# --- Units


def _subroutine(chance: random.Random, at: int) -> bytes:
    """Position matters to one in six: a loop that is closed by a jump."""
    code = Assembly(at)
    kind = chance.randrange(6)
    if kind == 0:  # a plain delay
        code.emit("LDY", "#", chance.randrange(1, 60))
        code.emit("DEY")
        code.emit("BNE", "rel", -3)
    elif kind == 1:  # until a flag of the PPU's, but not for ever
        code.emit("LDX", "#", chance.randrange(1, 255))
        code.emit("BIT", "abs", 0x2002)
        code.emit(chance.choice(("BMI", "BVS")), "rel", 3)
        code.emit("DEX")
        code.emit("BNE", "rel", -8)
    elif kind == 2:  # until the NMI's handler has counted, if it will
        for mnemonic, mode, operand in (("LDA", "#", 0x80), ("STA", "abs", 0x2000), ("LDA", "zp", 0xF0)):
            code.emit(mnemonic, mode, operand)
        code.emit("CMP", "zp", 0xF0)
        code.emit("BEQ", "rel", -4)
    elif kind == 3:  # the same, closed by a jump, and reading ROM
        for mnemonic, mode, operand in (("LDA", "#", 0x80), ("STA", "abs", 0x2000), ("LDX", "zp", 0xF0)):
            code.emit(mnemonic, mode, operand)
        again = code.here
        code.emit("LDA", "abs", chance.choice((0x8E00, 0xCE00)) | chance.randrange(256))
        code.emit("CPX", "zp", 0xF0)
        code.emit("BNE", "rel", 3)
        code.emit("JMP", "abs", again)
    else:
        for _ in range(chance.randrange(1, 4)):
            chance.choice((look, prg_ram, HANDLER_PIECES[0]))(code, *chance.randbytes(3))
    code.emit("RTS")
    made = code.bytes_with_calls()
    assert len(made) <= SUBROUTINE_BYTES
    return made


def _own_part(chance: random.Random) -> bytes:
    own = bytearray(chance.randbytes(_COMMON))
    own[0:2] = chance.choice((b"\xea\x60", b"\xe8\x60", b"\x18\x60", b"\x38\x60", b"\x88\x60"))
    for number in range(SUBROUTINES):
        at = FIRST_SUBROUTINE + number * SUBROUTINE_BYTES
        made = _subroutine(chance, 0x8000 + at)
        own[at : at + len(made)] = made
    return bytes(own)


def _put(code: Assembly, pieces: Sequence[Piece], count: int, chance: random.Random, limit: int) -> None:
    for _ in range(count):
        if code.here + _LONGEST_PIECE_BYTES > limit:
            return
        chance.choice(pieces)(code, *chance.randbytes(3))


def _common_part(case: BoardCase, chance: random.Random) -> bytes:
    unit = bytearray(chance.randbytes(_UNIT_BYTES))
    handlers = Assembly(_HANDLERS)
    pieces = HANDLER_PIECES + case.registers * 3 + (look, prg_ram, buttons)
    entries = []
    for is_irq in (False, True):
        entries.append(handlers.here)
        for mnemonic in ("PHA", "TXA", "PHA", "TYA", "PHA"):
            handlers.emit(mnemonic)
        handlers.emit("INC", "zp", 0xF1 if is_irq else 0xF0)
        if is_irq:
            handlers.emit("LDA", "abs", 0x4015)
            handlers.emit("LDA", "#", 0x0F)
            handlers.emit("STA", "abs", 0x4015)
        _put(handlers, pieces, chance.randrange(5), chance, _HANDLERS_END)
        if not is_irq:  # every eighth begins again, whatever the program has got into
            handlers.emit("LDA", "zp", 0xF0)
            handlers.emit("AND", "#", 7)
            handlers.emit("BNE", "rel", 3)
            handlers.emit("JMP", "abs", _MAIN)
        for mnemonic in ("PLA", "TAY", "PLA", "TAX", "PLA", "RTI"):
            handlers.emit(mnemonic)
    routine = handlers.here
    handlers.emit("INX")
    handlers.emit("RTS")

    main = Assembly(_MAIN)
    main.emit("LDX", "#", 0xFF)
    main.emit("TXS")
    for _ in range(2):  # a PPU takes no control before its first frame is over
        main.emit("BIT", "abs", 0x2002)
        main.emit("BPL", "rel", -5)
    picture(main, *chance.randbytes(3))
    start = main.here
    wanted = PIECES + case.registers * 16 + _EVERYWHERE
    _put(main, wanted, chance.randrange(20, 400), chance, _RESET - 3)
    main.emit("JMP", "abs", start)

    parts: list[tuple[int, bytes]] = []
    for code in (main, handlers):
        code.subroutines[:] = [routine] * 4
        parts.append((code.origin, code.bytes_with_calls()))
    for at, target in ((_RESET, _MAIN), (_NMI, entries[0]), (_IRQ, entries[1])):
        parts.append((at, b"\x4c" + target.to_bytes(2, "little")))
    for at, made in parts:
        unit[at - 0xC000 : at - 0xC000 + len(made)] = made
    # Read as code from $BFF9 on: LDA #, SBC #, CPX #, and SBC # whose operand lies in the next window; from $BFFE on:
    # LDA of an address whose high byte does.
    unit[_DATA_END] = 0xA9
    unit[-6:] = b"".join(address.to_bytes(2, "little") for address in (_NMI, _RESET, _IRQ))
    return bytes(unit)


def cartridge(case: BoardCase, number: int) -> Cartridge:
    """Random program `number` for the board, the same everywhere."""
    chance = random.Random(f"{case.name} {number}")
    common = _common_part(case, chance)
    prg = bytearray()
    while len(prg) < case.prg_rom_bytes:
        unit = bytearray(common)
        unit[:_COMMON] = _own_part(chance)
        unit[_DATA:_DATA_END] = chance.randbytes(_DATA_END - _DATA)
        prg += unit
    nrom = Cartridge.from_source(Source(f"{case.name} {number}", assembled([], cartridge=7)))
    return replace(
        nrom,
        prg_rom=bytes(prg[: case.prg_rom_bytes]),
        chr_rom=chance.randbytes(case.chr_rom_bytes),
        chr_ram_bytes=case.chr_ram_bytes,
        prg_ram_bytes=case.prg_ram_bytes,
        mirroring=case.mirroring,  # type: ignore[arg-type]
        trainer=case.trainer,
        mapper=case.mapper,
        submapper=case.submapper,
    )


@cache
def lively(case: BoardCase, wanted: int) -> tuple[Cartridge, ...]:
    """The first random programs that still run after 20 frames, with the registers in several states by then."""
    found: list[Cartridge] = []
    for number in count():
        image = cartridge(case, number)
        console = Console(image, "core")
        registers = set()
        for frame in range(20):
            console.step(frame * 7 & 0xFF, record="none")
            registers.add(console.state()[0]["board_registers"].tobytes())
        if len(registers) >= 4 and not console.cpu.jammed:
            found.append(image)
            if len(found) == wanted:
                return tuple(found)
        assert number < 20 * wanted + 40, f"{case.name}: hardly any program moves its windows"
    raise AssertionError


_KIB = 1 << 10


def _mmc1(name: str, prg_kib: int, **rest: Any) -> BoardCase:
    return BoardCase(name, 1, (serial, serial, latch), prg_kib * _KIB, **rest)


def _latched(name: str, mapper: int, prg_kib: int, **rest: Any) -> BoardCase:
    return BoardCase(name, mapper, (latch,), prg_kib * _KIB, **rest)


BOARDS: tuple[BoardCase, ...] = (
    _mmc1("sgrom", 128, chr_ram_bytes=8 * _KIB),
    _mmc1("snrom", 256, chr_ram_bytes=8 * _KIB, prg_ram_bytes=8 * _KIB),
    _mmc1("skrom", 256, chr_rom_bytes=128 * _KIB, prg_ram_bytes=8 * _KIB),
    _mmc1("sorom", 256, chr_ram_bytes=8 * _KIB, prg_ram_bytes=16 * _KIB),
    _mmc1("szrom", 128, chr_rom_bytes=64 * _KIB, prg_ram_bytes=16 * _KIB),
    _mmc1("sxrom", 512, chr_ram_bytes=8 * _KIB, prg_ram_bytes=32 * _KIB, trainer=bytes(range(256)) * 2),
    _mmc1("serom", 32, chr_rom_bytes=32 * _KIB, submapper=5),
    _latched("unrom", 2, 128, chr_ram_bytes=8 * _KIB),
    _latched("unrom-no-conflict", 2, 256, chr_ram_bytes=8 * _KIB, prg_ram_bytes=8 * _KIB, submapper=1),
    _latched("unrom-80k", 2, 80, chr_ram_bytes=8 * _KIB, prg_ram_bytes=2 * _KIB),
    _latched("cnrom", 3, 32, chr_rom_bytes=32 * _KIB),
    _latched("cnrom-no-conflict", 3, 32, chr_rom_bytes=64 * _KIB, submapper=1),
    _latched("anrom", 7, 128, chr_ram_bytes=8 * _KIB),
    _latched("amrom", 7, 256, chr_ram_bytes=8 * _KIB, submapper=2),
    _latched("color-dreams", 11, 128, chr_rom_bytes=128 * _KIB),
    _latched("bnrom", 34, 128, chr_ram_bytes=8 * _KIB),
    BoardCase("nina-001", 34, (nina_registers, latch), 64 * _KIB, chr_rom_bytes=64 * _KIB, prg_ram_bytes=8 * _KIB),
    _latched("gxrom", 66, 128, chr_rom_bytes=32 * _KIB),
    _latched("camerica", 71, 256, chr_ram_bytes=8 * _KIB),
    _latched("bf9097", 71, 128, chr_ram_bytes=8 * _KIB, submapper=1),
    _latched("unrom-four-screen", 2, 128, chr_ram_bytes=8 * _KIB, mirroring="four-screen"),
)
"""Every board of the fast console's that moves windows and does nothing else, in the sizes in which it differs."""
