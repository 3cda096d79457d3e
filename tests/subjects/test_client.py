"""Every call of the client, against a toy whose answers can be worked out by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectFailed, SubjectRefused
from nesproof.harness.subjects.flat_cpu import BusAccess, FlatCase, FlatRun, Registers
from nesproof.harness.subjects.trace import TRACE_DTYPE

ROM = b"TOY story"


@pytest.fixture
def subject(toy: str) -> Iterator[Subject]:
    with open_subject(toy, timeout_s=20) as opened:
        opened.load(ROM)
        opened.power_on()
        yield opened


def test_it_introduces_itself(subject: Subject) -> None:
    assert subject.name == "toy"
    assert subject.version == "1.0"
    assert subject.info.packages == (("toy-package", "0.1"),)
    assert subject.info.build == {"compiler": "none", "level": 3}
    assert subject.info.python.startswith("3.")
    assert "flat-cpu" in subject.capabilities


def test_stepping_with_a_held_byte_and_with_streams(subject: Subject) -> None:
    subject.step(0x80, frames=5)
    assert list(subject.read_ram()[:3]) == [5, 0x80, 0]
    subject.step(np.array([1, 2, 3], np.uint8))
    assert list(subject.read_ram()[:3]) == [8, 3, 0]
    subject.step(np.array([[4, 5], [6, 7]], np.uint8))
    assert list(subject.read_ram()[:3]) == [10, 6, 7]
    subject.step(frames=0)
    assert subject.read_ram()[0] == 10


@pytest.mark.parametrize(
    "buttons",
    [
        np.zeros((2, 3), np.uint8),
        np.zeros((2, 2, 2), np.uint8),
        np.zeros(3, np.int64),
        np.zeros(3, np.float32),
        np.array(3, np.uint8),
    ],
)
def test_wrong_buttons_are_refused_before_anything_is_sent(subject: Subject, buttons: np.ndarray) -> None:
    with pytest.raises(ValueError, match="buttons"):
        subject.step(buttons)
    assert subject.read_ram()[0] == 0


@pytest.mark.parametrize("held", [-1, 256])
def test_a_held_button_is_a_byte(subject: Subject, held: int) -> None:
    with pytest.raises(ValueError, match="byte"):
        subject.step(held)


def test_frames_and_a_stream_must_agree(subject: Subject) -> None:
    subject.step(np.zeros(4, np.uint8), frames=4)
    with pytest.raises(ValueError, match="frames"):
        subject.step(np.zeros(4, np.uint8), frames=3)


def test_ram_is_a_copy_that_can_be_written(subject: Subject) -> None:
    ram = subject.read_ram()
    assert ram.shape == (2048,)
    ram[0] = 99
    assert subject.read_ram()[0] == 0


def test_peek_poke_fill_and_reset(subject: Subject) -> None:
    subject.poke(0x10, 0x42)
    assert list(subject.peek([0x10, 0x810])) == [0x42, 0x42]
    subject.press_reset()
    assert subject.read_ram()[3] == 1
    assert subject.read_ram()[0x10] == 0x42
    subject.power_on(fill=0xA5)
    assert subject.read_ram()[0x10] == 0xA5


def test_pictures_have_their_shapes(subject: Subject) -> None:
    subject.step(frames=7)
    assert subject.read_frame().shape == (240, 256, 3)
    assert list(subject.read_frame()[239, 255]) == [7, 2, 3]
    assert subject.read_frame_indices().shape == (240, 256)
    assert subject.read_nametables().shape == (4, 1024)


def test_states_travel_between_processes(subject: Subject, toy: str) -> None:
    subject.step(frames=9)
    state, digest = subject.save_state(), subject.digest()
    with open_subject(toy) as other:
        other.load(ROM)
        other.power_on()
        assert other.digest() != digest
        other.load_state(state)
        assert other.digest() == digest


def test_a_refusal_is_plain_text_and_leaves_the_subject_alive(subject: Subject) -> None:
    with pytest.raises(SubjectRefused, match="it is no toy cartridge") as refused:
        subject.load(b"NES\x1a")
    assert refused.value.exit_code == 2
    with pytest.raises(SubjectRefused, match="wrong size"):
        subject.load_state(b"short")
    subject.step()
    assert subject.read_ram()[0] == 1


def test_a_fault_inside_the_subject_ends_it_with_its_traceback_kept(subject: Subject) -> None:
    with pytest.raises(SubjectFailed, match="EE jams the toy") as failed:
        subject.step(0xEE)
    assert "RuntimeError" in failed.value.tail
    with pytest.raises(SubjectFailed, match="of no more use"):
        subject.step()


def test_trace_rows_have_names(subject: Subject) -> None:
    rows = subject.trace(3, start_pc=0xC000)
    assert rows.dtype == TRACE_DTYPE
    assert list(rows["pc"]) == [0xC000, 0xC001, 0xC002]
    assert list(rows["cycle"]) == [0, 7, 14]
    assert list(rows["scanline"]) == [-1, -1, -1]


def test_a_cpu_alone(subject: Subject) -> None:
    run = subject.run_flat_cpu("6502", b"\x2a" + bytes(0xFFFF), 0x400, max_instructions=10)
    assert run == FlatRun(pc=0x400, instructions=10, cycles=20, trapped=True, a=0x2A, x=0, y=0, p=0x24, s=0xFD)
    with pytest.raises(ValueError, match="65536"):
        subject.run_flat_cpu("6502", bytes(100), 0, max_instructions=1)


def test_many_single_steps_in_one_round_trip(subject: Subject) -> None:
    cases = [
        FlatCase("2a03" if i % 2 else "6502", Registers(i, 1, 2, 3, 4, 5), ((7, i % 256), (9, 1)), (7, 9, 11)[: i % 4])
        for i in range(2_000)
    ]
    results = subject.step_flat_cpu(cases)
    assert len(results) == len(cases)
    for case, result in zip(cases, results, strict=True):
        assert result.registers == case.registers
        known = dict(case.ram)
        assert result.ram == tuple(known.get(a, 0) for a in case.addresses)
        assert result.accesses == tuple(BusAccess(a, known.get(a, 0), case.variant == "2a03") for a in case.addresses)


def test_timed_runs_say_where_they_end(subject: Subject) -> None:
    runs = subject.time_workload(
        ROM, bytes(99) + b"\x08", warmup_frames=40, frames=60, draw="every", runs=3, warmup_runs=1, frame_counter=(0, 2)
    )
    assert len(runs) == 3
    subject.power_on()
    subject.step(np.frombuffer(bytes(99) + b"\x08", np.uint8))
    for run in runs:
        assert run.elapsed_ns > 0
        assert run.frame_counter == 100 + (8 << 8)
        assert run.digest == subject.digest()
        assert run.ram_sha256 == hashlib.sha256(subject.read_ram().tobytes()).hexdigest()


def test_a_way_to_draw_that_is_not_declared_is_not_timed(subject: Subject) -> None:
    with pytest.raises(NotCapable, match="draw:none"):
        subject.time_workload(
            ROM, bytes(2), warmup_frames=1, frames=1, draw="none", runs=1, warmup_runs=0, frame_counter=(0, 2)
        )


def test_what_the_subject_prints_is_in_the_log_and_nowhere_else(
    toy: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "subject.log"
    with open_subject(toy, log_path=log) as opened:
        opened.load(ROM)
        opened.power_on()
        opened.step()
    assert "stepped" in log.read_text(encoding="utf-8")
    assert "stepped" not in "".join(capfd.readouterr())


def test_closing_twice_is_fine_and_a_closed_subject_says_so(toy: str) -> None:
    subject = open_subject(toy)
    subject.close()
    subject.close()
    with pytest.raises(SubjectFailed, match="it was closed"):
        subject.power_on()
