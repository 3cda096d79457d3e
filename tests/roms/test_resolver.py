"""Files are accepted by their hash alone."""

from __future__ import annotations

import os
import pickle
import warnings

import pytest

from nesproof.roms_manifest import ManifestError, Resolver, RomMismatchWarning, RomMissing
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
