"""The boards that are emulated, as data, and what memory each can address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nesproof.emulator.cartridge.errors import UnsupportedBoardError

__all__ = ["SUPPORTED_BOARDS", "Board", "board_for", "supported_text"]

_KIB = 1 << 10


@dataclass(frozen=True)
class Board:
    """One mapper number's board. Sizes in bytes.

    Every size that is listed is a power of two, so that a console reaches its memory by masking an address: a smaller
    one repeats, and nothing is ever out of bounds.

    Attributes:
        name_of: the board's name by its PRG-ROM size.
        prg_rom_sizes, chr_rom_sizes: what is supported.
        prg_ram_most_bytes, chr_ram_most_bytes: how much RAM it can address, PRG-RAM at `$6000`.
        usual_prg_ram_bytes, usual_chr_ram_bytes: what an iNES 1 file gets that does not say.
        submappers: the NES 2.0 submapper numbers that mean something.
    """

    mapper: int
    family: str
    name_of: Callable[[int], str]
    prg_rom_sizes: tuple[int, ...]
    chr_rom_sizes: tuple[int, ...]
    chr_ram_most_bytes: int
    prg_ram_most_bytes: int
    usual_prg_ram_bytes: int
    usual_chr_ram_bytes: int
    submappers: tuple[int, ...] = (0,)


def _nrom_name(prg_rom_bytes: int) -> str:
    return "NROM-256" if prg_rom_bytes > 16 * _KIB else "NROM-128"


SUPPORTED_BOARDS: dict[int, Board] = {
    board.mapper: board
    for board in (
        # https://www.nesdev.org/wiki/NROM. 8 KiB of PRG-ROM is real (early Famicom games; NES 2.0 alone can say it) and
        # repeats four times. PRG-RAM is Family BASIC's, and where test programs report.
        Board(
            mapper=0,
            family="NROM",
            name_of=_nrom_name,
            prg_rom_sizes=(8 * _KIB, 16 * _KIB, 32 * _KIB),
            chr_rom_sizes=(1 * _KIB, 2 * _KIB, 4 * _KIB, 8 * _KIB),
            chr_ram_most_bytes=8 * _KIB,
            prg_ram_most_bytes=8 * _KIB,
            usual_prg_ram_bytes=8 * _KIB,
            usual_chr_ram_bytes=8 * _KIB,
        ),
    )
}


def supported_text() -> str:
    """The supported mappers for a message: number and family."""
    return ", ".join(f"{board.mapper} ({board.family})" for board in SUPPORTED_BOARDS.values())


def board_for(mapper: int, file_name: str, *, was_forced: bool, junk_mapper: int | None = None) -> Board:
    """The board of a mapper number; `junk_mapper` is what it would be if junk in the header were believed.

    Raises:
        UnsupportedBoardError: the number is not in the table; the message lists those that are.
    """
    board = SUPPORTED_BOARDS.get(mapper)
    if board is not None:
        return board
    whose = "was asked for" if was_forced else "is declared"
    if not was_forced and junk_mapper is not None:
        whose += f" (or {junk_mapper}, with junk in the header's bytes 7 to 15 that was ignored)"
    remedy = "" if was_forced else "; if the header is wrong, load it with mapper=NUMBER"
    raise UnsupportedBoardError(
        f"{file_name}: mapper {mapper} {whose}; supported: {supported_text()}{remedy}.",
        mapper=mapper,
        supported=tuple(sorted(SUPPORTED_BOARDS)),
    )
