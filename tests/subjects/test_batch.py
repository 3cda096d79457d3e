"""Several consoles at once, through the real adapter of the core over consoles that are simple enough to trust."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import nesproof
from nesproof.harness.subjects.batch import SubjectBatch
from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.timing import TimingOptions
from nesproof.harness.subjects.worker import picture_hash

FAKE = Path(__file__).parent / "fakes" / "core_fake.py"
START, RIGHT = 0x08, 0x80


@pytest.fixture
def core(add_subject: Callable[..., str]) -> Iterator[Subject]:
    options = json.dumps({"namespace": list(nesproof.__path__)})
    with open_subject(add_subject("core-fake", ["{python}", "-I", "{worker}", str(FAKE), options])) as subject:
        yield subject


def streams(lanes: int, frames: int) -> np.ndarray:
    rows = np.zeros((lanes, frames), np.uint8)
    for lane in range(lanes):
        rows[lane, 10 + lane :: 7] = START if lane % 2 else RIGHT
    return rows


def test_everything_that_it_declares_works(core: Subject, rom: bytes) -> None:
    results = list(check_subject(core, rom))
    assert {r.capability for r in results} >= {"batch", "memory", "timing-passes", "timing-wait", "draw:last-of-4"}
    assert [r for r in results if not r.passed] == []


def test_each_lane_is_a_console_of_its_own(core: Subject, rom: bytes) -> None:
    batch = core.open_batch(rom, lanes=3)
    held = streams(3, 80)
    batch.step(held, record="last2")
    ram, frames, digests = batch.read_ram(), batch.read_frames(), batch.digests()
    assert frames.shape == (3, 2, 240, 256)
    with open_subject("reference") as reference:
        reference.load(rom)
        for lane in range(3):
            reference.power_on()
            reference.step(held[lane])
            assert f"{digests[lane]:016x}" == reference.digest()
            assert np.array_equal(ram[lane], reference.read_ram())
            assert np.array_equal(frames[lane, 1], reference.read_frame_indices())


def test_lanes_are_chosen_by_number_and_in_order(core: Subject, rom: bytes) -> None:
    batch = core.open_batch(rom, lanes=4, threads=2)
    assert (batch.threads, batch.device) == (2, "cpu")
    batch.step(streams(4, 70))
    before = batch.digests()
    assert np.array_equal(batch.read_ram([2, 0]), batch.read_ram()[[2, 0]])
    batch.press_reset([1])
    batch.power_on([3], fill=0xA5)
    after = batch.digests()
    assert list(before == after) == [True, False, True, False]
    assert (batch.read_ram([3]) == 0xA5).all()


def test_states_move_between_lanes_processes_and_single_consoles(core: Subject, rom: bytes) -> None:
    batch = core.open_batch(rom, lanes=3)
    batch.step(streams(3, 90))
    digests, states = batch.digests(), batch.save_states()
    batch.permute([2, 0, 1])
    assert list(batch.digests()) == [digests[2], digests[0], digests[1]]
    batch.load_states(states)
    assert np.array_equal(batch.digests(), digests)
    with open_subject("reference") as reference:
        reference.load(rom)
        reference.power_on()
        reference.load_state(states[1])
        assert reference.digest() == f"{digests[1]:016x}"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.step(np.zeros((2, 5), np.uint8)), "buttons"),
        (lambda b: b.step(np.zeros((3, 5), np.int64)), "buttons"),
        (lambda b: b.step(np.zeros((3, 0), np.uint8)), "buttons"),
        (lambda b: b.step(np.zeros((3, 2, 3), np.uint8)), "buttons"),
        (lambda b: b.read_ram([3]), "lanes are 0 to 2"),
        (lambda b: b.read_ram([1, 1]), "at most once"),
        (lambda b: b.permute([0, 1]), "each of them once"),
        (lambda b: b.load_states([b"x"]), "states were given"),
        (lambda b: b.power_on(fill=256), "fill"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_it_is_sent(
    core: Subject, rom: bytes, call: Callable[[SubjectBatch], object], words: str
) -> None:
    batch = core.open_batch(rom, lanes=3)
    before = batch.digests()
    with pytest.raises(ValueError, match=words):
        call(batch)
    assert np.array_equal(batch.digests(), before)


def test_the_subject_refuses_with_a_reason(core: Subject, rom: bytes) -> None:
    with pytest.raises(SubjectRefused, match="begins with"):
        core.open_batch(b"no cartridge of any kind", lanes=1)
    batch = core.open_batch(rom, lanes=1)
    batch.step(np.zeros((1, 1), np.uint8))
    with pytest.raises(SubjectRefused, match="recorded no frame"):
        batch.read_frames()
    with pytest.raises(SubjectRefused):
        batch.load_states([b"no state"])


def test_what_is_not_declared_is_not_asked(rom: bytes) -> None:
    with open_subject("reference") as reference:
        with pytest.raises(NotCapable, match="batch"):
            reference.open_batch(rom, lanes=2)
        with pytest.raises(NotCapable, match="batch"):
            reference.time_workload(
                rom, bytes(4), warmup_frames=1, frames=1, draw="every", runs=1, warmup_runs=0, frame_counter=(0x10, 2),
                options=TimingOptions(lanes=2),
            )  # fmt: skip


def test_following_says_where_each_frame_ends(core: Subject, rom: bytes) -> None:
    held = streams(1, 40)[0]
    core.load(rom)
    core.power_on()
    digests, pictures = core.follow(held, pictures=True)
    assert pictures is not None
    core.power_on()
    for frame, button in enumerate(held):
        core.step(int(button))
        assert f"{digests[frame]:016x}" == core.digest()
        wanted = picture_hash(core.read_frame_indices().tobytes())
        assert int(pictures[frame]).to_bytes(8, "little") == wanted
    assert core.follow(held)[1] is None


# --- Timing ----------------------------------------------------------------------------------------------------------


def timed(core: Subject, rom: bytes, buttons: bytes, draw: str, options: TimingOptions) -> list:
    frames = len(buttons) // options.lanes - 60
    return core.time_workload(
        rom, buttons, warmup_frames=60, frames=frames, draw=draw, runs=2, warmup_runs=0, frame_counter=(0x10, 2),
        options=options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("draw", "options"),
    [
        ("none", TimingOptions(frame_skip=8)),
        ("none", TimingOptions(frame_skip=7, idle_skipping=False)),
        ("every", TimingOptions(passes=2)),
        ("last-of-4", TimingOptions(frame_skip=4)),
    ],
)
def test_a_timed_window_ends_where_stepping_does(core: Subject, rom: bytes, draw: str, options: TimingOptions) -> None:
    held = streams(1, 80)
    runs = timed(core, rom, held.tobytes(), draw, options)
    core.load(rom)
    core.power_on()
    core.step(held[0])
    for run in runs:
        assert run.digest == core.digest()
        assert run.ram_sha256 == hashlib.sha256(core.read_ram().tobytes()).hexdigest()


def test_lanes_are_timed_together_and_sampled(core: Subject, rom: bytes) -> None:
    held = streams(5, 70)
    options = TimingOptions(lanes=5, threads=2, frame_skip=4, sample_lanes=(0, 4))
    runs = timed(core, rom, held.tobytes(), "none", options)
    batch = core.open_batch(rom, lanes=5)
    batch.step(held)
    digests = [f"{digest:016x}" for digest in batch.digests()]
    assert [run.lane_digests for run in runs] == [[digests[0], digests[4]]] * 2
    assert {run.digest for run in runs} == {digests[0]}


def test_a_window_can_wait_for_the_game(core: Subject, rom: bytes) -> None:
    options = TimingOptions(wait_for=((0x10, 100),), frame_skip=8)
    (run, _) = timed(core, rom, bytes(60 + 16), "none", options)
    assert run.frame_counter in {115, 116, 117}
    with pytest.raises(SubjectRefused, match="within 3 frames"):
        timed(core, rom, bytes(76), "none", TimingOptions(wait_for=((0x10, 90),), wait_limit_frames=3))


def test_drawing_every_frame_goes_frame_by_frame(core: Subject, rom: bytes) -> None:
    with pytest.raises(SubjectRefused, match="does not go with calls of 4 frames"):
        timed(core, rom, bytes(76), "every", TimingOptions(frame_skip=4))
