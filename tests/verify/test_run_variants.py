"""One subject against itself, run in two ways: selected, planned, timed, and held against the reference by lanes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nesproof
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import Registry
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import RatioMeasurement
from nesproof.harness.judge import contradictions
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.selection import select

FAKE = Path(__file__).parents[1] / "subjects" / "fakes" / "core_fake.py"
WORKLOAD = "scroller-random-buttons@1"
RUNS = """
candidate_run = { draw = "none", num_envs = 2, frame_skip = 60, threads = 2 }
baseline_run = { draw = "none", num_envs = 2, frame_skip = 60 }
"""


def claim(**changes: Any) -> Claim:
    fields = {
        "id": "fake.threads", "sentence": "Two threads are {value} times as fast.", "kind": "ratio", "subject": "core",
        "baseline": "core", "workload": WORKLOAD, "metric": "frames_per_second", "at_least": 1.9,
        "candidate_run": {"num_envs": 3, "threads": 2}, "baseline_run": {"num_envs": 3},
        "breaks_when": "Threads wait for each other.", **changes,
    }  # fmt: skip
    return Claim.model_validate(fields)


def test_a_subject_is_held_against_itself_only_in_two_ways() -> None:
    same = claim(id="fake.same", candidate_run={"num_envs": 3})
    selection = select(Registry([("x", claim()), ("x", same)]), VerifyOptions())
    assert [item.claim.id for item in selection.selected] == ["fake.threads"]
    assert [item.claim.id for item in selection.others] == ["fake.same"]


def test_a_stand_in_takes_both_sides() -> None:
    (item,) = select(Registry([("x", claim())]), VerifyOptions(subjects=("mine",))).selected
    assert (item.claim.subject, item.claim.baseline, item.substituted) == ("mine", "mine", True)
    beside = claim(baseline="nes-py", candidate_run={}, baseline_run={})
    (item,) = select(Registry([("x", beside)]), VerifyOptions(subjects=("mine",))).selected
    assert (item.claim.subject, item.claim.baseline) == ("mine", "nes-py")
    with pytest.raises(ConfigurationError, match="No claim is selected"):
        select(Registry([("x", beside)]), VerifyOptions(subjects=("nes-py",)))


def add_fake(world: Any, name: str, **options: Any) -> None:
    given = {"namespace": list(nesproof.__path__), "name": name, **options}
    command = json.dumps(["{python}", "-I", "{worker}", str(FAKE), json.dumps(given)])
    with (world.root / "subjects.toml").open("a", encoding="utf-8") as file:
        file.write(f'[[subject]]\nname = "{name}"\ncommand = {command}\n')


def add_timing(world: Any, subject: str, baseline: str, runs: str) -> None:
    world.add_claim(
        "fake.lanes", kind="ratio", subject=subject, baseline=baseline, workload=WORKLOAD, at_least=0.1,
        metric="frames_per_second",
    )  # fmt: skip
    claims = world.root / "claims.toml"
    claims.write_text(claims.read_text(encoding="utf-8") + runs, encoding="utf-8")


def test_lanes_that_go_wrong_fail_at_once(world: Any) -> None:
    add_fake(world, "lanes", fault="lanes-share-buttons")
    add_timing(world, "lanes", "lanes", RUNS)
    done = world.verify("--allow-busy", "--budget", "5", timeout_s=300)
    assert done.returncode == 1, done.stderr
    evidence = world.bundle().evidence
    assert contradictions(evidence) == []
    (record,) = [r for r in evidence.claims if r.selected]
    assert "No digest, no speed" in record.reason
    measurement = record.measurement
    assert isinstance(measurement, RatioMeasurement)
    assert {s.block for s in measurement.samples} == {0}
    run = measurement.candidate_run
    assert (run.draw, run.num_envs, run.threads, run.frame_skip) == ("none", 2, 2, 60)
    assert {s.frames for s in measurement.samples if s.side == "candidate"} == {120 * 2 * run.passes}
    frame = evidence.to_frame()
    assert set(frame["num_envs"]) == {2}
    assert (frame["frames_per_second"] / frame["env_steps_per_second"]).round(6).eq(60).all()


def test_what_a_side_cannot_do_is_no_timing(world: Any) -> None:
    """A promise about a subject's own threads, of which it declares none, is a fault of the promise."""
    add_timing(world, "fake", "reference", "\ncandidate_run = { num_envs = 2, threads = 2 }\n")
    assert world.verify("--allow-busy").returncode == 5
    (record,) = [r for r in world.bundle().evidence.claims if r.selected]
    assert "batch, threads" in record.reason
