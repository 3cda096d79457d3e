"""Which board a file means, by its header and by what is asked for in its place."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.emulator.cartridge.asked import Asked
from nesproof.emulator.cartridge.boards import Board, board_of, boards_for
from nesproof.emulator.cartridge.chips import MMC3, Mmc3Chip
from nesproof.emulator.cartridge.errors import CartridgeError
from nesproof.emulator.cartridge.header import Header

__all__ = ["Choice", "choose"]


@dataclass(frozen=True)
class Choice:
    """A board, and what its mapper number leaves open."""

    board: Board
    submapper: int
    chip: Mmc3Chip


def choose(header: Header, asked: Asked, name: str, warnings: list[str]) -> Choice:
    """The board that is run.

    Raises:
        UnsupportedBoardError: it is not emulated.
        CartridgeError: something is asked for that it does not have.
    """
    number = header.mapper if asked.mapper is None else asked.mapper
    boards = boards_for(number, name, was_forced=asked.mapper is not None, junk_mapper=header.junk_mapper)
    if number != header.mapper:
        warnings.append(f"mapper {number} is used as asked, where the header declares {header.mapper}")
    submapper = _submapper(header, asked, boards, name, warnings)
    board = board_of(boards, submapper, header.chr_rom_bytes)
    meant = board.mmc3.get(submapper, MMC3)
    _check_chip(header, asked, board, meant, name=name, warnings=warnings)
    return Choice(
        board=board,
        submapper=submapper,
        chip=meant.with_choices(asked.irq, asked.prg_ram),
    )


def _submapper(header: Header, asked: Asked, boards: tuple[Board, ...], name: str, warnings: list[str]) -> int:
    mapper = boards[0].mapper
    declared = header.submapper if mapper == header.mapper else 0
    submapper = declared if asked.submapper is None else asked.submapper
    known = sorted({number for board in boards for number in board.submappers})
    stood_in_for = boards[0].stood_in_for.get(submapper)
    if stood_in_for is not None:
        warnings.append(f"submapper {submapper} is {stood_in_for}: it is run as {boards[0].family}")
        return 0
    if submapper not in known:
        if asked.submapper is not None:
            numbers = ", ".join(map(str, known))
            raise CartridgeError(
                f"{name}: submapper {submapper} was asked for; {boards[0].family} (mapper {mapper}) is supported with "
                f"{numbers}."
            )
        warnings.append(f"submapper {submapper} means nothing for mapper {mapper}: it is ignored")
        return 0
    if submapper != declared and header.format == "NES 2.0" and mapper == header.mapper:
        warnings.append(f"submapper {submapper} is used as asked, where the header declares {declared}")
    return submapper


def _check_chip(header: Header, asked: Asked, board: Board, meant: Mmc3Chip, *, name: str, warnings: list[str]) -> None:
    has_said = header.format == "NES 2.0" and board.mapper == header.mapper and asked.submapper is None
    for what, wanted, found in (("irq", asked.irq, meant.irq), ("prg_ram", asked.prg_ram, meant.prg_ram)):
        if wanted is None:
            continue
        if not board.mmc3:
            raise CartridgeError(
                f"{name}: {what}='{wanted}' was asked for, which only an MMC3 (mapper 4) has; the board is "
                f"{board.family} (mapper {board.mapper})."
            )
        if has_said and wanted != found:
            said = f"submapper {header.submapper} means '{found}'"
            warnings.append(f"{what}='{wanted}' is used as asked, where the header's {said}")
