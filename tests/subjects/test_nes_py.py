"""nes-py as a subject, end to end, where it is installed; and held against the reference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.roms_manifest import Resolver

pytestmark = pytest.mark.skipif(
    not subject_status("nes-py").available,
    reason="nes-py is not installed; `nesproof subjects install nes-py` installs it",
)

START = 0x08
RIGHT = 0x80
FRAME_COUNTER = (0x10, 2)
"""Both house ROMs count their frames there."""


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("nes-py") as subject:
        yield subject


def counter(subject: Subject) -> int:
    ram = subject.read_ram()
    return int(ram[FRAME_COUNTER[0]]) | int(ram[FRAME_COUNTER[0] + 1]) << 8


def test_it_is_the_pinned_version_in_its_own_environment(opened: Subject) -> None:
    assert opened.version == "8.2.1"
    packages = dict(opened.info.packages)
    assert packages["numpy"].startswith("1.26.")
    assert "pydantic" not in packages
    assert opened.capabilities == set(find_subject("nes-py").capabilities)


def test_everything_that_it_declares_works(opened: Subject, rom: bytes) -> None:
    assert [r for r in check_subject(opened, rom) if not r.passed] == []


@pytest.mark.parametrize("missing", ["digest", "state", "peek", "trace", "flat-cpu", "power-on-fill", "draw:none"])
def test_what_it_cannot_do_is_declared_and_never_faked(opened: Subject, missing: str) -> None:
    with pytest.raises(NotCapable):
        opened.require(missing)


def test_a_power_on_is_cold_and_repeats(subject: Subject) -> None:
    subject.step(RIGHT, frames=120)
    first = subject.read_ram()
    subject.power_on()
    assert not subject.read_ram().any()
    subject.step(RIGHT, frames=120)
    assert np.array_equal(subject.read_ram(), first)


def test_its_ram_repeats_in_another_process(subject: Subject, rom: bytes) -> None:
    stream = np.random.default_rng(6).integers(0, 256, 300, dtype=np.uint8)
    subject.step(stream)
    with open_subject("nes-py") as other:
        other.load(rom)
        other.power_on()
        other.step(stream)
        assert np.array_equal(other.read_ram(), subject.read_ram())


def test_the_button_is_the_button_after_a_timed_run_too(subject: Subject, rom: bytes) -> None:
    """A timed run leaves a backup behind, which nes-py's own reset would go back to."""
    subject.time_workload(
        rom, bytes(130), warmup_frames=100, frames=30, draw="every", runs=2, warmup_runs=0, frame_counter=FRAME_COUNTER
    )
    at_the_end = subject.read_ram()
    subject.press_reset()
    assert np.array_equal(subject.read_ram(), at_the_end)
    subject.step(frames=60)
    assert counter(subject) < 65, "the game has started over"


def test_a_mapper_that_it_lacks_is_refused(subject: Subject, rom: bytes) -> None:
    other_board = bytearray(rom)
    other_board[6] |= 0x40
    with pytest.raises(SubjectRefused, match="mapper"):
        subject.load(bytes(other_board))
    subject.load(rom)
    subject.step()


@pytest.mark.parametrize("game", ["house/scroller", "house/busy"])
def test_its_frames_are_counted_within_one_of_the_references(game: str) -> None:
    """What lets its speed count ("no digest, no speed"): the game itself says that the same frames were played."""
    rom = Resolver().read(game)
    buttons = np.zeros(400, np.uint8)
    buttons[90:96] = START
    buttons[200:] = RIGHT
    counted = []
    for name in ("reference", "nes-py"):
        with open_subject(name) as subject:
            subject.load(rom)
            subject.power_on()
            subject.step(buttons)
            counted.append(counter(subject))
    reference, peer = counted
    assert reference > 380
    assert abs(peer - reference) <= 1


def test_buttons_mean_the_same_as_on_the_reference(rom: bytes) -> None:
    """Each button leads both consoles to the same picture, or to the same lack of effect."""
    plays = {}
    for name in ("reference", "nes-py"):
        with open_subject(name) as subject:
            subject.load(rom)
            plays[name] = [left_the_title(subject, 1 << bit) for bit in range(8)]
    assert plays["reference"] == plays["nes-py"]
    assert sum(plays["reference"]) == 1
    assert plays["reference"][3], "Start alone leaves the title"


def left_the_title(subject: Subject, button: int) -> bool:
    """Whether holding a button for some frames leads away from where no button leads."""
    subject.power_on()
    subject.step(frames=140)
    idle = subject.read_frame()
    subject.power_on()
    subject.step(frames=90)
    subject.step(button, frames=4)
    subject.step(frames=46)
    return bool((subject.read_frame() != idle).any(axis=2).mean() > 0.5)


def test_odd_names_of_home_and_temporary_folder_do_not_matter(
    rom: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """nes-py narrows the ROM's path to bytes, and fails without a word where that loses something."""
    odd = tmp_path / "ōdd földer ☃"
    odd.mkdir()
    monkeypatch.setenv("TMPDIR", str(odd))
    monkeypatch.setattr("tempfile.tempdir", None)
    with open_subject("nes-py") as subject:
        subject.load(rom)
        subject.power_on()
        subject.step(frames=60)
        assert counter(subject) > 40
    monkeypatch.setattr("tempfile.tempdir", None)
    assert list(odd.iterdir()) == []
