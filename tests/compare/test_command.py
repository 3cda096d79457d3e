"""`nesproof compare` as a person runs it: exit codes, the bundle, the table, faults planted in a console."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import pytest

from nesproof.harness.judge import contradictions

pytestmark = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)
BEHAVIOUR_ALONE = ("--budget", "0")


def test_two_consoles_that_play_alike(world: Any) -> None:
    done = world.compare("core", "reference", *BEHAVIOUR_ALONE, "--json", str(world.root / "out.json"))
    assert done.returncode == 0, done.stderr
    assert "core and reference play alike (RAM, pictures and states of 320 frames equal)" in done.stdout
    evidence = world.bundle().evidence
    (comparison,) = evidence.comparisons
    assert comparison.outcome == "alike"
    assert comparison.behaviour is not None
    assert comparison.behaviour.pictures_by == "indices"
    assert comparison.behaviour.shift_frames == 0
    assert contradictions(evidence) == []
    summary = json.loads((world.root / "out.json").read_text())
    assert [c["outcome"] for c in summary["comparisons"]] == ["alike"]
    assert world.run("evidence", "verify", str(next(world.out.iterdir()))).returncode == 0


@pytest.mark.parametrize(
    ("fault", "said"),
    [("swaps-a-and-b", "RAM differs from frame"), ("one-pixel-off", "pictures differ from frame")],
)
def test_a_fault_planted_in_a_console_shows(world: Any, fault: str, said: str) -> None:
    world.add_table({"name": "faulty", "variant_of": "core", "fault": fault})
    done = world.compare("faulty", "core", *BEHAVIOUR_ALONE)
    assert done.returncode == 1, done.stderr
    assert f"faulty and core differ in behaviour ({said}" in " ".join(done.stdout.split())
    bundle = world.bundle()
    (comparison,) = bundle.evidence.comparisons
    assert comparison.behaviour is not None
    assert comparison.behaviour.first_picture is not None
    assert comparison.behaviour.first_picture.picture in bundle.files
    assert contradictions(bundle.evidence) == []


def test_who_skips_frames_gets_no_ratio(world: Any) -> None:
    world.add_table({"name": "hasty", "variant_of": "core", "fault": "skips-frames"})
    done = world.compare("hasty", "core", "--draw", "none", "--budget", "0.5", "--allow-busy")
    assert done.returncode == 1, done.stderr
    (comparison,) = world.bundle().evidence.comparisons
    assert (comparison.outcome, comparison.ratio, comparison.candidate_fps) == ("refused", None, None)
    assert comparison.behaviour is not None
    assert comparison.behaviour.frame_counters == "differs"
    assert "No digest, no speed" in comparison.words
    assert contradictions(world.bundle().evidence) == []


def test_too_little_time_gives_a_figure_without_an_interval(world: Any) -> None:
    done = world.compare("core", "core", "--draw", "none", "--budget", "0.06", "--allow-busy")
    assert done.returncode == 3, done.stderr
    (comparison,) = world.bundle().evidence.comparisons
    assert (comparison.outcome, comparison.interval) == ("inconclusive", None)
    assert comparison.ratio is not None
    assert contradictions(world.bundle().evidence) == []


def test_a_subject_that_dies_is_an_error_with_the_tail_of_its_output(world: Any) -> None:
    world.add("mortal", dies_at=100)
    done = world.compare("mortal", "core", *BEHAVIOUR_ALONE)
    assert done.returncode == 5, done.stderr
    (comparison,) = world.bundle().evidence.comparisons
    assert comparison.outcome == "broken"
    assert "the last words of mortal" in comparison.words


def test_a_peer_that_is_not_installed_is_named_with_its_remedy(world: Any) -> None:
    done = world.compare("core", "nes-py", *BEHAVIOUR_ALONE)
    assert done.returncode == 6, done.stderr
    assert "nesproof subjects install nes-py" in done.stdout
    (comparison,) = world.bundle().evidence.comparisons
    assert comparison.outcome == "unavailable"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["core"], "Name two subjects"),
        (["core", "nobody"], "There is no subject 'nobody'"),
        (["core", "core", "--draw", "sometimes"], "--draw is none, every or last-of-4"),
        (["core", "core", "--num-envs", "many"], "--num-envs a number"),
        (["core", "core", "--workload", "busy"], "Name one workload"),
        (["all", "--draw", "none"], "choose no other"),
    ],
)
def test_bad_input_is_one_sentence(world: Any, arguments: list[str], said: str) -> None:
    done = world.compare(*arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not world.out.exists() or not list(world.out.iterdir())


def test_a_table_names_whoever_is_not_here_and_goes_on(world: Any) -> None:
    world.add("mine")
    world.add("mortal", dies_at=100)
    done = world.compare("all", "core", *BEHAVIOUR_ALONE)
    assert done.returncode == 1, done.stderr
    found = {c.candidate: c.outcome for c in world.bundle().evidence.comparisons}
    assert found["reference"] == "alike"
    assert (found["mine"], found["mortal"], found["nes-py"]) == ("differs", "broken", "unavailable")
    assert "core-hostsim" not in found
    assert "judge" not in found
    assert contradictions(world.bundle().evidence) == []
    report = world.bundle().files["report.html"].decode()
    assert "Subjects beside each other" in report
    assert "nesproof subjects install nes-py" in report
