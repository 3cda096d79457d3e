"""What a board is called, as far as the sizes on it tell: https://www.nesdev.org/wiki/SxROM, .../TxROM, .../UxROM.

Where a file does not declare its PRG-RAM, Nintendo's boards that differ in nothing else share their family's name.
"""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.emulator.cartridge.chips import Mmc3Chip

__all__ = [
    "Parts",
    "axrom_name",
    "camerica_name",
    "gxrom_name",
    "mmc1_fixed_name",
    "mmc1_name",
    "mmc3_name",
    "nrom_name",
    "uxrom_name",
]

_KIB = 1 << 10


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What is soldered onto a board. Sizes in bytes; `prg_ram_bytes` is None where the file does not declare it."""

    prg_rom_bytes: int
    chr_rom_bytes: int
    prg_ram_bytes: int | None
    has_battery: bool
    has_four_screens: bool
    submapper: int
    chip: Mmc3Chip


def nrom_name(parts: Parts) -> str:
    """NROM-128 with one 16 KiB bank, NROM-256 with two."""
    return "NROM-256" if parts.prg_rom_bytes > 16 * _KIB else "NROM-128"


def mmc1_name(parts: Parts) -> str:
    """SNROM, SKROM, SUROM and their siblings."""
    ram = parts.prg_ram_bytes
    if ram is not None and ram > 16 * _KIB:
        return "SXROM"
    if ram is not None and ram > 8 * _KIB:
        return "SZROM" if parts.chr_rom_bytes else "SOROM"
    if parts.prg_rom_bytes > 256 * _KIB:
        return "SUROM"
    if ram is None:
        return "SxROM"
    if not parts.chr_rom_bytes:
        return "SNROM" if ram else "SGROM"
    has_large_chr = parts.chr_rom_bytes > 64 * _KIB
    if parts.prg_rom_bytes > 64 * _KIB:
        return ("SKROM" if ram else "SLROM") if has_large_chr else ("SJROM" if ram else "SFROM")
    if ram:
        return "SKROM" if has_large_chr else "SAROM"
    return "SCROM" if has_large_chr else "SBROM"


def mmc1_fixed_name(parts: Parts) -> str:
    """SEROM, or SHROM with more CHR-ROM: 32 KiB of PRG-ROM that no register moves."""
    return "SHROM" if parts.chr_rom_bytes > 64 * _KIB else "SEROM"


def mmc3_name(parts: Parts) -> str:
    """HKROM with an MMC6; TVROM, TSROM, TKROM, TLROM and their siblings with an MMC3."""
    ram = parts.prg_ram_bytes
    if parts.chip.prg_ram == "mmc6":
        return "HKROM"
    if parts.has_four_screens:
        return "TVROM"
    if ram is None:
        return "TxROM"
    if not parts.chr_rom_bytes:
        return "TNROM" if ram else "TGROM"
    if ram:
        return "TKROM" if parts.has_battery else "TSROM"
    if parts.chr_rom_bytes > 64 * _KIB:
        return "TLROM"
    if parts.prg_rom_bytes > 64 * _KIB:
        return "TFROM"
    return "TBROM" if parts.prg_rom_bytes > 32 * _KIB else "TEROM"


def uxrom_name(parts: Parts) -> str:
    """UNROM with eight banks of 16 KiB, UOROM with sixteen."""
    return "UOROM" if parts.prg_rom_bytes > 128 * _KIB else "UNROM"


def axrom_name(parts: Parts) -> str:
    """ANROM and AOROM by their size, AMROM where writes collide with the ROM."""
    if parts.prg_rom_bytes > 128 * _KIB:
        return "AOROM"
    return "AMROM" if parts.submapper == 2 else "ANROM"


def gxrom_name(parts: Parts) -> str:
    """GNROM, and MHROM with half of everything."""
    return "GNROM" if parts.prg_rom_bytes > 64 * _KIB or parts.chr_rom_bytes > 16 * _KIB else "MHROM"


def camerica_name(parts: Parts) -> str:
    """Camerica's boards go by their chip: the BF9097 chooses the nametable as well."""
    return "BF9097" if parts.submapper == 1 else "BF9093"
