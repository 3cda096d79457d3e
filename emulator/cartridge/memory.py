"""How much RAM a cartridge has, and whether its board can address what the header declares."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.emulator.cartridge.boards import Board
from nesproof.emulator.cartridge.chips import MMC6_RAM_BYTES, Mmc3Chip
from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.header import Header

__all__ = ["Memory", "memory_of"]


@dataclass(frozen=True)
class Memory:
    """RAM sizes in bytes, each 0 or a power of two that the board can address."""

    prg_ram_bytes: int
    prg_nvram_bytes: int
    chr_ram_bytes: int


def memory_of(board: Board, chip: Mmc3Chip, header: Header, name: str, warnings: list[str]) -> Memory:
    """Check every declared size against the board and settle those that were not declared.

    Raises:
        CartridgeError: a size that the board cannot address, or neither CHR-ROM nor CHR-RAM.
    """
    _check_rom(name, board, header)
    has_mmc6 = chip.prg_ram == "mmc6"
    prg_ram_bytes = _mmc6_ram(header, warnings) if has_mmc6 else _prg_ram(board, header, name, warnings)
    if header.prg_nvram_bytes is None:
        prg_nvram_bytes = prg_ram_bytes if header.has_battery else 0
    else:
        prg_nvram_bytes = min(header.prg_nvram_bytes, prg_ram_bytes)
    return Memory(prg_ram_bytes, prg_nvram_bytes, _chr_ram(board, header, name, warnings))


def _prg_ram(board: Board, header: Header, name: str, warnings: list[str]) -> int:
    declared = header.prg_ram_bytes
    if declared is None:
        return board.usual_prg_ram_bytes
    if header.format == "iNES" and not _can_address(declared, board.prg_ram_most_bytes):
        # Byte 8 of iNES 1 was hardly ever written by anybody who knew the size.
        given = min(board.prg_ram_most_bytes, 1 << (declared.bit_length() - 1))
        warnings.append(
            f"{declared} bytes of PRG-RAM are declared, {board.family} can address powers of two up to "
            f"{board.prg_ram_most_bytes}: it gets {given}"
        )
        return given
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


def _mmc6_ram(header: Header, warnings: list[str]) -> int:
    declared = header.prg_ram_bytes
    if header.format == "NES 2.0" and declared != MMC6_RAM_BYTES:
        warnings.append(
            f"{declared} bytes of PRG-RAM are declared, but an MMC6 has {MMC6_RAM_BYTES} in the chip: it gets those"
        )
    return MMC6_RAM_BYTES


def _check_rom(name: str, board: Board, header: Header) -> None:
    for what, size, takes, smaller, most_bytes in (
        ("PRG-ROM", header.prg_rom_bytes, board.takes_prg_rom, "", board.prg_rom_most_bytes),
        ("CHR-ROM", header.chr_rom_bytes, board.takes_chr_rom, "1024, 2048, 4096 or ", board.chr_rom_most_bytes),
    ):
        if takes(size) or (what == "CHR-ROM" and size == 0):
            continue
        sizes = "a power of two of 8 KiB banks" if board.is_one_chip else "whole banks of 8 KiB"
        raise CartridgeError(
            f"{name}: has {size} bytes of {what}; {board.family} (mapper {board.mapper}) is supported with "
            f"{smaller}{sizes} up to {most_bytes} bytes."
        )


def _can_address(size: int, most_bytes: int) -> bool:
    return size <= most_bytes and size & (size - 1) == 0


def _check_ram(name: str, board: Board, what: str, size: int, most_bytes: int) -> None:
    if not _can_address(size, most_bytes):
        raise CartridgeError(
            f"{name}: declares {size} bytes of {what}; {board.family} (mapper {board.mapper}) is supported with powers "
            f"of two up to {most_bytes}."
        )
