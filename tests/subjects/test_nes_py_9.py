"""nes-py 9 as a subject, its `VectorNESEmulator` as the batch, where it is installed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import NotCapable, SubjectRefused
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.subjects.timing import TimingOptions

pytestmark = pytest.mark.skipif(
    not subject_status("nes-py-9").available,
    reason="nes-py-9 is not installed; `nesproof subjects install nes-py-9` installs it",
)

COUNTER = (0x10, 2)


@pytest.fixture(scope="module")
def opened() -> Iterator[Subject]:
    with open_subject("nes-py-9") as subject:
        yield subject


def test_it_is_the_pinned_version_with_what_it_declares(opened: Subject, rom: bytes) -> None:
    assert opened.version == "9.0.1"
    assert opened.info.python.startswith("3.13.")
    assert opened.capabilities == set(find_subject("nes-py-9").capabilities)
    assert [r for r in check_subject(opened, rom) if not r.passed] == []


@pytest.mark.parametrize("missing", ["digest", "state", "peek", "threads", "power-on-fill", "draw:none"])
def test_what_it_cannot_do_is_declared_and_never_faked(opened: Subject, missing: str) -> None:
    with pytest.raises(NotCapable):
        opened.require(missing)


def test_a_board_that_it_lacks_is_refused_by_console_and_batch(opened: Subject, rom: bytes) -> None:
    other = bytearray(rom)
    other[6] |= 0xF0
    with pytest.raises(SubjectRefused, match="mapper"):
        opened.load(bytes(other))
    with pytest.raises(SubjectRefused, match="mapper"):
        opened.open_batch(bytes(other), lanes=2)
    opened.load(rom)
    opened.power_on()


def test_a_lane_is_what_a_console_alone_is(opened: Subject, rom: bytes) -> None:
    buttons = np.random.default_rng(9).integers(0, 256, (3, 240), dtype=np.uint8)
    batch = opened.open_batch(rom, lanes=3)
    batch.step(buttons)
    together = batch.read_ram()
    for lane in range(3):
        opened.load(rom)
        opened.power_on()
        opened.step(buttons[lane])
        assert np.array_equal(opened.read_ram(), together[lane])


def test_power_on_and_the_button_are_of_the_lanes_that_are_meant(opened: Subject, rom: bytes) -> None:
    batch = opened.open_batch(rom, lanes=3)
    cold = batch.read_ram()
    batch.step(np.zeros((3, 120), np.uint8))
    warm = batch.read_ram()
    batch.power_on([1])
    batch.press_reset([2])
    now = batch.read_ram()
    assert np.array_equal(now[0], warm[0])
    assert np.array_equal(now[1], cold[1])
    assert np.array_equal(now[2], warm[2]), "RAM survives the button"
    batch.step(np.zeros((3, 30), np.uint8))
    counted = [int(row[COUNTER[0]]) for row in batch.read_ram()]
    assert counted[0] > 130
    assert max(counted[1:]) < 40


def test_a_timed_batch_repeats_itself_lane_for_lane(opened: Subject, rom: bytes) -> None:
    streams = np.random.default_rng(4).integers(0, 256, (4, 130), dtype=np.uint8)
    first, second = opened.time_workload(
        rom, streams.tobytes(), warmup_frames=100, frames=30, draw="every", runs=2, warmup_runs=0,
        frame_counter=COUNTER, options=TimingOptions(lanes=4, sample_lanes=(0, 1, 3)),
    )  # fmt: skip
    assert (first.ram_sha256, first.pictures) == (second.ram_sha256, second.pictures)
    assert len(first.pictures) == 3
    assert first.digest is None
    assert first.lane_digests == []
