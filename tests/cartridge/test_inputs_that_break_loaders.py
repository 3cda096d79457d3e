"""Each row of the table of inputs that break NES loaders is a test here, named after it."""

from __future__ import annotations

import hashlib
import io
import os
import socket
import warnings
from pathlib import Path

import pytest

from nesproof.emulator.cartridge import Cartridge, CartridgeError, CartridgeWarning, UnsupportedBoardError


def refused(data, *parts: str, **options) -> str:
    """The message of the refusal, which holds every part and is one sentence."""
    with pytest.raises(CartridgeError) as caught:
        Cartridge.load(data, **options)
    message = str(caught.value)
    for part in parts:
        assert part in message, message
    assert "\n" not in message
    assert message.endswith(".")
    return message


def accepted(data, **options) -> Cartridge:
    """Loads without any warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Cartridge.load(data, **options)


def test_empty_file():
    refused(b"", "<bytes>", "empty", "0 bytes", "16")


@pytest.mark.parametrize("size", [1, 3, 4, 15])
def test_shorter_than_16_bytes(size, ines):
    refused(ines()[:size], f"has {size} bytes", "16")


def test_header_only(ines):
    refused(ines(prg_units=2)[:16], "truncated", f"declares {16 + 0x8000 + 0x2000} bytes", "the file has 16")


def test_wrong_magic_shows_the_first_bytes():
    refused(b"XES\x1a" + bytes(0x6000), "58 45 53 1A", "4E 45 53 1A")


SNES_TITLE = b"A SUPER GAME".ljust(21) + bytes(7) + bytes([0x34, 0x12, 0xCB, 0xED])


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"UNIF" + bytes(60), "UNIF"),
        (b"FDS\x1a" + bytes(60), "Famicom Disk System"),
        (b"\x01*NINTENDO-HVC*" + bytes(60), "Famicom Disk System"),
        (b"NESM\x1a\x01" + bytes(122), "NSF"),
        (b"NSFE" + bytes(60), "NSFe"),
        (bytes(0x7FC0) + SNES_TITLE + bytes(0x20), "SNES"),
        (bytes(0xFFC0) + SNES_TITLE + bytes(0x20), "SNES"),
        (bytes(0x81C0) + SNES_TITLE + bytes(0x20), "SNES"),
        (bytes(0x7FC0) + b"HOME MADE".ljust(21) + bytes([0x20, 0, 8]) + bytes(0x40), "SNES"),
        (bytes(0x104) + bytes.fromhex("ceed6666cc0d000b") + bytes(0x8000), "Game Boy"),
        (b"<!DOCTYPE html><html><title>404</title></html>", "HTML"),
        (b"\xef\xbb\xbf\r\n  <HTML>", "HTML"),
        (b"<html>", "HTML"),
        (b"Rar!\x1a\x07\x00" + bytes(60), "RAR"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(60), "7z"),
        (b"\x1f\x8b\x08" + bytes(60), "gzip"),
        (bytes(257) + b"ustar" + bytes(300), "tar"),
    ],
)
def test_other_formats_are_named(data, name):
    refused(data, name, "iNES, NES 2.0 and zip files are supported")


def test_zip_with_exactly_one_nes(ines, zipped):
    rom = ines()
    packed = zipped({"readme.txt": b"hello", "folder/game.NES": rom, "__MACOSX/folder/._game.NES": b"junk"})
    cartridge = accepted(packed)
    assert cartridge == accepted(zipped({"game.NES": rom}))
    assert cartridge.prg_rom + cartridge.chr_rom == rom[16:]
    assert cartridge.source_name == "game.NES"
    assert cartridge.file_sha256 == hashlib.sha256(rom).hexdigest()


@pytest.mark.parametrize(("flags7", "mapper"), [(0x44, 4), (0x4C, 4), (0xF4, 15)])
def test_junk_in_bytes_7_to_15_of_ines_1(flags7, mapper, ines):
    tail = bytes([flags7]) + b"iskDude!"
    data = ines(tail=tail)
    with pytest.warns(CartridgeWarning) as caught:
        cartridge = Cartridge.load(data)
    [warning] = caught
    assert "taken as 0 and not as" in str(warning.message)
    assert str(flags7 & 0xF0) in str(warning.message)
    assert (cartridge.mapper, cartridge.declared_mapper) == (0, 0)
    assert cartridge.prg_ram_bytes == 0x2000
    assert mapper


@pytest.mark.parametrize(
    "junk", [b"DiskDude!", b"demiforce", b"aster\0\0\0\0", b"@\0\0\0\0\0\0\0\1", b"\x10\0\0\0\0\xff\0\0\0"]
)
def test_junk_strings_lose_the_upper_nibble(junk, ines):
    with pytest.warns(CartridgeWarning, match="bytes 7 to 15"):
        assert Cartridge.load(ines(tail=junk)).mapper == 0


def test_junk_and_an_unsupported_lower_nibble_show_both_numbers(ines):
    message = refused(ines(flags6=0x50, tail=b"DiskDude!"), "mapper 5 is declared", "69", "supported: 0 (NROM)")
    assert "junk" in message


@pytest.mark.parametrize("junk", [b"\0\0\0\0\0\0\0\1", b"blargg\0\0", b"\xff" * 8, b"\1\0\x80\0\0\0\0\0"])
def test_junk_in_bytes_8_to_15_only(junk, ines):
    with pytest.warns(CartridgeWarning, match="bytes 8 to 15") as caught:
        cartridge = Cartridge.load(ines(tail=b"\0" + junk))
    assert len(caught) == 1
    assert cartridge.mapper == 0
    assert cartridge.prg_ram_bytes == 0x2000


def test_nes_2_is_parsed_as_nes_2_first(nes20):
    cartridge = accepted(nes20(prg_ram_shifts=0x07))
    assert cartridge.format == "NES 2.0"
    assert cartridge.prg_ram_bytes == 0x2000
    assert accepted(nes20()).prg_ram_bytes == 0


def test_nes_2_exponent_sizes(nes20):
    # 2**14 * 1 and 2**13 * 1.
    cartridge = accepted(nes20(prg=(14 << 2, 15), chr_=(13 << 2, 15)))
    assert (len(cartridge.prg_rom), len(cartridge.chr_rom)) == (0x4000, 0x2000)


@pytest.mark.parametrize("low", [0xFF, 63 << 2, 40 << 2 | 3, 24 << 2, 23 << 2 | 1])
def test_nes_2_exponent_sizes_are_capped(low, nes20):
    refused(nes20(prg=(low, 15)), "16 MiB")
    refused(nes20(chr_=(low, 15)), "16 MiB")


def test_nes_2_ram_sizes_are_honoured(nes20):
    cartridge = accepted(nes20(prg_ram_shifts=0x50, chr_=(0, 0), chr_ram_shifts=0x07, flags6=2, body_bytes=0x4000))
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes, cartridge.chr_ram_bytes) == (2048, 2048, 8192)
    both = accepted(nes20(prg_ram_shifts=0x66, flags6=2))
    assert (both.prg_ram_bytes, both.prg_nvram_bytes) == (8192, 4096)


@pytest.mark.parametrize("shift", range(1, 8))
def test_nes_2_chr_ram_below_8_kib(shift, nes20):
    cartridge = accepted(nes20(chr_=(0, 0), chr_ram_shifts=shift, body_bytes=0x4000))
    assert cartridge.chr_ram_bytes == 64 << shift
    assert cartridge.chr_rom == b""


def test_nes_2_with_neither_chr_rom_nor_chr_ram(nes20):
    refused(nes20(chr_=(0, 0), body_bytes=0x4000), "neither CHR-ROM nor CHR-RAM")


def test_trainer(ines):
    data = ines(flags6=4)
    cartridge = accepted(data)
    assert cartridge.trainer == data[16:528]
    assert cartridge.prg_rom == data[528 : 528 + 0x4000]
    assert cartridge.body_sha1 == hashlib.sha1(data[528:]).hexdigest()
    assert accepted(ines()).trainer == b""


@pytest.mark.parametrize("kept", [16 + 1, 16 + 0x3FFF, 16 + 0x4000, 16 + 0x5FFF])
def test_truncated_prg_or_chr(kept, ines):
    refused(ines()[:kept], f"declares {16 + 0x6000} bytes", "16384 PRG-ROM", "8192 CHR-ROM", f"the file has {kept}")


def test_longer_than_declared(ines):
    rom = ines()
    whole = rom + b"tail"
    with pytest.warns(CartridgeWarning, match="last 4 are ignored"):
        cartridge = Cartridge.load(whole)
    assert cartridge.chr_rom == rom[-0x2000:]
    assert cartridge.file_sha256 == hashlib.sha256(whole).hexdigest()
    assert cartridge.body_sha256 == hashlib.sha256(rom[16:]).hexdigest()
    [warning] = cartridge.warnings
    assert hashlib.sha256(whole).hexdigest() in warning
    assert hashlib.sha256(rom).hexdigest() in warning


def test_chr_size_0_in_ines_1(ines):
    cartridge = accepted(ines(chr_units=0))
    assert (cartridge.chr_rom, cartridge.chr_ram_bytes) == (b"", 0x2000)
    assert accepted(ines()).chr_ram_bytes == 0


def test_prg_size_0(ines, nes20):
    refused(ines(prg_units=0), "0 bytes of PRG-ROM")
    refused(nes20(prg=(0, 0)), "0 bytes of PRG-ROM")


@pytest.mark.parametrize(
    ("flags6", "mirroring"), [(0, "horizontal"), (1, "vertical"), (8, "four-screen"), (9, "four-screen")]
)
def test_four_screen_flag_and_mirroring(flags6, mirroring, ines):
    assert accepted(ines(flags6=flags6)).mirroring == mirroring


@pytest.mark.parametrize(("timing", "name"), [(1, "PAL"), (3, "Dendy")])
def test_pal_and_dendy(timing, name, nes20):
    refused(nes20(timing=timing), name, "only NTSC", "region='ntsc'")
    with pytest.warns(CartridgeWarning, match=name):
        assert Cartridge.load(nes20(timing=timing), region="ntsc").region == "ntsc"


@pytest.mark.parametrize("timing", [0, 2])
def test_ntsc_and_multi_region(timing, nes20):
    assert accepted(nes20(timing=timing)).region == "ntsc"


def test_pal_bit_of_ines_1_warns_only(ines):
    with pytest.warns(CartridgeWarning, match="PAL"):
        assert Cartridge.load(ines(tail=b"\0\0\1" + bytes(6))).region == "ntsc"


def test_unknown_region_is_refused(ines):
    refused(ines(), "'pal'", "'ntsc'", region="pal")


def test_unknown_mapper(ines, nes20):
    with pytest.raises(UnsupportedBoardError, match=r"mapper 5 .*supported: 0 \(NROM\), 1 .*mapper=NUMBER") as caught:
        Cartridge.load(ines(flags6=0x50))
    assert (caught.value.mapper, caught.value.supported) == (5, (0, 1, 2, 3, 4, 7, 11, 34, 66, 71))
    refused(nes20(mapper=4095), "mapper 4095")


def test_mapper_override(ines):
    data = ines(flags6=0x10)
    with pytest.warns(CartridgeWarning, match="mapper 0 is used as asked, where the header declares 1"):
        cartridge = Cartridge.load(data, mapper=0)
    assert (cartridge.mapper, cartridge.declared_mapper) == (0, 1)
    assert accepted(ines(), mapper=0).mapper == 0
    message = refused(ines(), "mapper 5 was asked for", mapper=5)
    assert "mapper=NUMBER" not in message


def test_battery_bit(ines, tmp_path):
    path = tmp_path / "game.nes"
    path.write_bytes(ines(flags6=2))
    cartridge = accepted(path)
    assert cartridge.has_battery
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes) == (0x2000, 0x2000)
    assert [p.name for p in tmp_path.iterdir()] == ["game.nes"]


def test_ines_1_with_prg_ram_unspecified(ines):
    cartridge = accepted(ines())
    assert (cartridge.prg_ram_bytes, cartridge.prg_nvram_bytes) == (0x2000, 0)
    with pytest.warns(CartridgeWarning, match="65536 bytes of PRG-RAM"):
        assert Cartridge.load(ines(tail=b"\0\x08" + bytes(7))).prg_ram_bytes == 0x2000


def test_huge_file_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "huge.nes"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("the file was opened"))
    refused(path, "huge.nes", str(1 << 40), "16 MiB")


def test_huge_bytes():
    refused(bytes((16 << 20) + 1), "16 MiB")


def test_device_file():
    refused("/dev/zero", "zero", "a character device")


def test_directory(tmp_path):
    (tmp_path / "folder.nes").mkdir()
    refused(tmp_path / "folder.nes", "folder.nes", "a directory")


def test_fifo_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe.nes")
    refused(tmp_path / "pipe.nes", "pipe.nes", "a FIFO")


def test_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.nes")
        refused("socket.nes", "a socket")


def test_missing_file(tmp_path):
    refused(tmp_path / "absent.nes", "absent.nes", "No such file")


def test_path_with_a_nul():
    refused("a\0b.nes", "a\\x00b.nes")


def test_path_too_long():
    refused("x" * 10_000, "cannot be read")


@pytest.mark.skipif(os.geteuid() == 0, reason="condition: not root (root may read any file)")
def test_unreadable_file(tmp_path, ines):
    (tmp_path / "locked.nes").write_bytes(ines())
    (tmp_path / "locked.nes").chmod(0)
    refused(tmp_path / "locked.nes", "locked.nes", "Permission denied")


@pytest.mark.parametrize("name", ["スーパー.nes", "é ü.nes", "emoji 🎮.nes"])
def test_non_ascii_path(name, tmp_path, ines):
    path = tmp_path / name
    path.write_bytes(ines())
    assert accepted(path).source_name == name
    assert accepted(str(path)).source_name == name


def test_undecodable_path(tmp_path, ines):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.nes")
    Path(path).write_bytes(ines())
    cartridge = accepted(path)
    assert cartridge.source_name.encode("utf-8")


def test_a_file_that_has_nothing_to_say_yet(tmp_path, ines, monkeypatch):
    """Some of a kernel's files are regular and give "not yet" where others give an end."""
    path = tmp_path / "game.nes"
    path.write_bytes(ines())

    class NotYet(io.BytesIO):
        def read(self, _count=-1):
            return None

        def fileno(self):
            return descriptor

    opened = os.fdopen

    def fdopen(number, mode):
        nonlocal descriptor
        descriptor = number
        return NotYet() if mode == "rb" else opened(number, mode)

    descriptor = -1
    monkeypatch.setattr(os, "fdopen", fdopen)
    assert "cannot be read" in refused(path)
    os.close(descriptor)


HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x1b[0m\r\n\u202egnp.nes"


def test_hostile_names_are_plain_in_messages_and_warnings(tmp_path, ines):
    path = tmp_path / HOSTILE
    path.write_bytes(b"nothing")
    message = refused(path)
    assert message.isprintable()
    assert "owned" not in message
    path.write_bytes(ines() + b"tail")
    with pytest.warns(CartridgeWarning) as caught:
        cartridge = Cartridge.load(path)
    assert str(caught[0].message).isprintable()
    assert cartridge.source_name.isprintable()


def test_hashes_of_file_and_body(ines):
    data = ines(prg_units=2)
    cartridge = accepted(data)
    assert cartridge.file_sha256 == hashlib.sha256(data).hexdigest()
    assert cartridge.file_sha1 == hashlib.sha1(data).hexdigest()
    assert cartridge.body_sha256 == hashlib.sha256(data[16:]).hexdigest()
    assert cartridge.body_sha1 == hashlib.sha1(data[16:]).hexdigest()
