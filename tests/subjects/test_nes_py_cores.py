"""nes-py on several cores as a subject, where it is installed: its lanes, its processes, and nothing left of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import psutil
import pytest

from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import SubjectFailed, SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.subjects.timing import TimingOptions

pytestmark = pytest.mark.skipif(
    not subject_status("nes-py-cores").available,
    reason="nes-py-cores is not installed; `nesproof subjects install nes-py-cores` installs it",
)

START = 0x08
COUNTER = (0x10, 2)


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("nes-py-cores") as subject:
        yield subject


def processes_of(subject: Subject) -> list[psutil.Process]:
    (worker,) = psutil.Process(subject.guard_pid).children()
    return list(worker.children(recursive=True))


def test_it_declares_what_is_written_down(opened: Subject) -> None:
    assert opened.version == "8.2.1"
    assert opened.capabilities == set(find_subject("nes-py-cores").capabilities)
    assert {"gymnasium", "gym"} <= set(dict(opened.info.packages))


@pytest.mark.parametrize(("lanes", "threads", "processes"), [(2, 2, 2), (3, 2, 2), (2, 8, 2), (2, 1, 1)])
def test_lanes_are_shared_out_among_processes(
    opened: Subject, rom: bytes, lanes: int, threads: int, processes: int
) -> None:
    batch = opened.open_batch(rom, lanes=lanes, threads=threads)
    assert batch.threads == processes
    assert len(processes_of(opened)) == processes
    buttons = np.random.default_rng(3).integers(0, 256, (lanes, 150), dtype=np.uint8)
    batch.step(buttons)
    together = batch.read_ram()
    order = [*range(1, lanes), 0]
    batch.permute(order)
    assert np.array_equal(batch.read_ram(), together[order])
    opened.load(rom)
    opened.power_on()
    opened.step(buttons[-1])
    assert np.array_equal(opened.read_ram(), together[-1]), "a lane is what nes-py alone is"


def test_power_on_and_the_button_are_of_the_lanes_that_are_meant(opened: Subject, rom: bytes) -> None:
    batch = opened.open_batch(rom, lanes=3, threads=2)
    batch.step(np.zeros((3, 120), np.uint8))
    warm = batch.read_ram()
    batch.permute([2, 0, 1])
    batch.power_on([1])
    batch.press_reset([2])
    now = batch.read_ram()
    assert np.array_equal(now[0], warm[2])
    assert not now[1].any()
    assert np.array_equal(now[2], warm[1])


def test_a_board_that_it_lacks_is_refused(opened: Subject, rom: bytes) -> None:
    other = bytearray(rom)
    other[6] |= 0x40
    with pytest.raises(SubjectRefused, match="mapper"):
        opened.open_batch(bytes(other), lanes=2)


@pytest.mark.parametrize("frame_skip", [1, 4])
def test_a_timed_batch_ends_where_consoles_alone_do(opened: Subject, rom: bytes, frame_skip: int) -> None:
    streams = np.zeros((2, 110), np.uint8)
    streams[1, 70:75] = START
    options = TimingOptions(lanes=2, threads=2, frame_skip=frame_skip, sample_lanes=(0, 1))
    first, second = opened.time_workload(
        rom, streams.tobytes(), warmup_frames=80, frames=30, draw="every", runs=2, warmup_runs=0, frame_counter=COUNTER,
        options=options,
    )  # fmt: skip
    assert (first.ram_sha256, first.pictures) == (second.ram_sha256, second.pictures)
    assert len(set(first.pictures)) == 2, "each lane has its own buttons"
    batch = opened.open_batch(rom, lanes=2, threads=2)
    batch.step(streams)
    ram = batch.read_ram([0])[0]
    assert first.frame_counter == int(ram[COUNTER[0]]) | int(ram[COUNTER[0] + 1]) << 8


def test_its_processes_end_with_it(rom: bytes, gone: Callable[..., bool]) -> None:
    with open_subject("nes-py-cores") as subject:
        subject.open_batch(rom, lanes=2, threads=2)
        started = processes_of(subject)
    assert len(started) == 2
    assert gone(*started)


@pytest.mark.parametrize("which", [0, 1])
def test_a_process_that_is_killed_is_the_end_of_the_subject_and_no_hang(
    rom: bytes, gone: Callable[..., bool], which: int
) -> None:
    with open_subject("nes-py-cores", timeout_s=30) as subject:
        batch = subject.open_batch(rom, lanes=2, threads=2)
        started = processes_of(subject)
        started[which].kill()
        with pytest.raises(SubjectFailed, match="failed at batch_step") as failed:
            batch.step(np.zeros((2, 2), np.uint8))
        assert failed.value.exit_code == 5
    assert gone(*started)
