"""iNES 1 headers, and the junk that tools of the 1990s left in them: https://www.nesdev.org/wiki/INES."""

from __future__ import annotations

from nesproof.emulator.cartridge.header import Header, Timing, mirroring_of
from nesproof.emulator.cartridge.plain_text import shown_bytes

__all__ = ["parse_ines1"]

_PRG_UNIT = 16 << 10
_CHR_UNIT = 8 << 10
_PRG_RAM_UNIT = 8 << 10


def parse_ines1(header: bytes) -> Header:
    """Parse 16 bytes that are not NES 2.0. Sizes are as declared; nothing is checked against a board.

    Bytes 7 to 15 count as junk, and the upper mapper nibble is ignored, when bit 2 of byte 7 is set (no iNES 1 has it),
    when byte 7 is not 0 and bytes 12 to 15, which are reserved, are not all 0, or when text begins at byte 7. Where
    byte 7 is sound, any reserved bit that is set makes bytes 8 to 15 junk, and they are ignored.
    """
    warnings: list[str] = []
    low_nibble = header[6] >> 4
    declared = low_nibble | (header[7] & 0xF0)
    has_reserved_bits = bool(header[9] & 0xFE) or any(header[10:16])
    has_text = has_reserved_bits and _prints(header[7]) and _prints(header[8])
    upper_is_junk = bool(header[7] & 0x0C) or (header[7] != 0 and any(header[12:16])) or has_text
    rest_is_junk = upper_is_junk or has_reserved_bits
    mapper = low_nibble if upper_is_junk else declared
    if upper_is_junk:
        warnings.append(
            f"bytes 7 to 15 of the iNES header are junk, {shown_bytes(header[7:16])}: they are ignored, the mapper "
            f"number is taken as {mapper} and not as {declared}"
        )
    elif rest_is_junk:
        warnings.append(f"bytes 8 to 15 of the iNES header are junk, {shown_bytes(header[8:16])}: they are ignored")

    timing: Timing = "ntsc"
    prg_ram_bytes = None
    console = "NES"
    if not rest_is_junk:
        if header[9] & 0x01:
            warnings.append("the iNES header's PAL bit is set, which few tools ever kept right: run as NTSC")
        if header[8]:
            prg_ram_bytes = header[8] * _PRG_RAM_UNIT
    if not upper_is_junk and header[7] & 0x03:
        console = "Vs. System" if header[7] & 0x01 else "PlayChoice-10"
        warnings.append(f"the iNES header says {console}: run as an NES")
    return Header(
        format="iNES",
        prg_rom_bytes=header[4] * _PRG_UNIT,
        chr_rom_bytes=header[5] * _CHR_UNIT,
        prg_ram_bytes=prg_ram_bytes,
        prg_nvram_bytes=None,
        chr_ram_bytes=None,
        chr_nvram_bytes=0,
        mapper=mapper,
        submapper=0,
        mirroring=mirroring_of(header[6]),
        has_trainer=bool(header[6] & 0x04),
        has_battery=bool(header[6] & 0x02),
        timing=timing,
        console=console,
        warnings=tuple(warnings),
        junk_mapper=declared if upper_is_junk else None,
    )


def _prints(byte: int) -> bool:
    return 0x20 <= byte < 0x7F
