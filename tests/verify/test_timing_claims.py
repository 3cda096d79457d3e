"""Ratio claims by the real command, with subjects whose speed is a setting beside the real reference's expectation."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.judge import contradictions
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

WORKLOAD = "scroller-random-buttons@1"


@pytest.fixture(scope="module")
def counter_off() -> int:
    """What a fake must add to the number of frames it was given to read as the reference's game counter does."""
    workload = load_workload(WORKLOAD)
    expected = expected_state(workload, Resolver().read(workload.rom))
    return expected.frame_counter - workload.warmup_frames - workload.frames


def timed(world: Any, counter_off: int, *, at_least: float, **candidate: Any) -> Any:
    world.add_subject("candidate", frames_per_second=1000, **{"counter_off": counter_off, **candidate})
    world.add_subject("yardstick", frames_per_second=1000, counter_off=counter_off)
    world.add_claim(
        "fake.speed", kind="ratio", subject="candidate", baseline="yardstick", workload=WORKLOAD,
        metric="frames_per_second", at_least=at_least,
    )  # fmt: skip
    world.add_suite("good", "pass")
    world.add_claim("fake.good", suite="good")
    return world.verify("--allow-busy", "--budget", "5", timeout_s=400)


@pytest.mark.parametrize(
    ("at_least", "candidate", "verdict", "code"),
    [
        pytest.param(0.5, {}, "PASS", 0, id="above the threshold"),
        pytest.param(2.0, {}, "FAIL", 1, id="value below threshold"),
        pytest.param(0.5, {"gives_digest": True, "digest": "0" * 16}, "FAIL", 1, id="fast on the wrong frames"),
        pytest.param(0.5, {"timing": "die"}, "ERROR", 5, id="the process dies"),
    ],
)
def test_verdict(world: Any, counter_off: int, at_least: float, candidate: Any, verdict: str, code: int) -> None:
    done = timed(world, counter_off, at_least=at_least, **candidate)
    assert done.returncode == code, done.stderr
    assert world.verdicts() == {"fake.speed": verdict, "fake.good": "PASS"}
    evidence = world.bundle().evidence
    assert contradictions(evidence) == []
    frame = evidence.to_frame()
    if verdict in {"PASS", "FAIL"} and not candidate:
        assert len(frame) == 200
        assert set(frame["side"]) == {"candidate", "baseline"}


def test_no_budget_is_not_measured(world: Any, counter_off: int) -> None:
    world.add_subject("candidate", counter_off=counter_off)
    world.add_subject("yardstick", counter_off=counter_off)
    world.add_claim(
        "fake.speed", kind="ratio", subject="candidate", baseline="yardstick", workload=WORKLOAD,
        metric="frames_per_second", at_least=0.5,
    )  # fmt: skip
    assert world.verify("--budget", "0", "--allow-busy").returncode == 6
    assert world.verdicts() == {"fake.speed": "NOT_MEASURED"}
