"""Workloads are whole: their inputs are long enough, lanes differ, and a movie is found by its hash or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pydantic import ValidationError

from nesproof.benchmarks.streams import random_stream
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.workloads import Workload, load_workload, workload_ids
from nesproof.roms_manifest import Resolver, RomMissing, load_manifest

RANDOM = "scroller-random-buttons"
CARDS = [
    f"card-{board}"
    for board in ("axrom", "bnrom", "camerica", "cnrom", "color-dreams", "gxrom", "mmc1", "mmc3", "uxrom")
]
FIELDS = {
    "id": "play", "version": 1, "title": "Play", "rom": "house/scroller", "buttons": "none", "warmup_frames": 10,
    "frames": 20, "frame_counter_address": 0,
}  # fmt: skip


def test_the_workloads_that_ship() -> None:
    games = ["busy", "scroller-held-right", "scroller-random-buttons", "world-1-1"]
    assert workload_ids() == sorted([*games, *CARDS])


def test_each_board_but_nrom_is_timed_on_a_card_of_its_own() -> None:
    manifest = load_manifest()
    roms = [manifest[load_workload(workload).rom] for workload in CARDS]
    assert sorted(rom.mapper or 0 for rom in roms) == [1, 2, 3, 4, 7, 11, 34, 66, 71]
    assert {rom.collection for rom in roms} == {"house"}


@pytest.mark.parametrize("workload_id", ["busy", "scroller-held-right", RANDOM, "card-mmc3"])
def test_inputs_are_as_long_as_the_play(workload_id: str) -> None:
    workload = load_workload(workload_id)
    length = workload.warmup_frames + workload.frames
    assert len(workload.input_stream()) == length
    assert len(workload.input_stream(lanes=3)) == 3 * length
    assert workload.input_stream(lanes=3)[:length] == workload.input_stream()


def test_lanes_have_inputs_of_their_own() -> None:
    workload = load_workload(RANDOM)
    length = workload.warmup_frames + workload.frames
    data = workload.input_stream(lanes=300)
    lanes = [data[at : at + length] for at in range(0, len(data), length)]
    assert workload.distinct_lanes == 256
    assert lanes[0] == random_stream(0, length)
    assert lanes[255] == random_stream(255, length)
    assert lanes[256] == lanes[0]
    for warp in range(0, 256, 32):
        assert len(set(lanes[warp : warp + 32])) == 32
    assert len(set(lanes)) == 256


def test_one_button_held_is_the_same_for_every_lane() -> None:
    workload = load_workload("scroller-held-right")
    assert workload.distinct_lanes == 1
    assert workload.input_stream(lanes=2) == 2 * workload.input_stream()


def test_every_part_counts_in_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = load_workload(RANDOM)
    same = workload.model_copy(update={"title": "another", "notes": ""})
    assert same.identity_sha256() == workload.identity_sha256()
    for change in (
        {"frames": 119},
        {"stream": 1, "lane_buttons": "", "lane_stream_frames": 0},
        {"wait_for": ((1, 2),)},
    ):
        assert workload.model_copy(update=change).identity_sha256() != workload.identity_sha256(), change


def test_a_corpus_that_is_too_short_is_said() -> None:
    workload = load_workload("scroller-held-right").model_copy(update={"frames": 3_600})
    with pytest.raises(ConfigurationError, match="holds 3600"):
        workload.input_stream()
    other = load_workload(RANDOM).model_copy(update={"stream": 1})
    with pytest.raises(ConfigurationError, match="other inputs for lane 0"):
        other.input_stream(lanes=2)


@pytest.mark.parametrize(
    "change",
    [
        {"draw": "every", "draws": ("none",)},
        {"draw": "sometimes"},
        {"lane_buttons": "scroller-random-lanes.buttons"},
        {"warmup_holds": [{"buttons": 8, "first_frame": 0, "frames": 1}]},
        {"wait_for": [(0x800, 1)]},
        {"wait_for": [(0, 256)]},
        {"stream_length": 3},
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, object]) -> None:
    Workload.model_validate(FIELDS)
    with pytest.raises(ValidationError):
        Workload.model_validate({**FIELDS, **change})


# --- A movie ---------------------------------------------------------------------------------------------------------


def test_a_movie_is_held_by_hash_and_never_ships(tmp_path: Path) -> None:
    workload = load_workload("world-1-1")
    assert workload.needed_files == ("super-mario-bros/world", "super-mario-bros/movie-1-1")
    nowhere = Resolver([tmp_path])
    with pytest.raises(RomMissing, match="does not fetch it"):
        workload.input_stream(resolver=nowhere)
    entry = load_manifest().files["super-mario-bros/movie-1-1"]
    (tmp_path / entry.path).write_bytes(bytes(entry.size_bytes))
    with pytest.warns(UserWarning, match="other bytes"), pytest.raises(RomMissing):
        workload.input_stream(resolver=nowhere)
    root = Path(__file__).parents[2]
    digests = {hashlib.sha256(p.read_bytes()).hexdigest() for p in root.glob("benchmarks/corpora/*")}
    assert entry.sha256 not in digests


def test_a_movie_follows_its_warm_up() -> None:
    workload = load_workload("world-1-1")
    if any(Resolver().find(name) is None for name in workload.needed_files):
        pytest.skip("condition: the game and its movie are not at hand")
    stream = workload.input_stream()
    assert stream[:60] == bytes(60)
    assert stream[60:65] == b"\x08" * 5
    assert len(stream) == 65 + 600
    assert stream[65:] == Resolver().read("super-mario-bros/movie-1-1")[:600]
