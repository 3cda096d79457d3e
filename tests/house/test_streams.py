"""Input streams and workloads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nesproof.benchmarks.streams import RANDOM_STREAMS, STREAM_FRAMES, held_right_stream, random_stream
from nesproof.harness.workloads import load_workload, workload_ids
from nesproof.roms_manifest.manifest import load_manifest

START = 0x08


def test_committed_streams_are_those_of_the_generator(corpus: Callable[[str], bytes]) -> None:
    streams = [random_stream(seed) for seed in range(RANDOM_STREAMS)]
    assert corpus("scroller-random.buttons") == b"".join(streams)
    assert corpus("scroller-held-right.buttons") == held_right_stream()


def test_streams_differ_and_leave_the_title() -> None:
    streams = [random_stream(seed) for seed in range(64)]
    assert len(set(streams)) == 64
    for stream in streams:
        assert len(stream) == STREAM_FRAMES
        assert stream.find(START) == 60


def test_a_shorter_stream_is_the_beginning_of_a_longer_one() -> None:
    assert random_stream(3, frames=1000) == random_stream(3)[:1000]


def test_no_stream_presses_left_and_right_together() -> None:
    for seed in range(8):
        assert all(buttons & 0xC0 != 0xC0 for buttons in random_stream(seed))


@pytest.mark.parametrize("name", ["busy@2", "scroller-held-right@1", "scroller-random-buttons@1"])
def test_workloads_load(name: str) -> None:
    assert name.partition("@")[0] in workload_ids()
    workload = load_workload(name)
    assert workload.rom in load_manifest()
    assert len(workload.input_stream()) == workload.warmup_frames + workload.frames
