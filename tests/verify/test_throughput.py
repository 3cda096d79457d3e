"""The throughput probe on subjects whose speed is a setting: order, looks, correctness, budget, faults."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import ExpectedState, Load, RatioMeasurement, RunRecord
from nesproof.harness.judge import judge_claim
from nesproof.harness.probes import lanes
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.probes.throughput import Play, ThroughputPlan, TimingInterrupted, measure_throughput
from nesproof.harness.subjects.errors import SubjectDied
from nesproof.harness.workloads import Workload

WORKLOAD = Workload(
    id="play", version=1, title="Play", rom="house/scroller", buttons="none", warmup_frames=10, frames=100,
    frame_counter_address=0,
)  # fmt: skip
QUIET = Load(load_average_1min=0.0, other_cpu_share=0.0, steal_share=0.0, waited_s=0, busy=False)
CLAIM = Claim(
    id="throughput.test", sentence="It runs at least {value} times as fast.", kind="ratio", subject="quick",
    baseline="peer", workload="play@1", metric="frames_per_second", at_least=0.5, breaks_when="It becomes slow.",
)  # fmt: skip


@pytest.fixture
def subjects(world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`quick` gives digests and is the reference; `peer` cannot, and is as fast."""
    world.add_subject("quick", gives_digest=True)
    world.add_subject("peer", counter_off=1)
    for name in ("NESPROOF_SUBJECT_FILE", "NESPROOF_HOME"):
        monkeypatch.setenv(name, world.env[name])
    monkeypatch.setattr(lanes, "REFERENCE", "quick")
    return world


def plan(**changes: Any) -> ThroughputPlan:
    fields: dict[str, Any] = {
        "candidate": "quick",
        "baseline": "peer",
        "workload": WORKLOAD,
        "rom": b"NES",
        "threshold": 0.5,
        "comparisons": 1,
        "order_seed": 3,
        "deadline_s": time.monotonic() + 300,
        "digest_from": ("candidate",),
        "streams": {1: WORKLOAD.input_stream()},
        "candidate_run": RunRecord(),
        "baseline_run": RunRecord(),
    }
    return ThroughputPlan(**{**fields, **changes})


def measured(**changes: Any) -> RatioMeasurement:
    return measure_throughput(plan(**changes), expected=expected_state(WORKLOAD, b"NES"), load=QUIET)


def verdict(measurement: RatioMeasurement, **changes: Any) -> Verdict:
    claim = CLAIM.model_copy(update={"subject": measurement.candidate, "baseline": measurement.baseline, **changes})
    return judge_claim(claim, measurement, {}).verdict


def test_it_stops_at_the_first_look_that_decides(subjects: Any) -> None:
    heard: list[tuple[int, int]] = []
    measurement = measure_throughput(
        plan(), expected=expected_state(WORKLOAD, b"NES"), load=QUIET, on_block=lambda *news: heard.append(news)
    )
    assert heard == [(n, 10) for n in range(1, 11)]
    assert len(measurement.samples) == 10 * 4 * 5
    assert Counter(s.side for s in measurement.samples) == {"candidate": 100, "baseline": 100}
    judged = judge_claim(CLAIM, measurement, {})
    assert judged.verdict is Verdict.PASS
    assert judged.value == pytest.approx(1.0, rel=0.01)
    assert verdict(measurement, at_least=1.5) is Verdict.FAIL


def test_the_expected_state_is_that_of_an_untimed_run(subjects: Any) -> None:
    assert expected_state(WORKLOAD, b"NES").frame_counter == 110


def test_a_baseline_may_play_another_workload(subjects: Any) -> None:
    other = WORKLOAD.model_copy(update={"id": "game", "frames": 200})
    played = Play(other, b"NES", {1: other.input_stream()})
    measurement = measure_throughput(
        plan(baseline_play=played, deadline_s=time.monotonic() + 60, most_blocks=1),
        expected=expected_state(WORKLOAD, b"NES"),
        baseline_expected=expected_state(other, b"NES"),
        load=QUIET,
    )
    assert (measurement.workload, measurement.baseline_workload) == ("play@1", "game@1")
    assert {(s.side, s.frames) for s in measurement.samples} == {("candidate", 100), ("baseline", 200)}
    assert {(s.side, s.frame_counter) for s in measurement.samples} == {("candidate", 110), ("baseline", 211)}
    assert (
        "baseline" not in judge_claim(CLAIM.model_copy(update={"baseline_workload": "game@1"}), measurement, {}).reason
    )


def test_wrong_frames_stop_the_timing_at_once(subjects: Any) -> None:
    subjects.add_subject("skips", gives_digest=True, digest="0" * 16, frames_per_second=9_000)
    measurement = measured(candidate="skips")
    assert {s.block for s in measurement.samples} == {0}
    assert verdict(measurement) is Verdict.FAIL


def test_a_peer_whose_ram_is_chance_is_no_yardstick(subjects: Any) -> None:
    subjects.add_subject("chancy", chance=True)
    assert verdict(measured(baseline="chancy")) is Verdict.ERROR


def test_a_peer_at_another_frame_is_no_yardstick(subjects: Any) -> None:
    subjects.add_subject("behind", counter_off=2)
    assert verdict(measured(baseline="behind")) is Verdict.ERROR


def test_a_process_that_dies_breaks_the_measurement(subjects: Any) -> None:
    subjects.add_subject("mortal", timing="die")
    with pytest.raises(SubjectDied):
        measured(baseline="mortal")


def test_a_spent_budget_is_said(subjects: Any) -> None:
    measurement = measured(deadline_s=time.monotonic() - 1)
    assert measurement.budget_exhausted
    assert measurement.samples == ()
    assert verdict(measurement) is Verdict.NOT_MEASURED


def test_a_budget_that_cannot_reach_the_next_look_stops_early(subjects: Any) -> None:
    measurement = measured(deadline_s=time.monotonic() + 3)
    assert measurement.budget_exhausted or len(measurement.samples) == 200
    assert verdict(measurement) in {Verdict.NOT_MEASURED, Verdict.PASS}


def test_an_interruption_keeps_whole_blocks(subjects: Any) -> None:
    def stop(done: int, _look: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(TimingInterrupted) as caught:
        measure_throughput(plan(), expected=expected_state(WORKLOAD, b"NES"), load=QUIET, on_block=stop)
    measurement = caught.value.measurement
    assert measurement.interrupted
    assert len(measurement.samples) == 2 * 4 * 5
    assert verdict(measurement) is Verdict.NOT_MEASURED


def test_an_expectation_of_another_console_is_not_met(subjects: Any) -> None:
    other = ExpectedState(digest="1" * 16, ram_sha256="2" * 64, frame_counter=110)
    measurement = measure_throughput(plan(), expected=other, load=QUIET)
    assert verdict(measurement) is Verdict.FAIL


# --- The load gate ---------------------------------------------------------------------------------------------------


def test_a_quiet_machine_is_not_waited_for() -> None:
    load = wait_for_quiet(limit_s=10, sample=lambda: (0.02, 0.0))
    assert not load.busy


def test_a_busy_machine_is_waited_for() -> None:
    shares = iter([(0.9, None), (0.5, None), (0.01, None)])
    told: list[str] = []
    load = wait_for_quiet(limit_s=10, sample=lambda: next(shares), tell=told.append)
    assert not load.busy
    assert load.other_cpu_share == 0.01
    assert told == ["Waiting for a quiet machine, 10 s at most: other processes take 90% of the processors."]


def test_a_long_wait_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1_000))
    monkeypatch.setattr("nesproof.harness.probes.load.time.monotonic", lambda: next(seconds))
    told: list[str] = []
    wait_for_quiet(limit_s=40, sample=lambda: (0.9, None), tell=told.append)
    assert len(told) == 3  # after 1, 16 and 31 s


def test_a_machine_that_stays_busy_is_said_to_be() -> None:
    load = wait_for_quiet(limit_s=0, sample=lambda: (0.9, 0.0))
    assert load.busy
    assert not load.overridden


def test_steal_alone_makes_a_machine_busy() -> None:
    assert wait_for_quiet(limit_s=0, sample=lambda: (0.0, 0.2)).busy


def test_an_override_does_not_wait_and_is_recorded() -> None:
    load = wait_for_quiet(limit_s=1_000, allow_busy=True, sample=lambda: (0.9, 0.0))
    assert (load.busy, load.overridden) == (True, True)
