"""stable-retro and the core in it as subjects: the adapter's own logic on a stand-in for the package, and both for real
where they are installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.subjects.worker import load_adapter

A, START, RIGHT = 0x01, 0x08, 0x80
ROM = b"NES\x1a" + bytes(28)


# --- The adapter alone -----------------------------------------------------------------------------------------------


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fakes"))
    import stable_retro_stand_in

    monkeypatch.setitem(sys.modules, "stable_retro", stable_retro_stand_in)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.0.1")
    made = load_adapter(str(files("nesproof.harness.subjects") / "stable_retro_adapter.py"), {})
    yield made
    made._close()
    assert stable_retro_stand_in.RetroEmulator.loaded == 0


def test_the_frame_that_runs_unasked_is_the_first_one_stepped(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes([RIGHT]), 1)
    assert adapter.read_ram()[:3] == bytes([1, 0, 0])
    adapter.step(bytes([RIGHT]), 1)
    assert adapter.read_ram()[:3] == bytes([2, 0x80, 0])
    adapter.power_on(0)
    adapter.step(bytes(10), 1)
    assert adapter.read_ram()[0] == 10


def test_both_players_buttons_arrive_and_are_let_go(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes([0, 0, A | START, RIGHT]), 2)
    assert adapter.read_ram()[1:3] == bytes([0b0000_1010, 0b1000_0000])
    adapter.step(bytes([RIGHT]), 1)
    assert adapter.read_ram()[1:3] == bytes([0x80, 0])


def test_the_picture_stands_in_a_black_border(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes(7), 1)
    picture = np.frombuffer(adapter.read_frame(), np.uint8).reshape(240, 256, 3)
    assert (picture[8:-8, 8:-8] == 7).all()
    assert picture.sum() == 7 * 224 * 240 * 3


def test_only_memory_that_is_handed_out_is_read_or_written(adapter: Any) -> None:
    adapter.load(ROM)
    assert adapter.peek([0x6000, 0x60FF]) == bytes([0, 255])
    for address in (0x2002, 0x5FFF, 0x6100, 0x8000):
        with pytest.raises(ValueError, match=f"{address:04X} is not in the memory"):
            adapter.peek([0, address])
        with pytest.raises(ValueError, match="not in the memory"):
            adapter.poke(address, 1)
    adapter.poke(0x7FF, 5)
    assert adapter.peek([0x7FF]) == b"\x05"


def test_each_timed_run_begins_where_the_first_did(adapter: Any) -> None:
    buttons = bytes(20) + bytes([RIGHT]) * 10
    for _ in range(3):
        wanted = {"values": [[0, 25]], "limit_frames": 50}
        assert adapter.time_run(ROM, buttons, 20, 10, "every", wait_for=wanted) > 0
        assert adapter.read_ram()[:2] == bytes([35, 0x80])
    with pytest.raises(NotImplementedError):
        adapter.time_run(ROM, buttons, 20, 10, "none")


def test_a_refusal_is_a_value_error_and_another_cartridge_goes_in(adapter: Any) -> None:
    with pytest.raises(ValueError, match="does not take this cartridge"):
        adapter.load(b"GIF89a")
    with pytest.raises(ValueError, match="no cartridge is loaded"):
        adapter.step(b"\0", 1)
    adapter.load(ROM)
    with pytest.raises(ValueError, match="state"):
        adapter.load_state(b"short")
    assert adapter.read_ram()[0] == 1


# --- The real ones ---------------------------------------------------------------------------------------------------

NAMES = ("stable-retro", "fceumm")
installed = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            not subject_status(name).available,
            reason=f"{name} is not installed; `nesproof subjects install {name}` installs it",
        ),
    )
    for name in NAMES
]


@pytest.fixture(scope="module", params=installed)
def opened(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with open_subject(request.param) as subject:
        yield subject


def test_it_is_the_pinned_version_and_does_what_it_declares(opened: Subject, rom: bytes) -> None:
    assert dict(opened.info.packages)["stable-retro"] == "1.0.1"
    assert opened.capabilities == set(find_subject(opened.name).capabilities)
    assert [result for result in check_subject(opened, rom) if not result.passed] == []


def test_what_it_cannot_do_is_declared_and_never_faked(opened: Subject) -> None:
    lacking = {"digest", "trace", "batch", "draw:none"} | ({"reset"} if opened.name == "stable-retro" else set())
    for missing in lacking:
        with pytest.raises(NotCapable):
            opened.require(missing)


def test_the_game_counts_one_frame_less_than_on_the_reference(subject: Subject, rom: bytes) -> None:
    """The core's console shows no vertical blank in its first two frames."""
    subject.step(0, frames=200)
    with open_subject("reference") as reference:
        reference.load(rom)
        reference.power_on()
        reference.step(0, frames=200)
        counted = [int(one.read_ram()[0x10]) for one in (reference, subject)]
    assert counted[0] - counted[1] == 1


def test_a_state_goes_to_another_process(subject: Subject, rom: bytes) -> None:
    subject.step(START, frames=90)
    state = subject.save_state()
    subject.step(RIGHT, frames=60)
    with open_subject(subject.name) as other:
        other.load(rom)
        other.load_state(state)
        other.step(RIGHT, frames=60)
        assert np.array_equal(other.read_ram(), subject.read_ram())
        assert np.array_equal(other.read_frame(), subject.read_frame())
        with pytest.raises(SubjectRefused, match="state"):
            other.load_state(state[:-1])


def test_what_is_no_cartridge_is_refused(subject: Subject, rom: bytes) -> None:
    with pytest.raises(SubjectRefused, match="does not take this cartridge"):
        subject.load(b"GIF89a" + bytes(40_000))
    subject.load(rom)
    subject.step()
