"""What a header says, in one form for iNES 1 and NES 2.0; https://www.nesdev.org/wiki/INES tells them apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "HEADER_BYTES",
    "MAGIC",
    "TRAINER_BYTES",
    "Format",
    "Header",
    "Mirroring",
    "Timing",
    "is_nes20",
    "mirroring_of",
]

MAGIC = b"NES\x1a"
HEADER_BYTES = 16
TRAINER_BYTES = 512

Format = Literal["iNES", "NES 2.0"]
Mirroring = Literal["horizontal", "vertical", "four-screen"]
Timing = Literal["ntsc", "pal", "multi", "dendy"]


@dataclass(frozen=True)
class Header:
    """Sizes in bytes. A size of None was not declared: the board's usual one is meant.

    `prg_ram_bytes` and `chr_ram_bytes` count all RAM of the cartridge, `prg_nvram_bytes` and `chr_nvram_bytes` the part
    of it that a battery keeps. `junk_mapper` is the mapper number with the nibble that was taken for junk, or None.
    """

    format: Format
    prg_rom_bytes: int
    chr_rom_bytes: int
    prg_ram_bytes: int | None
    prg_nvram_bytes: int | None
    chr_ram_bytes: int | None
    chr_nvram_bytes: int
    mapper: int
    submapper: int
    mirroring: Mirroring
    has_trainer: bool
    has_battery: bool
    timing: Timing
    console: str
    warnings: tuple[str, ...]
    junk_mapper: int | None = None

    @property
    def trainer_bytes(self) -> int:
        """512 or 0."""
        return TRAINER_BYTES if self.has_trainer else 0

    @property
    def declared_bytes(self) -> int:
        """The size that the whole file must have at least."""
        return HEADER_BYTES + self.trainer_bytes + self.prg_rom_bytes + self.chr_rom_bytes


def is_nes20(header: bytes) -> bool:
    """Whether 16 header bytes are NES 2.0: bits 2 and 3 of byte 7 are 10."""
    return header[7] & 0x0C == 0x08


def mirroring_of(flags6: int) -> Mirroring:
    """The nametable mirroring in byte 6: bit 3 four-screen, else bit 0 vertical."""
    if flags6 & 0x08:
        return "four-screen"
    return "vertical" if flags6 & 0x01 else "horizontal"
