"""Files are accepted by their hash alone."""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings

import pytest

from nesproof.roms_manifest import ManifestError, Resolver, RomMismatchWarning, RomMissing, parse_manifest
from nesproof.roms_manifest.fetch import plan_fetch
from nesproof.roms_manifest.places import rom_search_path, vector_search_path


@pytest.fixture
def folders(tmp_path):
    made = [tmp_path / "first", tmp_path / "second"]
    for folder in made:
        (folder / "remote").mkdir(parents=True)
    return made


@pytest.fixture
def resolver(folders, manifest, tmp_path):
    return Resolver(folders, vector_path=[tmp_path / "vectors"], manifest=manifest)


def test_found_by_hash(resolver, folders, roms):
    path = folders[1] / "remote" / "rom0.nes"
    path.write_bytes(roms["rom0"])
    assert resolver.find("remote/rom0") == path
    assert resolver.read("remote/rom0") == roms["rom0"]


def test_a_mismatch_is_reported_and_the_search_goes_on(resolver, folders, roms, manifest):
    (folders[0] / "remote" / "rom0.nes").write_bytes(roms["rom1"])
    (folders[1] / "remote" / "rom0.nes").write_bytes(roms["rom0"])
    with pytest.warns(RomMismatchWarning) as caught:
        assert resolver.find("remote/rom0") == folders[1] / "remote" / "rom0.nes"
    message = str(caught[0].message)
    assert manifest["remote/rom0"].sha256 in message
    assert manifest["remote/rom1"].sha256 in message
    assert str(folders[0]) not in message
    [mismatch] = resolver.look_up("remote/rom0").mismatches
    assert mismatch.found_sha256 == manifest["remote/rom1"].sha256
    assert mismatch.path == folders[0] / "remote" / "rom0.nes"


def test_missing_names_the_remedy_and_no_local_folder(resolver, folders):
    assert resolver.find("remote/rom0") is None
    with pytest.raises(RomMissing, match="nesproof roms fetch") as caught:
        resolver.read("remote/rom0")
    assert caught.value.remedy == "nesproof roms fetch --collection remote --yes"
    assert str(folders[0].parent) not in str(caught.value)
    assert "NESPROOF_ROM_PATH" in str(caught.value)


def test_unknown_id(resolver):
    for ask in (resolver.find, resolver.read, resolver.look_up):
        with pytest.raises(ManifestError, match="nesproof roms list"):
            ask("remote/nothing")


def test_a_file_that_changes_is_hashed_again(resolver, folders, roms):
    path = folders[0] / "remote" / "rom0.nes"
    path.write_bytes(roms["rom0"])
    assert resolver.find("remote/rom0") == path
    path.write_bytes(roms["rom1"])
    os.utime(path, ns=(1, 1))
    with pytest.warns(RomMismatchWarning):
        assert resolver.find("remote/rom0") is None


def test_what_is_not_a_plain_file_is_a_mismatch_and_never_read(resolver, folders):
    os.mkfifo(folders[0] / "remote" / "rom0.nes")
    (folders[1] / "remote" / "rom0.nes").mkdir()
    assert [m.detail for m in resolver.look_up("remote/rom0").mismatches] == ["not a regular file"] * 2
    with (folders[0] / "remote" / "rom1.nes").open("wb") as file:
        file.truncate(1 << 40)
    [mismatch] = resolver.look_up("remote/rom1").mismatches
    assert mismatch.found_sha256 == ""


def test_search_path_from_the_environment(monkeypatch, tmp_path, own_cache):
    monkeypatch.setenv("NESPROOF_ROM_PATH", os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")]))
    house, *rest = rom_search_path()
    assert (house / "manifest.toml").is_file()
    assert rest == [tmp_path / "a", tmp_path / "b", own_cache / "nesproof" / "roms"]
    assert vector_search_path() == (own_cache / "nesproof" / "vectors",)


def test_vectors_reduced_or_whole(resolver, tmp_path, reduced_vectors, upstream_vectors):
    folder = tmp_path / "vectors"
    folder.mkdir()
    assert resolver.missing_vectors() == (0x00, 0x69)
    (folder / "00.bin").write_bytes(reduced_vectors[0x00])
    (folder / "69.bin").write_bytes(upstream_vectors[0x69])
    assert resolver.read_vectors(0x00) == reduced_vectors[0x00]
    assert resolver.read_vectors(0x69) == reduced_vectors[0x69]
    assert resolver.missing_vectors() == ()


@pytest.mark.parametrize("change", ["byte", "cut", "empty"])
def test_vectors_with_other_cases(resolver, tmp_path, reduced_vectors, change):
    data = bytearray(reduced_vectors[0x00])
    data[20] ^= 1
    data = {"byte": bytes(data), "cut": reduced_vectors[0x00][:-1], "empty": b""}[change]
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "00.bin").write_bytes(data)
    assert resolver.vectors_state(0x00) == "mismatch"
    with pytest.warns(RomMismatchWarning), pytest.raises(RomMissing, match="--collection vectors"):
        resolver.read_vectors(0x00)


def test_vectors_missing(resolver):
    assert resolver.vectors_state(0x69) == "missing"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RomMissing) as caught:
            resolver.read_vectors(0x69)
    assert caught.value.remedy == "nesproof roms fetch --collection vectors --yes"
    with pytest.raises(ManifestError, match="opcode 02"):
        resolver.read_vectors(0x02)


def test_faults_travel_between_processes(resolver):
    with pytest.raises(RomMissing) as caught:
        resolver.read("remote/rom0")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.remedy) == (str(caught.value), caught.value.remedy)


# --- What another Python package brings ------------------------------------------------------------------------------

BROUGHT = """
schema_version = 1
[[collection]]
name = "brought"
title = "theirs"
brought_by = "toy-roms-package==1.0"
package_folder = "toy_roms_package/data"
licence = "proprietary"
[[rom]]
id = "brought/game"
path = "game.nes"
collection = "brought"
size_bytes = {size}
sha256 = "{sha256}"
sha1 = "{zeros}"
licence = "proprietary"
mapper = 0
board = "NROM-128"
[[rom.run]]
protocol = {{ kind = "eye" }}
limit_frames = 60
[[document]]
id = "brought/movie"
path = "game.buttons"
collection = "brought"
size_bytes = 3
sha256 = "{zeros}{zeros24}"
sha1 = "{zeros}"
licence = "unstated"
kind = "movie"
"""


@pytest.fixture
def brought(roms):
    data = roms["rom0"]
    digest = hashlib.sha256(data).hexdigest()
    return parse_manifest(BROUGHT.format(size=len(data), sha256=digest, zeros="0" * 40, zeros24="0" * 24))


def test_a_package_brings_the_file_and_is_not_imported(brought, roms, tmp_path, monkeypatch):
    resolver = Resolver([tmp_path / "nowhere"], manifest=brought)
    assert resolver.find("brought/game") is None
    folder = tmp_path / "site" / "toy_roms_package" / "data"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('it was imported')")
    (folder / "game.nes").write_bytes(roms["rom0"])
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert resolver.read("brought/game") == roms["rom0"]
    (folder / "game.nes").write_bytes(roms["rom1"])
    with pytest.warns(RomMismatchWarning):
        assert resolver.find("brought/game") is None


def test_what_is_not_fetched_names_what_helps(brought, tmp_path):
    resolver = Resolver([tmp_path / "nowhere"], manifest=brought)
    with pytest.raises(RomMissing, match=r"does not fetch it: put it .* as game.nes, or run `pip") as caught:
        resolver.read("brought/game")
    assert caught.value.remedy == "pip install --no-deps toy-roms-package==1.0"
    with pytest.raises(RomMissing, match=r"as game.buttons\.$") as caught:
        resolver.read("brought/movie")
    assert caught.value.remedy is None


def test_what_is_not_fetched_is_not_planned_to_be(brought, tmp_path):
    assert list(plan_fetch(Resolver([tmp_path / "nowhere"], manifest=brought), ["brought"])) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('package_folder = "toy_roms_package/data"', ""),
        ('package_folder = "toy_roms_package/data"', 'package_folder = "../elsewhere"'),
        ('brought_by = "toy-roms-package==1.0"', 'brought_by = "toy-roms-package; rm -rf"'),
    ],
)
def test_a_package_that_brings_files_is_named_whole(old, new):
    text = BROUGHT.format(size=16, sha256="0" * 64, zeros="0" * 40, zeros24="0" * 24)
    assert old in text
    with pytest.raises(ManifestError):
        parse_manifest(text.replace(old, new))
