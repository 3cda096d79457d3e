"""cynes as a subject: the adapter's own logic on a stand-in for the package, and the real one where it is installed."""

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
from nesproof.roms_manifest import Resolver

START, RIGHT = 0x08, 0x80
ROM = b"NES\x1a" + bytes(28)


# --- The adapter alone -----------------------------------------------------------------------------------------------


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "fakes"))
    import cynes_stand_in

    cynes_stand_in.NES.lucky_draws, cynes_stand_in.NES.made = [], 0
    monkeypatch.setitem(sys.modules, "cynes", cynes_stand_in)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.1.2")
    return cynes_stand_in


@pytest.fixture
def adapter(stand_in: Any) -> Any:
    return load_adapter(str(files("nesproof.harness.subjects") / "cynes_adapter.py"), {})


def test_buttons_are_turned_round_and_the_second_controller_is_the_high_byte(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes([RIGHT, 0x01]), 2)
    assert adapter.read_ram()[1:3] == bytes([0x01, 0x80])
    adapter.step(bytes([START]), 1)
    assert adapter.read_ram()[1:3] == bytes([0x10, 0x00])


def test_a_first_step_that_chance_ends_at_once_is_made_up_for(adapter: Any, stand_in: Any) -> None:
    stand_in.NES.lucky_draws = [True, False, True]
    counts = []
    for _ in range(3):
        adapter.load(ROM)
        adapter.step(bytes(5), 1)
        counts.append(adapter.read_ram()[0])
    assert counts == [5, 5, 5]


def test_registers_are_not_read_and_rom_is_not_written(adapter: Any) -> None:
    adapter.load(ROM)
    assert adapter.peek([0xFFFC]) == b"\x34"
    for address in (0x2002, 0x3FFF, 0x4016, 0x401F):
        with pytest.raises(ValueError, match=f"{address:04X}"):
            adapter.peek([0, address])
    with pytest.raises(ValueError, match="no RAM"):
        adapter.poke(0x8000, 1)


def test_a_foreign_or_damaged_state_is_refused(adapter: Any) -> None:
    adapter.load(ROM)
    adapter.step(bytes(3), 1)
    state = adapter.save_state()
    adapter.step(bytes(3), 1)
    adapter.load_state(state)
    assert adapter.read_ram()[0] == 3
    damaged = state[:-40] + bytes([state[-40] ^ 1]) + state[-39:]
    for wrong in (damaged, state[:-1], state[:-33] + state[-32:], b"", b"\0" * len(state)):
        with pytest.raises(ValueError, match="state"):
            adapter.load_state(wrong)
    adapter.load(ROM + b"\1")
    with pytest.raises(ValueError, match="no state of cynes with this cartridge"):
        adapter.load_state(state)


def test_a_refusal_is_a_value_error_with_a_sentence(adapter: Any) -> None:
    with pytest.raises(ValueError, match="not a NES ROM"):
        adapter.load(b"GIF89a")
    with pytest.raises(ValueError, match="no cartridge is loaded"):
        adapter.step(b"\0", 1)


def test_each_timed_run_begins_where_the_first_did(adapter: Any) -> None:
    buttons = bytes(20) + bytes([RIGHT]) * 10
    for _ in range(3):
        assert adapter.time_run(ROM, buttons, 20, 10, "every") > 0
        assert adapter.batch_read_ram([0])[:2] == bytes([30, 0x01])
        assert adapter.drawn_frames([0])[0][0] == 30
    with pytest.raises(NotImplementedError):
        adapter.time_run(ROM, buttons, 20, 10, "none")


def test_a_window_waits_for_ram_and_gives_up_with_a_sentence(adapter: Any) -> None:
    wanted = {"values": [[0, 25]], "limit_frames": 50}
    adapter.time_run(ROM, bytes(15), 5, 10, "every", wait_for=wanted)
    assert adapter.batch_read_ram([0])[0] == 35
    with pytest.raises(ValueError, match="within 3 frames"):
        adapter.time_run(ROM, bytes(15), 5, 10, "every", wait_for={"values": [[0, 25]], "limit_frames": 3})


def test_lanes_are_consoles_of_their_own(adapter: Any) -> None:
    adapter.batch_open(ROM, 3, None, True)
    adapter.batch_step(bytes([RIGHT, RIGHT, 0, 0, START, START]), 2, 1, "none")
    assert [adapter.batch_read_ram([lane])[1] for lane in range(3)] == [0x01, 0x00, 0x10]
    adapter.batch_permute([2, 0, 1])
    assert [adapter.batch_read_ram([lane])[1] for lane in range(3)] == [0x10, 0x01, 0x00]
    adapter.batch_load_states(adapter.batch_save_states([0]), [2])
    assert adapter.batch_read_ram([2])[1] == 0x10
    adapter.batch_power_on(0, [1])
    assert adapter.batch_read_ram([1])[:2] == b"\0\0"
    adapter.time_run(ROM, bytes([0] * 4 + [RIGHT] * 2 + [0] * 4 + [START] * 2), 4, 2, "every", lanes=2)
    assert adapter.batch_read_ram([0, 1])[:2] == bytes([6, 0x01])
    assert adapter.batch_read_ram([1])[:2] == bytes([6, 0x10])


# --- The real one ----------------------------------------------------------------------------------------------------

needs_cynes = pytest.mark.skipif(
    not subject_status("cynes").available,
    reason="cynes is not installed; `nesproof subjects install cynes` installs it",
)


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("cynes") as subject:
        yield subject


@needs_cynes
def test_it_is_the_pinned_version_and_does_what_it_declares(opened: Subject, rom: bytes) -> None:
    assert opened.version == "0.1.2"
    assert opened.capabilities == set(find_subject("cynes").capabilities)
    assert [result for result in check_subject(opened, rom) if not result.passed] == []


@needs_cynes
@pytest.mark.parametrize("missing", ["digest", "trace", "power-on-fill", "threads", "draw:none"])
def test_what_it_cannot_do_is_declared_and_never_faked(opened: Subject, missing: str) -> None:
    with pytest.raises(NotCapable):
        opened.require(missing)


@needs_cynes
def test_its_ram_is_the_references_frame_by_frame(opened: Subject, rom: bytes) -> None:
    """Both end a frame where the vertical blank begins."""
    buttons = np.zeros(180, np.uint8)
    buttons[70:76] = START
    buttons[100:] = RIGHT
    with open_subject("reference") as reference:
        for subject in (reference, opened):
            subject.load(rom)
            subject.power_on()
        for at in range(0, len(buttons), 20):
            reference.step(buttons[at : at + 20])
            opened.step(buttons[at : at + 20])
            assert np.array_equal(opened.read_ram()[0x200:], reference.read_ram()[0x200:]), f"after frame {at + 20}"
            assert np.array_equal(opened.read_ram()[:0x100], reference.read_ram()[:0x100]), f"after frame {at + 20}"


@needs_cynes
def test_a_state_goes_to_another_process(opened: Subject, rom: bytes) -> None:
    opened.load(rom)
    opened.power_on()
    opened.step(START, frames=90)
    state = opened.save_state()
    opened.step(RIGHT, frames=60)
    with open_subject("cynes") as other:
        other.load(rom)
        other.load_state(state)
        other.step(RIGHT, frames=60)
        assert np.array_equal(other.read_ram(), opened.read_ram())
        assert np.array_equal(other.read_frame(), opened.read_frame())
        other.load(Resolver().read("house/busy"))
        with pytest.raises(SubjectRefused, match="no state of cynes with this cartridge"):
            other.load_state(state)


@needs_cynes
def test_a_board_that_it_lacks_is_refused(opened: Subject, rom: bytes) -> None:
    other_board = bytearray(rom)
    other_board[6] |= 0x50
    with pytest.raises(SubjectRefused, match="mapper"):
        opened.load(bytes(other_board))
    opened.load(rom)
    opened.step()
