"""The manifest is well-formed, and covers every file that is handed to the tests."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path

import pytest

from nesproof.roms_manifest import ManifestError, load_manifest, parse_manifest
from nesproof.roms_manifest.rehash import rehashed
from nesproof.roms_manifest.vectors import case_spans, vector_file_name

ROM_FOLDERS = [Path(p) for p in os.environ.get("NESPROOF_ROM_PATH", "").split(os.pathsep) if p]
VECTOR_FOLDERS = [Path(p) for p in os.environ.get("NESPROOF_VECTOR_PATH", "").split(os.pathsep) if p]
needs_roms = pytest.mark.skipif(not ROM_FOLDERS, reason="condition: NESPROOF_ROM_PATH is not set")
needs_vectors = pytest.mark.skipif(not VECTOR_FOLDERS, reason="condition: NESPROOF_VECTOR_PATH is not set")

MANIFEST = load_manifest()


def test_collections():
    assert {name: len(MANIFEST.collection(name)) for name in MANIFEST.collections} == {
        "house": 18,
        "nes-test-roms": 131,
        "klaus": 1,
        "super-mario-bros": 1,
    }
    with pytest.raises(ManifestError, match="nes-test-roms"):
        MANIFEST.collection("nowhere")


def test_how_the_community_roms_report():
    kinds = Counter(run.protocol.kind for rom in MANIFEST.collection("nes-test-roms") for run in rom.run)
    assert kinds == {
        "status-6000": 62,
        "result-ram": 41,
        "screen-text": 6,
        "screen-crc": 2,
        "nestest-log": 1,
        "refusal": 1,
        "eye": 19,
    }
    status = [rom for rom in MANIFEST.collection("nes-test-roms") if rom.run[0].protocol.kind == "status-6000"]
    assert sum(rom.mapper == 0 for rom in status) == 49
    by_address = Counter(
        run.protocol.address for rom in MANIFEST.values() for run in rom.run if run.protocol.kind == "result-ram"
    )
    assert by_address == {0xF0: 16, 0xF8: 25}


def test_every_run_that_reports_has_a_limit():
    for rom in MANIFEST.values():
        for run in rom.run:
            if run.protocol.kind not in ("nestest-log", "flat-binary", "refusal"):
                assert run.limit_frames >= 60, rom.id


def test_special_cases():
    assert MANIFEST["nes-test-roms/mmc3_test/5-MMC3"].cartridge.irq == "sharp"
    assert MANIFEST["nes-test-roms/mmc3_test/6-MMC6"].cartridge.irq == "nec"
    assert MANIFEST["nes-test-roms/mmc3_irq_tests/5.MMC3_rev_A"].cartridge.irq == "nec"
    assert MANIFEST["nes-test-roms/mmc3_irq_tests/6.MMC3_rev_B"].cartridge.irq == "sharp"
    for name in ("registers", "ram_after_reset"):
        assert MANIFEST[f"nes-test-roms/cpu_reset/{name}"].run[0].reset_delay_frames >= 7
    official, unofficial = MANIFEST["nes-test-roms/cpu_timing_test6/cpu_timing_test"].run
    assert official.buttons_at(0) == 0
    assert unofficial.buttons_at(0) == 0x02
    assert unofficial.buttons_at(60) == 0
    klaus = MANIFEST["klaus/6502_functional_test"].run[0].protocol
    assert (klaus.start, klaus.trap_6502, klaus.trap_2a03) == (0x400, 0x3469, 0x3477)


def test_sources_are_pinned():
    for entry in MANIFEST.files.values():
        url = MANIFEST.source_url(entry.id)
        collection = MANIFEST.collections[entry.collection]
        if entry.collection in {"house", "super-mario-bros"}:
            assert url is None
        else:
            assert url.startswith("https://raw.githubusercontent.com/")
            assert collection.commit in url
            assert url.endswith(entry.upstream)
    assert MANIFEST.vectors.commit in MANIFEST.vectors.source_url(0x00)
    assert MANIFEST.vectors.source_url(0xAB).endswith("/6502/ab.bin")


@needs_roms
def test_every_file_at_hand_has_an_entry_with_its_hashes():
    by_path = {entry.path: entry for entry in MANIFEST.files.values()}
    seen = set()
    for folder in ROM_FOLDERS:
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or name in {"README.md", "__init__.py"}:  # the folder's own, not upstream's
                continue
            data = path.read_bytes()
            entry = by_path[name]
            assert entry.size_bytes == len(data)
            assert entry.sha256 == hashlib.sha256(data).hexdigest()
            assert entry.sha1 == hashlib.sha1(data).hexdigest()
            seen.add(name)
    assert seen >= {e.path for e in MANIFEST.files.values() if MANIFEST.source_url(e.id) is not None}


@needs_roms
@pytest.mark.filterwarnings("ignore::nesproof.emulator.cartridge.CartridgeWarning")
def test_header_facts_agree_with_the_loader():
    from nesproof.emulator.cartridge import Cartridge, UnsupportedBoardError
    from nesproof.roms_manifest import Resolver, settings_of

    resolver = Resolver(ROM_FOLDERS)
    loaded = 0
    refused = []
    for rom in MANIFEST.collection("nes-test-roms"):
        try:
            file = resolver.read(rom.id)
            cartridge = Cartridge.load(file, **settings_of(file).given())
        except UnsupportedBoardError as fault:
            refused.append((fault.mapper, rom.mapper))
            continue
        assert (cartridge.mapper, cartridge.board, cartridge.body_sha1) == (rom.mapper, rom.board, rom.body_sha1)
        loaded += 1
    assert loaded >= 130
    assert refused == [(28, 28)]


def test_house_roms_ship_with_their_hashes():
    from nesproof.emulator.cartridge import Cartridge
    from nesproof.roms_manifest import Resolver, settings_of

    resolver = Resolver()
    for rom in MANIFEST.collection("house"):
        file = resolver.read(rom.id)
        cartridge = Cartridge.load(file, **settings_of(file).given())
        assert (cartridge.body_sha1, cartridge.file_sha1) == (rom.body_sha1, rom.sha1)
        assert (cartridge.mapper, cartridge.board) == (rom.mapper, rom.board)
        # A card's header says everything: nobody has to be told more.
        assert cartridge.warnings == ()
        assert not settings_of(file).given()
        assert rom.submapper == (cartridge.submapper or None)


def test_there_is_a_card_of_every_board():
    from nesproof.emulator.cartridge import SUPPORTED_BOARDS

    cards = [rom for rom in MANIFEST.collection("house") if rom.id.startswith("house/cards/")]
    assert {rom.mapper for rom in cards} == set(SUPPORTED_BOARDS)


def test_vectors_are_listed():
    opcodes = MANIFEST.vectors.sha256_by_opcode
    halting = {0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xB2, 0xD2, 0xF2}
    unstable = {0x8B, 0x93, 0x9B, 0x9C, 0x9E, 0x9F, 0xAB}
    assert set(opcodes) == set(range(256)) - halting - unstable


@needs_vectors
def test_vectors_at_hand_have_100_cases_each_and_their_hashes():
    from nesproof.roms_manifest import Resolver

    resolver = Resolver(vector_path=VECTOR_FOLDERS)
    for opcode in MANIFEST.vectors.sha256_by_opcode:
        data = resolver.read_vectors(opcode)
        assert len(list(case_spans(data))) == 100, vector_file_name(opcode)


SMALL = """
schema_version = 1
[[collection]]
name = "house"
title = "ours"
licence = "MIT"
[[rom]]
id = "house/a"
path = "house/a.nes"
collection = "house"
size_bytes = 10
sha256 = "{zeros64}"
sha1 = "{zeros40}"
body_sha1 = "{zeros40}"
licence = "MIT"
mapper = 0
board = "NROM-128"
[[rom.run]]
protocol = {{ kind = "eye" }}
limit_frames = 60
""".format(zeros64="0" * 64, zeros40="0" * 40)


def test_the_small_manifest_parses():
    assert list(parse_manifest(SMALL)) == ["house/a"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("schema_version = 1", "schema_version = 2", "schema_version"),
        ("schema_version = 1", "nonsense", "malformed"),
        ('path = "house/a.nes"', 'path = "../a.nes"', "relative path"),
        ('path = "house/a.nes"', 'path = "/a.nes"', "relative path"),
        ("mapper = 0", "mapper = 0\ncolour = 1", "colour"),
        ("mapper = 0", "mapper = 5000", "mapper"),
        ("0" * 64, "0" * 63, "sha256"),
        ('kind = "eye"', 'kind = "guess"', "guess"),
        ('kind = "eye"', 'kind = "result-ram"', "address"),
        ('kind = "eye"', 'kind = "result-ram", address = 2048', "address"),
        ('kind = "eye"', 'kind = "screen-crc", accepted = []', "accepted"),
        ('kind = "eye"', 'kind = "nestest-log", log = "x", start = 0, lines = 1, zero_at_end = []', "no log"),
        ('collection = "house"', 'collection = "elsewhere"', "no collection"),
        ('title = "ours"', 'title = "ours"\nbase_url = "https://example.org/main"', "commit"),
        (
            "limit_frames = 60",
            'limit_frames = 60\n[[rom.run]]\nprotocol = { kind = "eye" }\nlimit_frames = 1',
            "one name",
        ),
    ],
)
def test_malformed_manifests_are_refused(old, new, why):
    assert old in SMALL
    with pytest.raises(ManifestError, match=why):
        parse_manifest(SMALL.replace(old, new, 1))


def test_two_entries_of_one_id_are_refused():
    table = SMALL[SMALL.index("[[rom]]") :]
    with pytest.raises(ManifestError, match="two entries"):
        parse_manifest(SMALL + table)


def test_rehash_changes_the_entry_alone():
    data = b"NES\x1a\x01\x01" + bytes(10) + os.urandom(0x6000)
    text = rehashed(SMALL, "house/a", data)
    rom = parse_manifest(text)["house/a"]
    assert rom.size_bytes == len(data)
    assert rom.sha256 == hashlib.sha256(data).hexdigest()
    assert rom.body_sha1 == hashlib.sha1(data[16:]).hexdigest()
    changed = [line for line in text.splitlines() if line not in SMALL.splitlines()]
    assert len(changed) == 4
    with pytest.raises(ManifestError, match="no entry"):
        rehashed(SMALL, "house/b", data)
