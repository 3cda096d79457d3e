"""NES 2.0 headers: https://www.nesdev.org/wiki/NES_2.0."""

from __future__ import annotations

from nesproof.emulator.cartridge.header import Header, Timing, mirroring_of

__all__ = ["parse_nes20"]

_PRG_UNIT = 16 << 10
_CHR_UNIT = 8 << 10
_TIMINGS: tuple[Timing, ...] = ("ntsc", "pal", "multi", "dendy")
_CONSOLES = ("NES", "Vs. System", "PlayChoice-10")
_EXTENDED_CONSOLES = ("NES", "Vs. System", "PlayChoice-10")


def parse_nes20(header: bytes) -> Header:
    """Parse 16 bytes of NES 2.0. Sizes are as declared, however large; the caller caps them."""
    warnings: list[str] = []
    prg_nvram_bytes = _ram_bytes(header[10] >> 4)
    chr_nvram_bytes = _ram_bytes(header[11] >> 4)
    has_battery = bool(header[6] & 0x02)
    if has_battery and not prg_nvram_bytes and not chr_nvram_bytes:
        warnings.append("the battery bit is set, but no battery-backed memory is declared")
    if header[14] & 0x03:
        warnings.append(f"{header[14] & 0x03} miscellaneous ROMs are declared: they are ignored")
    return Header(
        format="NES 2.0",
        prg_rom_bytes=_rom_bytes(header[4], header[9] & 0x0F, _PRG_UNIT),
        chr_rom_bytes=_rom_bytes(header[5], header[9] >> 4, _CHR_UNIT),
        prg_ram_bytes=_ram_bytes(header[10] & 0x0F) + prg_nvram_bytes,
        prg_nvram_bytes=prg_nvram_bytes,
        chr_ram_bytes=_ram_bytes(header[11] & 0x0F) + chr_nvram_bytes,
        chr_nvram_bytes=chr_nvram_bytes,
        mapper=(header[6] >> 4) | (header[7] & 0xF0) | ((header[8] & 0x0F) << 8),
        submapper=header[8] >> 4,
        mirroring=mirroring_of(header[6]),
        has_trainer=bool(header[6] & 0x04),
        has_battery=has_battery,
        timing=_TIMINGS[header[12] & 0x03],
        console=_console(header),
        warnings=tuple(warnings),
    )


def _rom_bytes(low: int, high_nibble: int, unit: int) -> int:
    """Units, or, where the high nibble is F, 2**E * (2M + 1) bytes with E in bits 2 to 7 and M in bits 0 and 1."""
    if high_nibble == 0x0F:
        return int((low & 0x03) * 2 + 1) << (low >> 2)
    return ((high_nibble << 8) | low) * unit


def _ram_bytes(shift: int) -> int:
    """64 << shift bytes; 0 for a shift of 0."""
    return (64 << shift) if shift else 0


def _console(header: bytes) -> str:
    console_type = header[7] & 0x03
    if console_type < len(_CONSOLES):
        return _CONSOLES[console_type]
    extended = header[13] & 0x0F
    return _EXTENDED_CONSOLES[extended] if extended < len(_EXTENDED_CONSOLES) else f"extended console type {extended}"
