"""Names the format of a file that is not iNES, by its magic bytes."""

from __future__ import annotations

__all__ = ["foreign_format"]

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"UNIF", "a UNIF image"),
    (0, b"FDS\x1a", "a Famicom Disk System image"),
    (0, b"\x01*NINTENDO-HVC*", "a Famicom Disk System image without header"),
    (0, b"NESM\x1a", "an NSF sound file"),
    (0, b"NSFE", "an NSFe sound file"),
    (0, b"fwNES", "an fwNES file"),
    (0x104, b"\xce\xed\x66\x66\xcc\x0d", "a Game Boy image"),
    (0x04, b"\x24\xff\xae\x51\x69\x9a", "a Game Boy Advance image"),
    (0x100, b"SEGA", "a Mega Drive image"),
    (0, b"\x80\x37\x12\x40", "a Nintendo 64 image"),
    (0, b"SNES-SPC700", "an SNES sound file"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"PATCH", "an IPS patch"),
    (0, b"BPS1", "a BPS patch"),
    (0, b"UPS1", "a UPS patch"),
    (0, b"\x89PNG", "a PNG picture"),
    (0, b"%PDF", "a PDF document"),
    (0, b"\x7fELF", "an ELF program"),
    (0, b"MZ", "a DOS or Windows program"),
    (0, b"version https://git-lfs", "a Git LFS pointer, not the file itself"),
)

# The SNES header lies at the end of the first bank (LoROM, HiROM), with or without a copier's 512 bytes before it:
# https://snes.nesdev.org/wiki/ROM_header. Checksum and complement add up to FFFF.
_SNES_HEADERS = (0x7FC0, 0xFFC0, 0x81C0, 0x101C0)


def foreign_format(data: bytes) -> str | None:
    """What kind of file this is, with its article, or None where nothing is recognised."""
    for offset, magic, name in _MAGIC:
        if data.startswith(magic, offset):
            return name
    if _is_html(data):
        return "an HTML page"
    if _is_snes(data):
        return "an SNES image"
    return None


def _is_html(data: bytes) -> bool:
    head = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<!--", b"<?xml", b"<body", b"<title"))


def _is_snes(data: bytes) -> bool:
    for start in _SNES_HEADERS:
        header = data[start : start + 0x20]
        if len(header) < 0x20:
            continue
        title, map_mode, rom_size = header[:0x15], header[0x15], header[0x17]
        if not title.strip() or not all(0x20 <= byte < 0x7F for byte in title):
            continue
        complement = int.from_bytes(header[0x1C:0x1E], "little")
        checksum = int.from_bytes(header[0x1E:0x20], "little")
        # Patched and home-made images seldom have the right sum; their mode (2x or 3x) and size still make sense.
        if checksum + complement == 0xFFFF or (map_mode & 0xE0 == 0x20 and 0x07 <= rom_size <= 0x0D):
            return True
    return False
