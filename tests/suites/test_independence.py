"""The suite `independence`: the core passes, and each fault of a batch is caught by the case that is meant for it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nesproof.harness.suite_run import expected_cases, load_suite, run_suite
from nesproof.suites.independence.lanes import chunks, lane_buttons
from nesproof.suites.independence.settings import settings_of

KILLS = [
    ("lane-1-copies-lane-0", "short/single/2"),
    ("lane-32-loses-its-buttons", "short/single/33"),
    ("all-lanes-are-one", "short/single/31"),
    ("one-pixel-off", "short/single/1"),
    ("permutes-the-wrong-way", "short/permute/busy"),
    ("lanes-listen-to-the-one-before", "short/one-lane/scroller"),
    ("reset-ignores-its-mask", "short/some-lanes/busy"),
    ("power-on-hits-the-next-lane-too", "short/some-lanes/busy"),
    ("threads-matter", "threads/short/scroller"),
    ("one-pixel-off", "short/layout/busy"),
    ("long-calls-lose-a-frame", "short/chunks/scroller"),
    ("stale-frame", "short/chunks/scroller"),
    ("loads-into-the-next-lane", "short/states/scroller"),
    ("idle-skipping-matters", "short/idle-skipping/busy"),
]
LANES = (1, 2, 31, 32, 33, 1000)

needs_both = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)


def test_every_number_of_lanes_has_its_cases() -> None:
    definition = load_suite("independence")
    for length in ("short", "full"):
        for lanes in LANES:
            assert settings_of(definition[f"{length}/single/{lanes}"]).lanes == lanes
    kinds = {case.kind for case in definition.cases}
    assert {case.kind for case in definition.cases if "short/" in case.id} == kinds


def test_buttons_differ_from_lane_to_lane_and_are_the_same_everywhere() -> None:
    buttons = lane_buttons("x", 33, 60)
    assert buttons.shape == (33, 60, 2)
    assert len({row.tobytes() for row in buttons}) == 33
    assert np.array_equal(lane_buttons("x", 2, 60), buttons[:2])
    covered = [frame for chunk in chunks("x", 60) for frame in range(chunk.start, chunk.stop)]
    assert covered == list(range(60))


@needs_both
@pytest.mark.parametrize(("planted", "case"), [(("core", fault), case) for fault, case in KILLS], indirect=["planted"])
def test_the_fault_is_found(planted: str, case: str, tmp_path: Path) -> None:
    run = run_suite("independence", subject=planted, cases=(case,), work_dir=tmp_path / "work", timeout_s=120)
    assert run.problem is None
    (result,) = run.cases
    assert result.outcome == "failed", result.message
    assert result.message


@needs_both
@pytest.mark.parametrize("planted", [("core", "lane-32-loses-its-buttons")], indirect=True)
def test_a_lane_that_parts_is_named_with_its_frame_and_fields(planted: str, tmp_path: Path) -> None:
    case = "short/single/33"
    settings = settings_of(load_suite("independence")[case])
    run = run_suite("independence", subject=planted, cases=(case,), work_dir=tmp_path / "work", timeout_s=120)
    buttons = lane_buttons(case, settings.lanes, settings.frames)[32]
    frame = int(np.flatnonzero(buttons.any(axis=1))[0])
    assert f"1 of 33 lanes are not consoles alone. Lane 32 parts in frame {frame};" in run.cases[0].message
    assert "controller_buttons" in run.cases[0].message


@needs_both
@pytest.mark.parametrize("subject", ["core", "core-hostsim"])
def test_the_short_cases_pass(subject: str, tmp_path: Path) -> None:
    cases = expected_cases("independence", "*short/*")
    run = run_suite("independence", subject=subject, cases=cases, work_dir=tmp_path, timeout_s=300, jobs=2)
    assert run.problem is None
    assert {case.id: case.message for case in run.cases if case.outcome != "passed"} == {}
