"""A file that is almost an entry is told apart, with both hashes."""

from __future__ import annotations

import hashlib

from nesproof.roms_manifest.identify import file_hashes, identify


def ask(manifest, name: str, data: bytes):
    body_sha1 = hashlib.sha1(data[16 : 16 + 0x6000]).hexdigest()
    return identify(manifest, file_name=name, sha256=hashlib.sha256(data).hexdigest(), body_sha1=body_sha1)


def test_exact_whatever_the_name(manifest, roms):
    [match] = ask(manifest, "other.nes", roms["rom0"])
    assert (match.match, match.entry.id) == ("exact", "remote/rom0")
    assert "This is remote/rom0" in match.sentence


def test_same_program_under_another_header(manifest, roms):
    data = bytearray(roms["rom0"])
    data[6] ^= 1
    [match] = ask(manifest, "x.nes", bytes(data))
    assert (match.match, match.entry.id) == ("body", "remote/rom0")
    assert match.found == hashlib.sha256(data).hexdigest()
    assert match.expected == manifest["remote/rom0"].sha256
    assert match.found in match.sentence
    assert match.expected in match.sentence


def test_same_program_with_a_tail(manifest, roms):
    [match] = ask(manifest, "x.nes", roms["rom0"] + b"tail")
    assert match.match == "body"


def test_same_name_and_another_program(manifest, roms):
    data = bytearray(roms["rom0"])
    data[100] ^= 1
    [match] = ask(manifest, "ROM0.nes", bytes(data))
    assert (match.match, match.algorithm) == ("name", "body SHA-1")
    assert match.found == hashlib.sha1(data[16:]).hexdigest()
    assert match.expected == manifest["remote/rom0"].body_sha1
    assert "another program" in match.sentence


def test_same_name_and_no_body(manifest, roms):
    [match] = identify(manifest, file_name="rom0.nes", sha256="0" * 64, body_sha1=None)
    assert (match.match, match.algorithm) == ("name", "SHA-256")


def test_nothing_alike(manifest, roms):
    assert ask(manifest, "x.nes", bytes(0x6010)) == ()


def test_hashes():
    hashes = file_hashes(b"abc")
    assert hashes.sha1 == "a9993e364706816aba3e25717850c26c9cd0d89d"
    assert hashes.sha256.startswith("ba7816bf")
