"""Subjects that play alike or differ as they are told, played and timed in processes of their own."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.compare.behaviour import Behaviour, Plays, compare_behaviour
from nesproof.harness.compare.pairs import Pair, table_pairs
from nesproof.harness.compare.sides import lacking_for, nearest_run
from nesproof.harness.compare.timing import PairTiming, time_pairs
from nesproof.harness.evidence.model import ExpectedState, RunRecord
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.probes.throughput import ThroughputPlan
from nesproof.harness.subjects.errors import SubjectDied
from nesproof.harness.workloads import Workload, load_workload

PLAY = Workload(
    id="play", version=1, title="Play", rom="house/scroller", buttons="none", warmup_frames=4, frames=12,
    frame_counter_address=0x10,
)  # fmt: skip
PRESSED = Workload(
    id="pressed", version=1, title="Play", rom="house/scroller", buttons="scroller-random.buttons", stream_frames=3600,
    warmup_frames=60, frames=20, frame_counter_address=0x10,
)  # fmt: skip
SHOWS = frozenset({"ram", "frame"})


def beside(world: Any, workload: Workload = PLAY, **options: Any) -> Behaviour:
    """How `mine`, with these options, plays beside a subject without any."""
    world.add("mine", **options)
    world.add("theirs")
    from nesproof.roms_manifest import Resolver

    plays = Plays(Resolver(), Path(world.root))
    return compare_behaviour("mine", "theirs", workload, capabilities=(SHOWS, SHOWS), plays=plays)


def test_the_same_console_in_other_colours_plays_alike(world: Any) -> None:
    match = beside(world, colours=99).match
    assert (match.ram, match.pictures, match.states) == ("equal", "equal", "not-shown")
    assert (match.frames, match.shift_frames, match.counter_ahead_frames, match.unsteady) == (16, 0, 0, ())
    assert match.pictures_by == "colours"
    assert not match.differs


def test_a_byte_and_a_pixel_are_located_with_a_picture_of_both(world: Any) -> None:
    found = beside(world, differs_at=8, picture_differs_at=11)
    match = found.match
    assert match.first_ram is not None
    assert (match.first_ram.frame, match.first_ram.address, match.first_ram.candidate) == (7, 0x300, 1)
    assert match.first_picture is not None
    assert (match.first_picture.frame, match.first_picture.row, match.first_picture.column) == (10, 100, 50)
    assert found.picture is not None
    assert found.picture.startswith(b"\x89PNG")
    assert match.differs
    assert "RAM differs from frame 7, $0300: 01 against 00" in match.in_short()
    assert "pictures differ from frame 10, row 100, column 50" in match.in_short()


def test_a_console_whose_frames_end_later_gets_its_input_earlier_and_plays_alike(world: Any) -> None:
    found = beside(world, PRESSED, ahead=1, picture_ahead=-1).match
    assert (found.ram, found.shift_frames, found.input_shift_frames) == ("equal", 1, 1)
    assert (found.pictures, found.picture_shift_frames) == ("equal", 0)
    assert "its input 1 frame earlier" in found.remark
    assert (found.counter_ahead_frames, found.frame_counters) == (1, "equal")


def test_chance_is_no_play(world: Any) -> None:
    match = beside(world, chance=True).match
    assert match.unsteady == ("candidate",)
    assert "the candidate does not repeat its own play" in match.in_short()


def test_skipped_frames_show_in_ram_and_in_the_counter(world: Any) -> None:
    match = beside(world, skips=5).match
    assert match.ram == "differs"
    assert (match.counter_ahead_frames, match.frame_counters) == (-3, "differs")


def test_what_power_on_leaves_undefined_is_left_aside_and_said(world: Any) -> None:
    match = beside(world, left_by_power_on=0xFF).match
    assert (match.ram, match.undefined_bytes) == ("equal", 1)
    assert "1 bytes that power-on leaves undefined aside" in match.in_short()


def test_a_subject_that_dies_in_play_is_a_typed_fault(world: Any) -> None:
    with pytest.raises(SubjectDied, match="the last words of mine"):
        beside(world, dies_at=5)


# --- How each side is run


@pytest.mark.parametrize(
    ("choice", "capabilities", "expected"),
    [
        (RunChoice(), {"draw:every"}, ("every", 1, 1)),
        (RunChoice(draw="none"), {"draw:every"}, ("every", 1, 1)),
        (RunChoice(draw="none"), {"draw:none"}, ("none", 1, 1)),
        (RunChoice(draw="none"), {"draw:none", "batch"}, ("none", 1, 4)),
        (RunChoice(draw="none", num_envs=8), {"draw:every"}, ("every", 1, 1)),
        (RunChoice(draw="every", num_envs=8), {"draw:every", "batch"}, ("every", 8, 1)),
        (RunChoice(draw="every"), {"draw:last-of-4", "batch"}, ("last-of-4", 1, 4)),
    ],
)
def test_a_side_is_run_as_near_to_the_wish_as_it_declares(
    world: Any, choice: RunChoice, capabilities: set[str], expected: tuple[str, int, int]
) -> None:
    world.add("mine")
    run = nearest_run("mine", choice, PLAY, frozenset(capabilities))
    assert (run.draw, run.num_envs, run.frame_skip) == expected
    assert lacking_for("mine", run, PLAY, frozenset(capabilities | {"timing", "ram"})) is None


def test_what_is_not_declared_is_not_asked(world: Any) -> None:
    world.add("mine")
    lacking = lacking_for("mine", RunRecord(), PLAY, frozenset({"ram", "draw:every"}))
    assert lacking is not None
    assert lacking.missing == "capability:timing"


def test_a_table_has_a_row_for_every_way_that_a_subject_declares(world: Any) -> None:
    world.add("one")
    world.add("many")
    workload = load_workload("scroller-random-buttons")
    candidates = [
        ("one", frozenset({"draw:every"})),
        ("many", frozenset({"draw:every", "draw:none", "draw:last-of-4", "batch", "threads"})),
        ("theirs", frozenset({"draw:every"})),
    ]
    pairs = table_pairs(candidates, baseline="theirs", workloads=[workload])
    rows = [(p.candidate, p.candidate_choice.draw, p.candidate_choice.num_envs) for p in pairs]
    assert rows == [
        ("one", "every", 1),  # and everybody's first row comes before anybody's second
        *(("many", draw, number) for number in (1, 8, "8*cores") for draw in ("every", "none")),
    ]
    assert len({pair.id for pair in pairs}) == len(pairs)
    assert {pair.baseline_choice for pair in pairs} == {RunChoice(draw="every")}


def test_a_row_names_the_command_that_measures_it_alone() -> None:
    workload = load_workload("scroller-random-buttons")
    many = RunChoice(draw="none", num_envs="8*cores", threads="cores")
    pair = Pair.plain("a", "b", workload, many)
    assert pair.rerun == (
        "nesproof compare a b --workload scroller-random-buttons@1 --draw none --num-envs '8*cores' --threads cores"
    )


# --- Timing


def timing(candidate: str, *, candidate_counter: int = 16) -> PairTiming:
    plan = ThroughputPlan(
        candidate=candidate,
        baseline="theirs",
        workload=PLAY,
        rom=b"NES",
        threshold=1.0,
        comparisons=1,
        order_seed=3,
        deadline_s=time.monotonic() + 300,
        digest_from=(),
        streams={1: PLAY.input_stream()},
        candidate_run=RunRecord(),
        baseline_run=RunRecord(),
    )
    from nesproof.harness.evidence.model import Load

    expected = ExpectedState(digest="aa", ram_sha256="a" * 64, frame_counter=candidate_counter)
    quiet = Load(load_average_1min=0.0, other_cpu_share=0.0, steal_share=0.0, waited_s=0, busy=False)
    return PairTiming(plan, expected, load=quiet)


def test_pairs_take_turns_and_one_that_breaks_stops_nobody(world: Any) -> None:
    world.add("theirs")
    world.add("mine", frames_per_second=3000)
    world.add("mortal", timing="die")
    world.add("hasty", skips=5)
    pairs = [timing("mine"), timing("mortal"), timing("hasty")]
    turns: list[str] = []

    def on_block(pair: PairTiming, going_on: int) -> None:
        turns.append(f"{pair.name.split()[0]} {pair.blocks} {going_on}")
        if pair.name.startswith("mine") and pair.blocks == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        time_pairs(pairs, deadline_s=time.monotonic() + 120, on_block=on_block)
    assert turns == ["mine 1 3", "mortal 0 2", "hasty 1 1", "mine 2 1"]
    mine, mortal, hasty = pairs
    assert mine.measurement().interrupted
    assert len(mine.measurement().samples) == 2 * 4 * 5
    assert isinstance(mortal.fault, SubjectDied)
    assert check_correctness(hasty.measurement()).wrong_side == "candidate"


def test_no_block_begins_that_would_end_too_late(world: Any) -> None:
    world.add("theirs")
    world.add("mine")
    pair = timing("mine")
    time_pairs([pair], deadline_s=time.monotonic() - 1)
    assert (pair.blocks, pair.budget_exhausted, pair.is_over) == (0, True, True)
