"""A program for any board: it writes the board's registers without end, by a generator that the buttons disturb.

Every 8 KiB of PRG-ROM end in the same code, so that it runs whatever windows stand where; the rest is noise. It sums up
what it reads through the windows, waits for the NMI now and then, scrolls, moves sprites by DMA, and answers IRQs.
"""

from __future__ import annotations

import numpy as np

__all__ = ["rom_of"]

_BANK, _CODE = 0x2000, 0x1E00
_KIB = 1024
_RANDOM, _HELD, _SUM, _FRAMES, _IRQS, _ROUND, _AT = 0x20, 0x21, 0x22, 0x25, 0x26, 0x24, 0x30

_REGISTERS = {
    "nrom": (0x8000,) * 8,
    "mmc1": (0x8000, 0x8000, 0xA000, 0xA000, 0xC000, 0xC000, 0xE000, 0xE000),
    "mmc3": (0x8000, 0x8001, 0x8000, 0x8001, 0xA000, 0xC000, 0xC001, 0xE001),
    "mmc3-ram": (0x8000, 0x8001, 0xA001, 0x8001, 0xA000, 0xC000, 0xC001, 0xE001),
    "nina": (0x7FFD, 0x7FFE, 0x7FFF, 0x7FFD, 0x7FFE, 0x7FFF, 0x8000, 0x6000),
    "latch": (0x8123, 0x9456, 0xA789, 0xB0AB, 0xC123, 0xD456, 0xE789, 0xF0AB),
}


class _Code:
    """6502 code in the making, at $FE00 of each bank."""

    def __init__(self) -> None:
        self.data = bytearray()

    @property
    def here(self) -> int:
        return 0xE000 + _CODE + len(self.data)

    def put(self, *parts: int) -> None:
        """Opcodes and operands: what is above $FF is an address."""
        for part in parts:
            self.data += part.to_bytes(2, "little") if part > 0xFF else bytes([part])

    def branch(self, opcode: int, target: int) -> None:
        self.data += bytes([opcode, (target - self.here - 2) & 0xFF])

    def wait_for_vblank(self) -> None:
        again = self.here
        self.put(0x2C, 0x2002)  # BIT
        self.branch(0x10, again)  # BPL

    def fill(self, address: int, pages: int) -> None:
        """PPU memory from `address`, with the noise of a page of PRG-ROM."""
        self.put(0xA9, address >> 8, 0x8D, 0x2006, 0xA9, address & 0xFF, 0x8D, 0x2006, 0xA2, pages, 0xA0, 0x00)
        again = self.here
        self.put(0xB9, 0xF000, 0x8D, 0x2007, 0xC8)  # LDA $F000,Y; STA $2007; INY
        self.branch(0xD0, again)
        self.put(0xCA)  # DEX
        self.branch(0xD0, again)


def _program(registers: tuple[int, ...]) -> tuple[bytes, tuple[int, int, int]]:
    """The code and its vectors; the table of registers begins it."""
    code = _Code()
    low, high = code.here, code.here + len(registers)
    code.put(*(register & 0xFF for register in registers), *(register >> 8 for register in registers))
    nmi = _nmi(code)
    irq = code.here
    code.put(0x48, 0xE6, _IRQS, 0xA5, _IRQS, 0x8D, 0x2005, 0x8D, 0x2005)  # PHA; INC; LDA; STA $2005 twice
    code.put(0x8D, 0xE000, 0x8D, 0xE001, 0x68, 0x40)  # STA $E000; STA $E001; PLA; RTI
    reset = code.here
    code.put(0x78, 0xD8, 0xA2, 0xFF, 0x9A, 0xA9, 0x40, 0x8D, 0x4017, 0x8D, 0x4010)
    code.put(0xA9, 0x01, 0x85, _RANDOM)
    code.wait_for_vblank()
    code.wait_for_vblank()
    code.fill(0x3F00, 1)
    code.fill(0x2000, 16)
    code.fill(0x0000, 32)
    code.put(0xA9, 0x90, 0x8D, 0x2000, 0xA9, 0x1E, 0x8D, 0x2001, 0x58)  # CLI
    _loop(code, low, high)
    return bytes(code.data), (nmi, reset, irq)


def _nmi(code: _Code) -> int:
    begin = code.here
    code.put(0x48, 0x8A, 0x48, 0xE6, _FRAMES, 0xA9, 0x01, 0x8D, 0x4016, 0x4A, 0x8D, 0x4016, 0xA2, 0x08)
    again = code.here
    code.put(0xAD, 0x4016, 0x4A, 0x26, _HELD, 0xCA)  # LDA $4016; LSR; ROL; DEX
    code.branch(0xD0, again)
    code.put(0xA5, _HELD, 0x45, _RANDOM, 0x85, _RANDOM)
    code.put(0xA9, 0x02, 0x8D, 0x4014)
    code.put(0xA5, _SUM, 0x29, 0x3F, 0x09, 0x80, 0x8D, 0x2000)  # tables, sprite height and nametable, NMI on
    code.put(0xA5, _SUM, 0x8D, 0x2005, 0xA5, _FRAMES, 0x8D, 0x2005, 0x68, 0xAA, 0x68, 0x40)
    return begin


def _loop(code: _Code, low: int, high: int) -> None:
    begin = code.here
    code.put(0xA5, _RANDOM)
    code.branch(0xD0, code.here + 4)
    code.put(0xA9, 0xA5)  # never 0
    code.put(0x4A)
    code.branch(0x90, code.here + 4)
    code.put(0x49, 0xB4)
    code.put(0x85, _RANDOM, 0x29, 0x07, 0xAA, 0xBD, low, 0x85, _AT, 0xBD, high, 0x85, _AT + 1)
    code.put(0xA5, _RANDOM, 0x6A, 0x45, _HELD, 0xA0, 0x00, 0x91, _AT)  # STA (AT),Y
    for window in (0x8000, 0xA123, 0xC055, 0xE101):
        code.put(0xAD, window, 0x65, _SUM, 0x85, _SUM)
    code.put(0xA6, _ROUND, 0x9D, 0x0200, 0x9D, 0x6000, 0xAD, 0x7001, 0x65, _SUM, 0x85, _SUM)
    code.put(0xE6, _ROUND, 0xA5, _ROUND, 0x29, 0x1F)
    code.branch(0xD0, code.here + 2 + 6)
    code.put(0xA5, _FRAMES)
    again = code.here
    code.put(0xC5, _FRAMES)
    code.branch(0xF0, again)
    code.put(0x4C, begin)


def rom_of(
    mapper: int,
    registers: str,
    *,
    prg_kib: int = 128,
    chr_kib: int = 0,
    ram_kib: int = 8,
    submapper: int = 0,
    four_screen: bool = False,
    seed: int = 1,
) -> bytes:
    """An NES 2.0 file; CHR-RAM of 8 KiB where there is no CHR-ROM."""
    noise = np.random.default_rng([seed, mapper])
    code, vectors = _program(_REGISTERS[registers])
    assert len(code) <= _BANK - _CODE - 6
    banks = noise.integers(0, 256, (prg_kib * _KIB // _BANK, _BANK), np.uint8)
    banks[:, _CODE : _CODE + len(code)] = np.frombuffer(code, np.uint8)
    banks[:, -6:] = np.array(vectors, "<u2").view(np.uint8)
    header = bytearray(16)
    header[:4] = b"NES\x1a"
    header[4], header[5] = prg_kib // 16, chr_kib // 8
    header[6] = (mapper & 0x0F) << 4 | (8 if four_screen else 0)
    header[7] = mapper & 0xF0 | 8
    header[8] = submapper << 4
    header[10] = _shift(ram_kib * _KIB)
    header[11] = 0 if chr_kib else _shift(8 * _KIB)
    return bytes(header) + banks.tobytes() + noise.integers(0, 256, chr_kib * _KIB, np.uint8).tobytes()


def _shift(size_bytes: int) -> int:
    """NES 2.0's number for a size of RAM: 64 << n."""
    return (size_bytes // 64).bit_length() - 1 if size_bytes else 0
