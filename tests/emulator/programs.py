"""Small cartridges for tests: NROM-128 with code at $C000 and vectors of one's choice."""

from __future__ import annotations

from nesproof.emulator import Cartridge, Console

CODE = 0xC000
NOP, RTI = 0xEA, 0x40


def cartridge(
    code: bytes = b"",
    *,
    at: int = CODE,
    data: dict[int, bytes] | None = None,
    reset: int = CODE,
    nmi: int = 0xFF00,
    irq: int = 0xFF00,
    chr_rom: bytes = bytes(8192),
    vertical: bool = False,
) -> Cartridge:
    """16 KiB of PRG-ROM, NOPs where nothing else is; an RTI at $FF00; `data` maps addresses to bytes."""
    prg = bytearray([NOP] * 0x4000)
    for address, content in {**(data or {}), at: code, 0xFF00: bytes([RTI])}.items():
        prg[address & 0x3FFF : (address & 0x3FFF) + len(content)] = content
    for offset, vector in ((0x3FFA, nmi), (0x3FFC, reset), (0x3FFE, irq)):
        prg[offset : offset + 2] = vector.to_bytes(2, "little")
    header = b"NES\x1a" + bytes([1, len(chr_rom) // 8192, int(vertical)]) + bytes(9)
    return Cartridge.load(header + bytes(prg) + chr_rom)


def console(code: bytes = b"", **options: object) -> Console:
    """A console that is about to execute the code: the reset sequence is over."""
    machine = Console(cartridge(code, **options))  # type: ignore[arg-type]
    machine.step_instruction()
    return machine


def cycles_of(machine: Console, instructions: int = 1) -> list[int]:
    """Runs instructions and returns the CPU cycles of each."""
    start = machine.cpu.cycle
    taken = []
    for _ in range(instructions):
        machine.step_instruction()
        taken.append(machine.cpu.cycle - start)
        start = machine.cpu.cycle
    return taken
