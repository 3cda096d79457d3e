"""Planted ratio measurements, each with the verdict it must get."""

from __future__ import annotations

import math
from typing import Any

import pytest

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import FailedMeasurement, Load, SuiteMeasurement
from nesproof.harness.judge import judge_claim

ABOVE = [0.05 + 0.001 * i for i in range(48)]
BELOW = [-e for e in ABOVE]
AROUND = [0.03 * (-1) ** i * (1 + 0.01 * i) for i in range(48)]


def verdict_of(claim: Any, measurement: Any) -> Verdict:
    return judge_claim(claim, measurement, {}).verdict


def test_above_the_threshold_passes(claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(make_samples(ABOVE[:10])), {})
    assert judged.verdict is Verdict.PASS
    assert judged.value == pytest.approx(2 * math.exp(0.0545), rel=1e-6)
    assert judged.interval is not None
    assert judged.interval[0] > 2
    assert "10 blocks" in (judged.measured or "")


def test_below_the_threshold_fails(claim: Any, make_samples: Any, measurement: Any) -> None:
    assert verdict_of(claim(), measurement(make_samples(BELOW[:10]))) is Verdict.FAIL


def test_at_most_is_the_mirror(claim: Any, make_samples: Any, measurement: Any) -> None:
    at_most = claim(at_least=None, at_most=2.0)
    assert verdict_of(at_most, measurement(make_samples(ABOVE[:10]))) is Verdict.FAIL
    assert verdict_of(at_most, measurement(make_samples(BELOW[:10]))) is Verdict.PASS
    judged = judge_claim(at_most, measurement(make_samples(BELOW[:10])), {})
    assert judged.interval is not None
    assert judged.value is not None
    assert judged.interval[0] < judged.value < judged.interval[1] < 2.0
    assert "below that beyond the noise" in judged.reason


def test_only_an_accusation_is_adjusted_for_comparisons_whichever_way_the_promise_points(
    claim: Any, make_samples: Any, measurement: Any
) -> None:
    at_least, at_most = claim(), claim(at_least=None, at_most=2.0)
    above, below = (measurement(make_samples(effects[:10]), comparisons=5) for effects in (ABOVE, BELOW))
    assert [verdict_of(at_least, m) for m in (above, below)] == [Verdict.PASS, Verdict.INCONCLUSIVE]
    assert [verdict_of(at_most, m) for m in (above, below)] == [Verdict.INCONCLUSIVE, Verdict.PASS]


def test_noise_around_the_threshold_is_inconclusive(claim: Any, make_samples: Any, measurement: Any) -> None:
    assert verdict_of(claim(), measurement(make_samples(AROUND))) is Verdict.INCONCLUSIVE


def test_the_shortest_run_is_the_process_figure(claim: Any, make_samples: Any, measurement: Any) -> None:
    samples = make_samples(ABOVE[:10])
    hiccup = [s.model_copy(update={"elapsed_ns": s.elapsed_ns * 20}) if s.run == 4 else s for s in samples]
    before, after = (judge_claim(claim(), measurement(s), {}) for s in (samples, hiccup))
    assert after.verdict is Verdict.PASS
    assert after.value == before.value


def test_nothing_timed_is_not_measured(claim: Any, measurement: Any) -> None:
    assert verdict_of(claim(), measurement([], budget_exhausted=True)) is Verdict.NOT_MEASURED
    assert verdict_of(claim(), None) is Verdict.NOT_MEASURED


def test_too_few_blocks_are_not_measured(claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(make_samples(ABOVE[:7]), budget_exhausted=True), {})
    assert judged.verdict is Verdict.NOT_MEASURED
    assert "7 of 10" in judged.reason
    assert judged.value is not None
    assert judged.interval is None
    assert "no interval" in (judged.measured or "")


def test_stopping_between_looks_needs_a_reason(claim: Any, make_samples: Any, measurement: Any) -> None:
    samples = make_samples(AROUND[:13])
    assert verdict_of(claim(), measurement(samples)) is Verdict.ERROR
    assert verdict_of(claim(), measurement(samples, interrupted=True)) is Verdict.INCONCLUSIVE
    assert verdict_of(claim(), measurement(samples, budget_exhausted=True)) is Verdict.INCONCLUSIVE


def test_going_on_after_the_verdict_is_an_error(claim: Any, make_samples: Any, measurement: Any) -> None:
    assert verdict_of(claim(), measurement(make_samples(ABOVE[:16]))) is Verdict.ERROR


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda s: s[:-1], id="a run is missing"),
        pytest.param(lambda s: [*s, s[0]], id="a run twice"),
        pytest.param(lambda s: [x for x in s if x.position != 3 or x.block != 4], id="a process is missing"),
        pytest.param(lambda s: [x for x in s if x.block != 4], id="a block is missing"),
        pytest.param(lambda s: [x for x in s if x.run < 4], id="four runs a process"),
        pytest.param(lambda s: [s[0].model_copy(update={"frames": 60}), *s[1:]], id="another window"),
        pytest.param(
            lambda s: [x.model_copy(update={"side": "baseline" if x.side == "candidate" else "candidate"}) for x in s],
            id="sides swapped",
        ),
        pytest.param(lambda s: [x.model_copy(update={"run": 0}) for x in s], id="every run is the first"),
    ],
)
def test_malformed_samples_are_an_error(spoil: Any, claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(spoil(make_samples(ABOVE[:10]))), {})
    assert judged.verdict is Verdict.ERROR
    assert "malformed" in judged.reason


def test_the_order_is_that_of_the_seed(claim: Any, make_samples: Any, measurement: Any) -> None:
    assert verdict_of(claim(), measurement(make_samples(ABOVE[:10]), order_seed=8)) is Verdict.ERROR


@pytest.mark.parametrize("field", ["workload", "candidate", "baseline"])
def test_samples_of_something_else_are_an_error(field: str, claim: Any, make_samples: Any, measurement: Any) -> None:
    changed = {"workload": "other@1", "candidate": "other", "baseline": "other"}[field]
    assert verdict_of(claim(), measurement(make_samples(ABOVE[:10]), **{field: changed})) is Verdict.ERROR


# --- No digest, no speed ---------------------------------------------------------------------------------------------


def _changed(samples: Any, side: str, **changes: Any) -> Any:
    index = next(i for i, s in enumerate(samples) if s.side == side and s.block == 6)
    return [s.model_copy(update=changes) if i == index else s for i, s in enumerate(samples)]


@pytest.mark.parametrize(
    "changes", [{"digest": "f" * 16}, {"digest": None}, {"ram_sha256": "c" * 64}, {"frame_counter": 719}]
)
def test_a_fast_run_of_the_wrong_frames_fails(changes: Any, claim: Any, make_samples: Any, measurement: Any) -> None:
    samples = _changed(make_samples(ABOVE[:10]), "candidate", **changes)
    judged = judge_claim(claim(), measurement(samples), {})
    assert judged.verdict is Verdict.FAIL
    assert "No digest, no speed" in judged.reason
    assert judged.value is None


@pytest.mark.parametrize("changes", [{"ram_sha256": "c" * 64}, {"frame_counter": 723}, {"digest": "f" * 16}])
def test_a_peer_that_strays_breaks_the_comparison(
    changes: Any, claim: Any, make_samples: Any, measurement: Any
) -> None:
    samples = _changed(make_samples(ABOVE[:10]), "baseline", **changes)
    assert verdict_of(claim(), measurement(samples)) is Verdict.ERROR


def test_the_weaker_check_is_said_beside_the_verdict(claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(make_samples(ABOVE[:10])), {})
    assert "weaker check of peer" in (judged.caveat or "")


def test_a_side_that_owes_a_digest_must_give_it(claim: Any, make_samples: Any, measurement: Any) -> None:
    both = measurement(make_samples(ABOVE[:10]), digest_from=("candidate", "baseline"))
    assert verdict_of(claim(), both) is Verdict.ERROR


# --- The machine -----------------------------------------------------------------------------------------------------


def busy(*, overridden: bool = False) -> Load:
    return Load(
        load_average_1min=3, other_cpu_share=0.6, steal_share=0.0, waited_s=30, busy=True, overridden=overridden
    )


def test_a_busy_machine_is_inconclusive(claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(make_samples(ABOVE[:10]), load=busy()), {})
    assert judged.verdict is Verdict.INCONCLUSIVE
    assert "60%" in judged.reason
    assert judged.value is not None


def test_a_busy_machine_that_ran_out_of_time_is_inconclusive_too(
    claim: Any, make_samples: Any, measurement: Any
) -> None:
    few = measurement(make_samples(ABOVE[:3]), load=busy(), budget_exhausted=True)
    assert verdict_of(claim(), few) is Verdict.INCONCLUSIVE


def test_an_override_is_diagnostic(claim: Any, make_samples: Any, measurement: Any) -> None:
    judged = judge_claim(claim(), measurement(make_samples(ABOVE[:10]), load=busy(overridden=True)), {})
    assert judged.verdict is Verdict.PASS
    assert "diagnostic only" in (judged.caveat or "")


def test_a_busy_machine_does_not_excuse_wrong_frames(claim: Any, make_samples: Any, measurement: Any) -> None:
    samples = _changed(make_samples(ABOVE[:10]), "candidate", digest="f" * 16)
    assert verdict_of(claim(), measurement(samples, load=busy())) is Verdict.FAIL


def test_windows_too_short_are_inconclusive(claim: Any, make_samples: Any, measurement: Any) -> None:
    short = [s.model_copy(update={"elapsed_ns": s.elapsed_ns // 10}) for s in make_samples(ABOVE[:10])]
    assert verdict_of(claim(), measurement(short)) is Verdict.INCONCLUSIVE


def test_a_measurement_of_another_kind_proves_nothing(claim: Any) -> None:
    assert verdict_of(claim(), SuiteMeasurement(run="x")) is Verdict.ERROR
    assert verdict_of(claim(), FailedMeasurement(stage="Timing", reason="it died")) is Verdict.ERROR
