"""A reference console with any board in it, whose memories say which bank is seen, run from RAM a few bytes at a time.

Each 8 KiB of PRG-ROM and each 1 KiB of CHR-ROM begin with their number, two bytes of it, so that what stands in a
window can be asked for. PRG-ROM is $FF else, so that nothing conflicts with a write but at `CONFLICT`, where it has
`CONFLICT_BYTE`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from nesproof.emulator import Cartridge, Console

KIB = 1024
CONFLICT, CONFLICT_BYTE = 0x0010, 0b01010011
CODE, IRQ_HANDLER = 0x0300, 0x0400
RTI = 0x40


def prg_rom(size: int) -> bytes:
    """8 KiB of each number, the last of them as much as is left."""
    content = bytearray(b"\xff" * size)
    for bank, at in enumerate(range(0, size, 8 * KIB)):
        content[at : at + 2] = bank.to_bytes(2, "little")
        content[at + CONFLICT] = CONFLICT_BYTE
        for vector, target in ((0x1FFA, IRQ_HANDLER), (0x1FFC, CODE), (0x1FFE, IRQ_HANDLER)):
            content[at + vector : at + vector + 2] = target.to_bytes(2, "little")
    return bytes(content)


def chr_rom(size: int) -> bytes:
    return b"".join(bank.to_bytes(2, "little") + bytes(KIB - 2) for bank in range(size // KIB))


def cartridge(
    mapper: int, *, prg_kib: int = 128, chr_kib: int = 0, chr_ram_kib: int | None = None, **fields: Any
) -> Cartridge:
    """A cartridge with that board; CHR-RAM of 8 KiB unless it has CHR-ROM; whatever else, by name."""
    header = b"NES\x1a" + bytes([1, 0]) + bytes(10)
    ram = (0 if chr_kib else 8) if chr_ram_kib is None else chr_ram_kib
    return dataclasses.replace(
        Cartridge.load(header + bytes(16 * KIB)),
        mapper=mapper,
        prg_rom=prg_rom(prg_kib * KIB),
        chr_rom=chr_rom(chr_kib * KIB),
        chr_ram_bytes=ram * KIB,
        **fields,
    )


class Bench:
    """Runs small pieces of code on one console, with rendering off and the PPU warm."""

    def __init__(self, mapper: int, **fields: Any) -> None:
        self.console = Console(cartridge(mapper, **fields))
        self.console.ram[CODE : CODE + 3] = [0x4C, CODE & 0xFF, CODE >> 8]  # JMP CODE
        self.console.ram[IRQ_HANDLER] = RTI
        self.console.trace(0, start=CODE)
        self.console.step(frames=2)
        self.store(0x4017, 0x40)  # no IRQ of the APU's

    # --- The CPU
    def run(self, *code: int, instructions: int) -> None:
        """Instructions at CODE, followed by NOPs."""
        self.console.ram[CODE : CODE + len(code) + 16] = [*code, *[0xEA] * 16]
        self.console.trace(0, start=CODE)
        for _ in range(instructions):
            self.console.step_instruction()

    def store(self, address: int, value: int) -> None:
        self.run(0xA9, value, 0x8D, *_word(address), instructions=2)

    def load(self, address: int) -> int:
        self.run(0xAD, *_word(address), instructions=1)
        return self.console.cpu.a

    def nothing_drives(self, address: int) -> bool:
        """A read gets the last byte on the bus: the address's high byte, then another one with an index."""
        if self.load(address) != address >> 8:
            return False
        self.run(0xA2, 0xFF, 0xBD, *_word(address - 0xFF), instructions=2)
        return self.console.cpu.a == (address - 0xFF) >> 8

    # --- What stands where
    def prg(self) -> list[int]:
        """The 8 KiB banks at $8000, $A000, $C000 and $E000."""
        return [_number(self.console.peek(np.arange(at, at + 2))) for at in range(0x8000, 0x10000, 0x2000)]

    def chr(self) -> list[int]:
        """The 1 KiB banks at $0000, $0400 ... $1C00."""
        return [_number(self.ppu_read(at, 2)) for at in range(0, 0x2000, 0x400)]

    def nametables(self) -> list[int]:
        """The 1 KiB of nametable memory at $2000, $2400, $2800 and $2C00."""
        pages = self.field("cartridge_nametables").size // KIB
        for page in range(pages):
            self.fill_nametable(page, 0x40 + page)
        return [self.ppu_read(at, 1)[0] - 0x40 for at in range(0x2000, 0x3000, 0x400)]

    # --- The PPU
    def ppu_read(self, address: int, count: int) -> list[int]:
        self.ppu_address(address)
        self.load(0x2007)
        return [self.load(0x2007) for _ in range(count)]

    def ppu_write(self, address: int, value: int) -> None:
        self.ppu_address(address)
        self.store(0x2007, value)

    def ppu_address(self, address: int) -> None:
        """It takes a cycle to get to the pins."""
        self.store(0x2006, address >> 8)
        self.run(0xA9, address & 0xFF, 0x8D, 0x06, 0x20, 0xEA, instructions=3)

    # --- State
    def field(self, name: str) -> Any:
        return self.console.state()[name][0]

    def change(self, **values: int) -> None:
        """Loads the state with some fields changed."""
        state = self.console.state().copy()
        for name, value in values.items():
            state[name] = value
        self.console.load_state(state.tobytes())

    def fill_nametable(self, page: int, value: int) -> None:
        state = self.console.state().copy()
        state["cartridge_nametables"][0, page * KIB : (page + 1) * KIB] = value
        self.console.load_state(state.tobytes())


def _word(address: int) -> tuple[int, int]:
    return address & 0xFF, address >> 8


def _number(two_bytes: Any) -> int:
    return int(two_bytes[0]) | int(two_bytes[1]) << 8
