"""The committed binaries are what the committed sources build, and what the manifest says."""

from __future__ import annotations

import hashlib
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from nesproof.roms_manifest.house import build
from nesproof.roms_manifest.house.assets import build_assets
from nesproof.roms_manifest.house.build import CARDS, HOUSE_ROMS, AssemblerMissing, build_rom
from nesproof.roms_manifest.house.pictures import read_pictures
from nesproof.roms_manifest.manifest import load_manifest

needs_cc65 = pytest.mark.skipif(
    shutil.which("ca65") is None or shutil.which("ld65") is None, reason="cc65 (ca65, ld65) is not installed"
)
HOUSE = Path(str(files("nesproof.roms_manifest.house")))


@needs_cc65
@pytest.mark.parametrize("name", HOUSE_ROMS)
def test_sources_build_the_committed_binary_bit_for_bit(name: str) -> None:
    built = build_rom(name)
    assert built.image == (HOUSE / f"{name}.nes").read_bytes()
    if name not in CARDS:
        assert build.label_lines(built.labels) == (HOUSE / f"{name}.labels").read_text(encoding="ascii")


@needs_cc65
def test_check_tells_a_stale_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "house"
    shutil.copytree(HOUSE, copy)
    monkeypatch.setattr(build, "_HOME", copy)
    assert build.main(["--check"]) == 0
    palettes = copy / "src" / "scroller" / "palettes.s"
    palettes.write_text(palettes.read_text().replace("$21", "$22", 1))
    assert build.main(["--check"]) == 1


@needs_cc65
def test_check_tells_a_stale_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "house"
    shutil.copytree(HOUSE, copy)
    monkeypatch.setattr(build, "_HOME", copy)
    monkeypatch.setattr(build, "HOUSE_ROMS", CARDS[:1])
    assert build.main(["--check"]) == 0
    framework = copy / "src" / "cards" / "show_play.s"
    framework.write_text(framework.read_text().replace("#48", "#49", 1))
    assert build.main(["--check"]) == 1


def test_missing_assembler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(AssemblerMissing, match="ca65 is not installed; install cc65"):
        build_rom("busy")


@pytest.mark.parametrize("name", HOUSE_ROMS)
def test_manifest_has_the_committed_binary(name: str) -> None:
    image = (HOUSE / f"{name}.nes").read_bytes()
    entry = load_manifest()[f"house/{name}"]
    assert entry.size_bytes == len(image)
    assert entry.sha256 == hashlib.sha256(image).hexdigest()
    assert entry.body_sha1 == hashlib.sha1(image[16:], usedforsecurity=False).hexdigest()


def test_assets_are_the_same_every_time() -> None:
    source = HOUSE / "src" / "scroller"
    assert build_assets(source) == build_assets(source)


def test_a_picture_of_the_wrong_shape_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("[wonky]\n....\n")
    with pytest.raises(ValueError, match=r"bad\.txt: picture 'wonky'"):
        read_pictures(bad)
