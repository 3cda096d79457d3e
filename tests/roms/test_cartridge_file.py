"""What a file carries beyond its bytes, and where the manifest says so."""

from __future__ import annotations

import copy
import hashlib
import pickle

import pytest
from pydantic import ValidationError

from nesproof.roms_manifest import (
    CartridgeFile,
    CartridgeSettings,
    ManifestError,
    Resolver,
    load_manifest,
    parse_manifest,
    settings_of,
)

NEC = CartridgeSettings(irq="nec", mapper=4)

TEXT = """
schema_version = 1
[[collection]]
name = "mine"
title = "Mine"
licence = "MIT"
[[rom]]
id = "mine/one"
path = "one.nes"
collection = "mine"
size_bytes = 3
sha256 = "{sha256}"
sha1 = "{sha1}"
licence = "MIT"
mapper = 4
board = "TxROM"
{settings}
[[rom.run]]
protocol = {{ kind = "eye" }}
limit_frames = 60
"""


def manifest_with(settings: str = ""):
    return parse_manifest(
        TEXT.format(sha256=hashlib.sha256(b"rom").hexdigest(), sha1=hashlib.sha1(b"rom").hexdigest(), settings=settings)
    )


def test_settings_travel_with_the_bytes():
    file = CartridgeFile(b"rom", NEC)
    for other in (file, pickle.loads(pickle.dumps(file)), copy.deepcopy(file)):
        assert (other, settings_of(other)) == (b"rom", NEC)
    assert hashlib.sha256(file).digest() == hashlib.sha256(b"rom").digest()
    assert settings_of(b"rom") == settings_of(bytes(file)) == settings_of(file[:]) == CartridgeSettings()


def test_what_is_given_is_told_apart_from_what_is_left_open():
    assert NEC.given() == {"mapper": 4, "irq": "nec"}
    assert str(NEC) == "mapper=4, irq=nec"
    assert CartridgeSettings(mapper=0, submapper=0).given() == {"mapper": 0, "submapper": 0}
    assert CartridgeSettings().given() == {}
    assert CartridgeSettings(irq="sharp").over(NEC) == CartridgeSettings(irq="sharp", mapper=4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"irq": "mmc3"},
        {"region": "pal"},
        {"prg_ram": "x"},
        {"mapper": 4096},
        {"submapper": 16},
        {"mapper": -1},
        {"x": 1},
    ],
)
def test_what_no_loader_takes_is_refused(wrong):
    with pytest.raises(ValidationError):
        CartridgeSettings(**wrong)


def test_a_file_is_read_with_what_its_entry_says(tmp_path):
    (tmp_path / "one.nes").write_bytes(b"rom")
    for settings, given in (("", {}), ('cartridge = { irq = "nec", submapper = 4 }', {"irq": "nec", "submapper": 4})):
        file = Resolver([tmp_path], manifest=manifest_with(settings)).read("mine/one")
        assert file == b"rom"
        assert settings_of(file).given() == given


@pytest.mark.parametrize(
    "settings", ['cartridge = { irq = "newer" }', "cartridge = { mapper = 1 }", "cartridge = { chip = 1 }"]
)
def test_a_manifest_with_settings_that_make_no_sense_is_malformed(settings):
    with pytest.raises(ManifestError):
        manifest_with(settings)


def test_only_mmc3_programs_of_the_manifest_choose_a_counter():
    choosing = {entry.id: entry.cartridge.irq for entry in load_manifest().values() if entry.cartridge.irq}
    assert {load_manifest()[rom_id].mapper for rom_id in choosing} == {4}
    assert set(choosing.values()) == {"nec", "sharp"}
