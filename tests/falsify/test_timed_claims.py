"""A claim about a ratio of speeds: a quick run tries whether its frames are the right ones, and times nothing."""

from __future__ import annotations

from typing import Any

from nesproof.harness.judge import contradictions
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

WORKLOAD = "scroller-random-buttons@1"


def test_one_block_tells_wrong_frames_from_right_ones(faulty: Any) -> None:
    workload = load_workload(WORKLOAD)
    expected = expected_state(workload, Resolver().read(workload.rom))
    off = expected.frame_counter - workload.warmup_frames - workload.frames
    faulty.add_timed_toy(off)
    faulty.add_subject("yardstick", counter_off=off)
    faulty.add_claim(
        "fake.speed", kind="ratio", subject="timed-toy", baseline="yardstick", workload=WORKLOAD,
        metric="frames_per_second", at_least=0.5, killed_by=["skips-frames-of-toy", "unseen"],
    )  # fmt: skip
    done = faulty.falsify(timeout_s=300)
    assert done.returncode == 4, done.stderr
    assert faulty.outcomes() == {
        ("skips-frames-of-toy", "fake.speed"): "killed",
        ("unseen", "fake.speed"): "survived",
    }
    evidence = faulty.bundle().evidence
    assert contradictions(evidence) == []
    trials = evidence.falsification
    assert trials.states_only == ("fake.speed",)
    record = next(r for r in evidence.claims if r.claim.id == "fake.speed")
    assert record.verdict.value == "NOT_SELECTED"
    assert "Not timed" in record.reason
    killed = next(pair for pair in trials.pairs if pair.outcome == "killed")
    assert "No digest, no speed" in killed.reason
    assert {sample.block for sample in killed.measurement.samples} == {0}
