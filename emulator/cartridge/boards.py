"""The boards that are emulated, as data, and what memory each can address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nesproof.emulator.cartridge import board_names as names
from nesproof.emulator.cartridge.chips import MMC3, MMC6, NEC_MMC3, Mmc3Chip
from nesproof.emulator.cartridge.errors import UnsupportedBoardError

__all__ = ["PRG_ROM_UNIT", "SUPPORTED_BOARDS", "Board", "board_of", "boards_for", "supported_text"]

_KIB = 1 << 10
_MIB = 1 << 20
PRG_ROM_UNIT = 8 * _KIB
"""PRG-ROM has a whole number of these; an iNES 1 header counts in pairs of them."""
_CHR_ROM_UNIT = 8 * _KIB


@dataclass(frozen=True, kw_only=True)
class Board:
    """One board, or a family whose members differ in the sizes of their memories. Sizes in bytes.

    ROM need be no power of two: a console lays it out as the chips that it takes. RAM is one, so that an address is
    reached by masking it: a smaller one repeats, and nothing is ever out of bounds.

    Attributes:
        submappers: the NES 2.0 submapper numbers that mean this board.
        stood_in_for: submapper numbers of boards that are not emulated, by what they are: this one stands in for them.
        name_of: the board's name by what is on it.
        prg_rom_most_bytes, chr_rom_most_bytes: what its registers reach; CHR-ROM may be left out on every board.
        is_one_chip: where a ROM is one chip, its size is a power of two.
        prg_ram_most_bytes, chr_ram_most_bytes: how much RAM it can address, PRG-RAM at `$6000`.
        usual_prg_ram_bytes, usual_chr_ram_bytes: what an iNES 1 file gets that does not say.
        mmc3: what a submapper says of an MMC3's parts; empty on other boards.
    """

    mapper: int
    family: str
    name_of: Callable[[names.Parts], str]
    prg_rom_most_bytes: int
    chr_rom_most_bytes: int
    chr_ram_most_bytes: int = 8 * _KIB
    prg_ram_most_bytes: int = 8 * _KIB
    usual_prg_ram_bytes: int = 8 * _KIB
    usual_chr_ram_bytes: int = 8 * _KIB
    submappers: tuple[int, ...] = (0,)
    stood_in_for: Mapping[int, str] = field(default_factory=dict)
    is_one_chip: bool = False
    mmc3: Mapping[int, Mmc3Chip] = field(default_factory=dict)

    def takes_prg_rom(self, size: int) -> bool:
        """Whether PRG-ROM can have this size."""
        return 0 < size <= self.prg_rom_most_bytes and size % PRG_ROM_UNIT == 0 and self._fits(size)

    def takes_chr_rom(self, size: int) -> bool:
        """Whether CHR-ROM can have this size: less than 8 KiB, which repeats, or a whole number of them."""
        is_small = size in (1 * _KIB, 2 * _KIB, 4 * _KIB)
        return 0 < size <= self.chr_rom_most_bytes and (is_small or size % _CHR_ROM_UNIT == 0) and self._fits(size)

    def _fits(self, size: int) -> bool:
        return not self.is_one_chip or size & (size - 1) == 0


_ALL = (
    # https://www.nesdev.org/wiki/NROM. 8 KiB of PRG-ROM is real (early Famicom games; NES 2.0 alone can say it) and
    # repeats four times. PRG-RAM is Family BASIC's, and where test programs report; that is why every board below that
    # leaves $6000 free gets it as well where an iNES 1 header is silent.
    Board(
        mapper=0,
        family="NROM",
        name_of=names.nrom_name,
        prg_rom_most_bytes=32 * _KIB,
        chr_rom_most_bytes=8 * _KIB,
        is_one_chip=True,
    ),
    # https://www.nesdev.org/wiki/MMC1. 512 KiB of PRG-ROM are SUROM's and SXROM's, 16 and 32 KiB of PRG-RAM SOROM's and
    # SXROM's, whose submapper numbers 1, 2 and 4 the sizes have made needless.
    Board(
        mapper=1,
        family="MMC1",
        name_of=names.mmc1_name,
        prg_rom_most_bytes=512 * _KIB,
        chr_rom_most_bytes=128 * _KIB,
        chr_ram_most_bytes=128 * _KIB,
        prg_ram_most_bytes=32 * _KIB,
    ),
    Board(
        mapper=1,
        family="SEROM",
        name_of=names.mmc1_fixed_name,
        submappers=(5,),
        prg_rom_most_bytes=32 * _KIB,
        chr_rom_most_bytes=128 * _KIB,
        chr_ram_most_bytes=128 * _KIB,
    ),
    # https://www.nesdev.org/wiki/UxROM, https://www.nesdev.org/wiki/CNROM. Eight bits select a bank. Submapper 1 has no
    # bus conflicts, 2 has them, 0 leaves it open.
    Board(
        mapper=2,
        family="UxROM",
        name_of=names.uxrom_name,
        submappers=(0, 1, 2),
        prg_rom_most_bytes=4 * _MIB,
        chr_rom_most_bytes=8 * _KIB,
    ),
    Board(
        mapper=3,
        family="CNROM",
        name_of=lambda _: "CNROM",
        submappers=(0, 1, 2),
        prg_rom_most_bytes=32 * _KIB,
        chr_rom_most_bytes=2 * _MIB,
        chr_ram_most_bytes=32 * _KIB,
    ),
    # https://www.nesdev.org/wiki/MMC3. Six bits select a bank of PRG-ROM, eight one of CHR.
    Board(
        mapper=4,
        family="MMC3",
        name_of=names.mmc3_name,
        submappers=(0, 1, 4),
        stood_in_for={3: "an Acclaim MC-ACC, whose IRQ comes at the other edge of A12"},
        prg_rom_most_bytes=512 * _KIB,
        chr_rom_most_bytes=256 * _KIB,
        chr_ram_most_bytes=256 * _KIB,
        mmc3={0: MMC3, 1: MMC6, 4: NEC_MMC3},
    ),
    # https://www.nesdev.org/wiki/AxROM. The fourth bit is a later board's; ANROM and AOROM have three.
    Board(
        mapper=7,
        family="AxROM",
        name_of=names.axrom_name,
        submappers=(0, 1, 2),
        prg_rom_most_bytes=512 * _KIB,
        chr_rom_most_bytes=8 * _KIB,
    ),
    # https://www.nesdev.org/wiki/Color_Dreams. Two bits of PRG bank; the lockout's bits 2 and 3 select on larger ROMs.
    Board(
        mapper=11,
        family="Color Dreams",
        name_of=lambda _: "Color Dreams",
        prg_rom_most_bytes=512 * _KIB,
        chr_rom_most_bytes=128 * _KIB,
        chr_ram_most_bytes=128 * _KIB,
    ),
    # https://www.nesdev.org/wiki/INES_Mapper_034: two boards with one number. BNROM has no CHR banks, so that more than
    # 8 KiB of CHR-ROM mean NINA-001 where no submapper does.
    Board(
        mapper=34,
        family="BNROM",
        name_of=lambda _: "BNROM",
        submappers=(0, 2),
        prg_rom_most_bytes=8 * _MIB,
        chr_rom_most_bytes=8 * _KIB,
    ),
    Board(
        mapper=34,
        family="NINA-001",
        name_of=lambda _: "NINA-001",
        submappers=(0, 1),
        prg_rom_most_bytes=64 * _KIB,
        chr_rom_most_bytes=64 * _KIB,
        chr_ram_most_bytes=64 * _KIB,
    ),
    # https://www.nesdev.org/wiki/GxROM
    Board(
        mapper=66,
        family="GxROM",
        name_of=names.gxrom_name,
        prg_rom_most_bytes=128 * _KIB,
        chr_rom_most_bytes=32 * _KIB,
        chr_ram_most_bytes=32 * _KIB,
    ),
    # https://www.nesdev.org/wiki/INES_Mapper_071. Submapper 1 is Fire Hawk's BF9097, which chooses the nametable.
    Board(
        mapper=71,
        family="Camerica",
        name_of=names.camerica_name,
        prg_rom_most_bytes=256 * _KIB,
        chr_rom_most_bytes=8 * _KIB,
    ),
    Board(
        mapper=71,
        family="BF9097",
        name_of=names.camerica_name,
        submappers=(1,),
        prg_rom_most_bytes=256 * _KIB,
        chr_rom_most_bytes=8 * _KIB,
    ),
)

SUPPORTED_BOARDS: dict[int, tuple[Board, ...]] = {
    mapper: tuple(board for board in _ALL if board.mapper == mapper) for mapper in sorted({b.mapper for b in _ALL})
}
"""The boards of each mapper number, the usual one first."""


def supported_text() -> str:
    """The supported mappers for a message: number and family."""
    return ", ".join(f"{mapper} ({_families(boards)})" for mapper, boards in SUPPORTED_BOARDS.items())


def _families(boards: tuple[Board, ...]) -> str:
    return "/".join(board.family for board in boards)


def boards_for(mapper: int, file_name: str, *, was_forced: bool, junk_mapper: int | None = None) -> tuple[Board, ...]:
    """The boards of a mapper number; `junk_mapper` is what it would be if junk in the header were believed.

    Raises:
        UnsupportedBoardError: the number is not in the table; the message lists those that are.
    """
    boards = SUPPORTED_BOARDS.get(mapper)
    if boards is not None:
        return boards
    whose = "was asked for" if was_forced else "is declared"
    if not was_forced and junk_mapper is not None:
        whose += f" (or {junk_mapper}, with junk in the header's bytes 7 to 15 that was ignored)"
    remedy = "" if was_forced else "; if the header is wrong, load it with mapper=NUMBER"
    raise UnsupportedBoardError(
        f"{file_name}: mapper {mapper} {whose}; supported: {supported_text()}{remedy}.",
        mapper=mapper,
        supported=tuple(SUPPORTED_BOARDS),
    )


def board_of(boards: tuple[Board, ...], submapper: int, chr_rom_bytes: int) -> Board:
    """The one among a mapper number's boards that a submapper number means.

    Where it leaves several, the first that can hold the CHR-ROM is meant, or else the last.
    """
    meant = [board for board in boards if submapper in board.submappers]
    return next((board for board in meant if chr_rom_bytes <= board.chr_rom_most_bytes), meant[-1])
