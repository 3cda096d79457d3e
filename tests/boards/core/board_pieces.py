"""What random programs of banked boards have beside those of NROM: registers written, and looks at what they moved."""

from __future__ import annotations

from nesproof.suites.parity.program_pieces import Assembly

__all__ = [
    "ACROSS_WINDOWS",
    "FIRST_SUBROUTINE",
    "SUBROUTINES",
    "SUBROUTINE_BYTES",
    "buttons",
    "call_elsewhere",
    "latch",
    "look",
    "nina_registers",
    "picture",
    "prg_ram",
    "serial",
    "sprites_from_rom",
    "store",
]

FIRST_SUBROUTINE, SUBROUTINE_BYTES, SUBROUTINES = 0x20, 0x60, 12
"""Where in each unit of 16 KiB subroutines lie."""
ACROSS_WINDOWS = (0xBFF9, 0xBFFE)
"""What is called here runs on into the unit at $C000."""
_BUTTONS = 0xE0


def store(code: Assembly, address: int, value: int) -> None:
    """One byte to one address."""
    code.emit("LDA", "#", value)
    code.emit("STA", "abs", address)


def latch(code: Assembly, a: int, b: int, c: int) -> None:
    """A register at $8000-$FFFF, written in one of several ways."""
    address = 0x8000 | c << 7 | a >> 1
    way = a % 8
    if way < 4:
        code.emit("LDA", "#", b)
        code.emit("STA", "abs", address)
    elif way == 4:
        code.emit("LDX", "#", b)
        code.emit(("STX", "STA")[c & 1], "abs" if c & 1 == 0 else "abs,X", min(address, 0xFF00))
    elif way == 5:
        code.emit(("INC", "ASL", "DEC", "ROR")[b & 3], "abs", address)
    elif way == 6:
        code.emit("LDA", "zp", _BUTTONS + (b & 1))
        code.emit("STA", "abs", address)
    else:
        code.emit("LDA", "#", b)
        code.emit("LDX", "#", b >> 4)
        for _ in range(1 + (c & 3)):
            code.emit("STA", "abs,X", address & 0xEFF0)


def serial(code: Assembly, a: int, b: int, c: int) -> None:
    """Five bits into one of the MMC1's registers; sometimes fewer, or by instructions that write twice."""
    address = 0x8000 | (a & 3) << 13 | c
    if c & 0x1C == 0:
        code.emit(("INC", "LSR", "DEC", "RRA")[b & 3], "abs", address)
    if c & 0x03 == 0:
        code.emit("LDA", "#", 0x80 | b)
        code.emit("STA", "abs", address)
    code.emit("LDA", "zp" if c & 0xE0 == 0xE0 else "#", _BUTTONS if c & 0xE0 == 0xE0 else b)
    for n in range(5 if c & 0x1F else b % 5):
        if n:
            code.emit("LSR", "A")
        code.emit("STA", "abs", address)


def nina_registers(code: Assembly, a: int, b: int, c: int) -> None:
    """The three bytes at the end of PRG-RAM."""
    code.emit("LDA", "zp" if c & 7 == 7 else "#", _BUTTONS if c & 7 == 7 else b)
    code.emit("STA" if a & 0x30 else "STX", "abs", 0x7FFC + a % 5)


def call_elsewhere(code: Assembly, a: int, b: int, c: int) -> None:
    """A subroutine in one of the windows, or across both."""
    if c & 7 == 0:
        code.emit("JSR", "abs", ACROSS_WINDOWS[a & 1])
    else:
        window = 0xC000 if c & 8 else 0x8000
        code.emit("JSR", "abs", window + FIRST_SUBROUTINE + a % SUBROUTINES * SUBROUTINE_BYTES)


def look(code: Assembly, a: int, b: int, c: int) -> None:
    """Bytes of ROM into RAM."""
    code.emit("LDX", "#", b)
    code.emit(("LDA", "LDY", "ADC", "EOR")[c & 3], "abs,X", (0x8000 | a << 7) & 0xFF00)
    code.emit(("STA", "STY", "STA", "STA")[c & 3], "zp", 0x10 | c >> 2)


def prg_ram(code: Assembly, a: int, b: int, c: int) -> None:
    """PRG-RAM written, read, or both, protected or not."""
    address = 0x6000 | (a & 0x1F) << 8 | b
    if c & 1:
        code.emit("LDA", "#", c)
        code.emit("STA", "abs", address)
    code.emit(("LDA", "INC", "CMP", "LDY")[c >> 1 & 3], "abs", address)
    code.emit("STA", "zp", 0x50 | c & 0x0F)


def sprites_from_rom(code: Assembly, a: int, b: int, c: int) -> None:
    """OAM DMA from a page of ROM, or of PRG-RAM."""
    code.emit("LDA", "#", 0x60 | b if c & 7 == 0 else 0x80 | b)
    code.emit("STA", "abs", 0x4014)


def buttons(code: Assembly, a: int, b: int, c: int) -> None:
    """Two buttons where other pieces look."""
    for value in (1, 0):
        code.emit("LDA", "#", value)
        code.emit("STA", "abs", 0x4016)
    for n in range(2):
        for _ in range(1 + (a >> n & 1)):
            code.emit("LDA", "abs", 0x4016)
            code.emit("ROL", "zp", _BUTTONS + n)


def picture(code: Assembly, a: int, b: int, c: int) -> None:
    """Rendering on, from the start."""
    for address, value in ((0x2001, 0x1E), (0x2000, 0x80 | b & 0x38)):
        code.emit("LDA", "#", value)
        code.emit("STA", "abs", address)
