"""`nesproof compare` as a person runs it: exit codes, the bundle, the table, faults planted in a console."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import pytest
from typer.testing import CliRunner

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.cli.app import app
from nesproof.harness.compare.pairs import Pair
from nesproof.harness.compare.running import CompareOptions, compare
from nesproof.harness.judge import contradictions
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.progress import Progress
from nesproof.harness.workloads import Workload, load_workload

pytestmark = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)
BEHAVIOUR_ALONE = ("--budget", "0")


def compared(candidate: str, baseline: str, workload: Workload, *, budget_s: float = 0, **choice: Any) -> Any:
    """What comparing comes to, in this process: the evidence and its attachments, held to be free of contradictions."""
    pair = Pair.plain(candidate, baseline, workload, RunChoice(**choice))
    options = CompareOptions(pair=pair, budget_s=budget_s, allow_busy=True, quiet_wait_s=0)
    result = compare(options, command="nesproof compare", interrupts=Interrupts(), progress=Progress())
    assert contradictions(result.evidence) == []
    return result


def shortened(workload: str, *, warmup_frames: int, frames: int) -> Workload:
    """The beginning of a workload."""
    return load_workload(workload).model_copy(update={"warmup_frames": warmup_frames, "frames": frames})


BUSY = shortened("busy", warmup_frames=10, frames=40)
SCROLLER = shortened("scroller-random-buttons", warmup_frames=60, frames=60)
"""Buttons are pressed from frame 60 on."""


def test_two_consoles_that_play_alike(world: Any) -> None:
    files = ("--json", str(world.root / "out.json"), "--csv", str(world.root / "out.csv"))
    done = world.compare("core", "reference", *BEHAVIOUR_ALONE, *files)
    assert done.returncode == 0, done.stderr
    assert "core and reference play alike (RAM, pictures and states of 180 frames equal)" in done.stdout
    evidence = world.bundle().evidence
    (comparison,) = evidence.comparisons
    assert comparison.outcome == "alike"
    assert comparison.behaviour is not None
    assert comparison.behaviour.pictures_by == "indices"
    assert comparison.behaviour.shift_frames == 0
    assert contradictions(evidence) == []
    summary = json.loads((world.root / "out.json").read_text())
    assert [c["outcome"] for c in summary["comparisons"]] == ["alike"]
    assert "busy@2,core," in (world.root / "out.csv").read_text().splitlines()[1]
    assert world.run("evidence", "verify", str(next(world.out.iterdir()))).returncode == 0


@pytest.mark.parametrize(
    ("fault", "workload", "said"),
    [
        ("swaps-a-and-b", SCROLLER, "RAM differs from frame"),
        ("one-pixel-off", BUSY, "pictures differ from frame"),
    ],
)
def test_a_fault_planted_in_a_console_shows(world: Any, fault: str, workload: Workload, said: str) -> None:
    world.add_table({"name": "faulty", "variant_of": "core", "fault": fault})
    result = compared("faulty", "core", workload)
    (comparison,) = result.evidence.comparisons
    assert (comparison.outcome, int(result.evidence.exit_code)) == ("differs", 1)
    assert f"faulty and core differ in behaviour ({said}" in comparison.words
    assert comparison.behaviour is not None
    first = comparison.behaviour.first_picture
    assert (first is not None) == ("pictures" in said)
    assert first is None or result.attachments[first.picture].startswith(b"\x89PNG")


def test_who_skips_frames_gets_no_ratio(world: Any) -> None:
    world.add_table({"name": "hasty", "variant_of": "core", "fault": "skips-frames"})
    result = compared("hasty", "core", BUSY, budget_s=60, draw="none")
    (comparison,) = result.evidence.comparisons
    assert (comparison.outcome, int(result.evidence.exit_code)) == ("refused", 1)
    assert (comparison.ratio, comparison.interval, comparison.candidate_fps) == (None, None, None)
    assert comparison.behaviour is not None
    assert comparison.behaviour.frame_counters == "differs"
    assert "No digest, no speed" in comparison.words


def test_a_batch_that_plays_otherwise_than_its_console_is_found(world: Any) -> None:
    world.add_table({"name": "leaky", "variant_of": "core", "fault": "lanes-listen-to-the-one-before"})
    (comparison,) = compared("leaky", "core", SCROLLER, num_envs=3).evidence.comparisons
    assert comparison.outcome == "differs"
    assert comparison.behaviour is not None
    assert comparison.behaviour.batch_checked == ("candidate", "baseline")
    assert comparison.behaviour.batch_differs == ("candidate",)
    assert "the candidate's batch does not play as its console alone" in comparison.words


def test_too_little_time_gives_a_figure_without_an_interval(world: Any) -> None:
    house_rom = {"counts_from": -3}  # as its game does after 320 frames
    world.add("one", **house_rom)
    world.add("other", frames_per_second=500, **house_rom)
    result = compared("one", "other", load_workload("scroller-random-buttons"), budget_s=0.5)
    (comparison,) = result.evidence.comparisons
    assert (comparison.outcome, comparison.interval) == ("inconclusive", None), comparison.words
    assert int(result.evidence.exit_code) == 3
    assert comparison.ratio == pytest.approx(2, rel=0.01)


def test_a_subject_that_dies_is_an_error_with_the_tail_of_its_output(world: Any) -> None:
    world.add("mortal", dies_at=10)
    evidence = compared("mortal", "core", BUSY).evidence
    (comparison,) = evidence.comparisons
    assert (comparison.outcome, int(evidence.exit_code)) == ("broken", 5)
    assert "the last words of mortal" in comparison.words


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["core"], "Name two subjects"),
        (["core", "nobody"], "There is no subject 'nobody'"),
        (["core", "core", "--draw", "sometimes"], "--draw is none, every or last-of-4"),
        (["core", "core", "--num-envs", "many"], "--num-envs a number"),
        (["core", "core", "--workload", "scroller-held-right"], "Name one workload"),
        (["all", "--draw", "none"], "choose no other"),
    ],
)
def test_bad_input_is_one_sentence(world: Any, arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["compare", *arguments, "--workload", "busy", "--out", str(world.out)])
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert "Traceback" not in done.output
    assert not world.out.exists()


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
    assert "nesproof subjects install nes-py" in done.stdout
    assert "Subjects beside each other" in report
    assert "nesproof subjects install nes-py" in report
