"""How much RAM a cartridge has, and whether its board can address what the header declares."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.emulator.cartridge.boards import Board
from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.header import Header

__all__ = ["Memory", "memory_of"]


@dataclass(frozen=True)
class Memory:
    """RAM sizes in bytes, each 0 or a power of two that the board can address."""

    prg_ram_bytes: int
    prg_nvram_bytes: int
    chr_ram_bytes: int


def memory_of(board: Board, header: Header, name: str, warnings: list[str]) -> Memory:
    """Check every declared size against the board and settle those that were not declared.

    Raises:
        CartridgeError: a size that the board cannot address, or neither CHR-ROM nor CHR-RAM.
    """
    _check_rom(name, board, "PRG-ROM", header.prg_rom_bytes, board.prg_rom_sizes)
    if header.chr_rom_bytes:
        _check_rom(name, board, "CHR-ROM", header.chr_rom_bytes, board.chr_rom_sizes)
    prg_ram_bytes = _prg_ram(board, header, name, warnings)
    if header.prg_nvram_bytes is None:
        prg_nvram_bytes = prg_ram_bytes if header.has_battery else 0
    else:
        prg_nvram_bytes = min(header.prg_nvram_bytes, prg_ram_bytes)
    return Memory(prg_ram_bytes, prg_nvram_bytes, _chr_ram(board, header, name, warnings))


def _prg_ram(board: Board, header: Header, name: str, warnings: list[str]) -> int:
    declared = header.prg_ram_bytes
    if declared is None:
        return board.usual_prg_ram_bytes
    if header.format == "iNES" and declared > board.prg_ram_most_bytes:
        # Byte 8 of iNES 1 was hardly ever written by anybody who knew the size.
        warnings.append(
            f"{declared} bytes of PRG-RAM are declared, {board.family} can address {board.prg_ram_most_bytes}: it gets "
            "those"
        )
        return board.prg_ram_most_bytes
    _check_ram(name, board, "PRG-RAM", declared, board.prg_ram_most_bytes)
    if header.has_trainer and declared < board.usual_prg_ram_bytes:
        warnings.append(
            f"the trainer needs RAM at $7000, but {declared} bytes of PRG-RAM are declared: the cartridge gets "
            f"{board.usual_prg_ram_bytes}"
        )
        return board.usual_prg_ram_bytes
    return declared


def _chr_ram(board: Board, header: Header, name: str, warnings: list[str]) -> int:
    declared = header.chr_ram_bytes
    if header.chr_rom_bytes:
        if declared:
            warnings.append(
                f"{declared} bytes of CHR-RAM are declared beside CHR-ROM, which {board.family} cannot address: they "
                "are left out"
            )
        return 0
    if declared is None:
        return board.usual_chr_ram_bytes
    if declared == 0:
        raise CartridgeError(
            f"{name}: its NES 2.0 header declares neither CHR-ROM nor CHR-RAM, so that nothing could be drawn; one of "
            "them is needed."
        )
    _check_ram(name, board, "CHR-RAM", declared, board.chr_ram_most_bytes)
    return declared


def _check_rom(name: str, board: Board, what: str, size: int, supported: tuple[int, ...]) -> None:
    if size not in supported:
        sizes = ", ".join(f"{s}" for s in supported)
        raise CartridgeError(
            f"{name}: has {size} bytes of {what}; {board.family} (mapper {board.mapper}) is supported with {sizes}."
        )


def _check_ram(name: str, board: Board, what: str, size: int, most_bytes: int) -> None:
    if size > most_bytes or size & (size - 1):
        raise CartridgeError(
            f"{name}: declares {size} bytes of {what}; {board.family} (mapper {board.mapper}) is supported with powers "
            f"of two up to {most_bytes}."
        )
