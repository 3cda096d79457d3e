"""Zips: one `.nes` member, nothing else; whatever else the archive says, nothing is written and nothing escapes."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from nesproof.emulator.cartridge import Cartridge, CartridgeError


def refused(data: bytes) -> str:
    with pytest.raises(CartridgeError) as caught:
        Cartridge.load(data)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_no_rom_inside(zipped):
    assert "no .nes file" in refused(zipped({"readme.txt": b"hello"}))


def test_empty_zip(zipped):
    assert "no .nes file" in refused(zipped({}))


def test_a_folder_named_like_a_rom(zipped):
    assert "no .nes file" in refused(zipped({"game.nes/": b""}))


def test_two_roms_inside(zipped, ines):
    assert "2 .nes files" in refused(zipped({"a.nes": ines(), "b.nes": ines()}))


def test_two_members_of_one_name(ines):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.nes", ines())
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.nes", ines())
    assert "2 .nes files" in refused(buffer.getvalue())


def test_bomb_is_counted_while_unpacking(zipped):
    bomb = zipped({"bomb.nes": bytes((16 << 20) + 1)})
    assert len(bomb) < 100_000
    assert "16777216 bytes" in refused(bomb)


def test_bomb_whose_declared_size_lies(zipped):
    bomb = zipped({"bomb.nes": bytes((16 << 20) + 1)})
    lying = bomb.replace(struct.pack("<I", (16 << 20) + 1), struct.pack("<I", 24592))
    assert lying != bomb
    refused(lying)


def test_encrypted(zipped, ines):
    data = bytearray(zipped({"a.nes": ines()}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in refused(bytes(data))


@pytest.mark.parametrize(("method", "number"), [(zipfile.ZIP_BZIP2, 12), (zipfile.ZIP_LZMA, 14)])
def test_other_methods(method, number, zipped, ines):
    assert f"method {number}" in refused(zipped({"a.nes": ines()}, method))


def test_truncated_archive(zipped, ines):
    data = zipped({"a.nes": ines()})
    for end in (4, 30, len(data) // 2, len(data) - 1):
        assert "cannot be unpacked" in refused(data[:end])


def test_wrong_checksum(zipped, ines):
    rom = ines()
    data = bytearray(zipped({"a.nes": rom}, zipfile.ZIP_STORED))
    data[data.index(rom) + 100] ^= 1
    assert "cannot be unpacked" in refused(bytes(data))


@pytest.mark.parametrize("name", ["../../escape.nes", "/etc/escape.nes", "C:\\dir\\escape.nes"])
def test_a_members_name_is_never_a_path(name, zipped, ines, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cartridge = Cartridge.load(zipped({name: ines()}))
    assert cartridge.source_name == "escape.nes"
    assert list(tmp_path.iterdir()) == []
    assert not (tmp_path.parent.parent / "escape.nes").exists()


def test_hostile_member_name(zipped, ines):
    assert Cartridge.load(zipped({"\x1b[2Jgame.nes": ines()})).source_name == "game.nes"


def test_what_is_inside_is_checked_as_any_file(zipped):
    assert "zip with" not in refused(zipped({"a.nes": b"<html>"}))
    assert "HTML" in refused(zipped({"a.nes": b"<html>"}))


def test_a_zip_in_a_zip_is_refused(zipped, ines):
    refused(zipped({"a.nes": zipped({"b.nes": ines()})}))


def test_a_zip_from_a_path(tmp_path, zipped, ines):
    path = tmp_path / "packed.nes"
    path.write_bytes(zipped({"inner.nes": ines()}))
    assert Cartridge.load(path).source_name == "inner.nes"
