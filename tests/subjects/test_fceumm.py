"""The front end that drives a libretro core, and the adapter of FCEUmm on it, tried on a core that is built here.

The real core is tried beside stable-retro, in whose package it lies.
"""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nesproof.harness.subjects.worker import load_adapter

A, B, START, RIGHT = 0x01, 0x02, 0x08, 0x80
ROM = b"NES\x1a" + bytes(28)
COMPILER = shutil.which("cc") or shutil.which("gcc")

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler to build a small core with")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("core") / "fceumm_libretro.so"
    source = Path(__file__).parent / "fakes" / "tiny_core.c"
    assert COMPILER is not None
    subprocess.run([COMPILER, "-std=c11", "-O1", "-shared", "-fPIC", "-o", str(built), str(source)], check=True)
    return built


@pytest.fixture
def adapter(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    inside = SimpleNamespace(name=library.name, locate=lambda: library)
    package = SimpleNamespace(metadata={"Name": "stable-retro"}, version="1.0.1", files=[inside])
    monkeypatch.setattr("importlib.metadata.distributions", lambda: iter([package]))
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.0.1")
    return load_adapter(str(files("nesproof.harness.subjects") / "fceumm_adapter.py"), {})


def test_both_players_buttons_reach_the_core(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes([A | START, B | RIGHT]), 2)
    # libretro's bits: B 01, Select 04, Start 08, ..., Right 80; A, its ninth button, is shown in B's place.
    assert adapter.read_ram()[:3] == bytes([1, 0x08 | 0x01, 0x80])
    adapter.step(bytes([RIGHT]), 1)
    assert adapter.read_ram()[:3] == bytes([2, 0x80, 0])


def test_a_power_on_is_cold_and_the_button_is_warm(adapter: Any) -> None:
    adapter.load(ROM)
    assert set(adapter.read_ram()) == {0}
    adapter.step(bytes(3), 1)
    before = adapter.read_ram()
    adapter.press_reset()
    assert adapter.read_ram() == before
    assert adapter.peek([0x6000]) == b"\1"
    adapter.power_on(0xA5)
    assert set(adapter.read_ram()) == {0xA5}
    assert adapter.peek([0x6000]) == b"\0"


def test_only_memory_that_is_handed_out_is_read_or_written(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.poke(0x60FF, 7)
    assert adapter.peek([0x60FF, 0x7FF]) == bytes([7, 0])
    for address in (0x800, 0x5FFF, 0x6100, 0xFFFC):
        with pytest.raises(ValueError, match=f"{address:04X} is not in the memory"):
            adapter.peek([address])
        with pytest.raises(ValueError, match="not in the memory"):
            adapter.poke(address, 1)


def test_the_picture_is_whole_and_its_colours_fill_their_range(adapter: Any) -> None:
    adapter.load(ROM)
    with pytest.raises(ValueError, match="no frame"):
        adapter.read_frame()
    adapter.step(bytes(63), 1)
    picture = np.frombuffer(adapter.read_frame(), np.uint8).reshape(240, 256, 3)
    assert (picture == [0, 255, 0]).all()


def test_what_the_core_does_not_take_is_refused(adapter: Any) -> None:
    with pytest.raises(ValueError, match=r"does not take this cartridge$"):
        adapter.load(b"GIF89a" + bytes(40))
    with pytest.raises(ValueError, match="no cartridge is loaded"):
        adapter.step(b"\0", 1)
    with pytest.raises(ValueError, match="mapper #28 is not supported"):
        adapter.load(b"NES\x1a" + bytes([1, 1, 0xC0, 0x10]) + bytes(24))
    adapter.load(ROM)
    adapter.step(b"\0", 1)
    with pytest.raises(ValueError, match="does not take this state"):
        adapter.load_state(b"short")


def test_each_timed_run_begins_where_the_first_did(adapter: Any) -> None:
    wanted = {"values": [[0, 25]], "limit_frames": 50}
    for _ in range(3):
        assert adapter.time_run(ROM, bytes(20) + bytes([RIGHT]) * 10, 20, 10, "every", wait_for=wanted) > 0
        assert adapter.read_ram()[:2] == bytes([35, 0x80])
    with pytest.raises(ValueError, match="within 3 frames"):
        adapter.time_run(ROM, bytes(20), 10, 10, "every", wait_for={**wanted, "limit_frames": 3})
    with pytest.raises(NotImplementedError):
        adapter.time_run(ROM, bytes(20), 10, 10, "none")
