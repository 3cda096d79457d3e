"""What is said beside the verdict on a before/after; the verdicts themselves are planted cases."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import TypeAdapter

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import ChangeMeasurement, Measurement
from nesproof.harness.judge import judge_change
from nesproof.harness.judge.blocks import MalformedSamples
from nesproof.harness.judge.change import effects_of_change
from nesproof.harness.judge.planted_cases import planted_cases


def planted(name: str, **changes: Any) -> ChangeMeasurement:
    case = planted_cases()[f"changes/{name}"]
    arms = {arm: blocks.samples() for arm, blocks in case.arms.items()}
    return ChangeMeasurement.model_validate({**(case.measurement or {}), **arms, **changes})


def test_effects_are_those_of_the_times() -> None:
    slow = effects_of_change(planted("five-percent-slower"))
    assert (len(slow.ab), len(slow.aa), len(slow.confirmation)) == (10, 16, 10)
    assert sum(slow.ab) / 10 == pytest.approx(math.log(1.05), abs=0.005)
    assert sum(slow.aa) / 16 == pytest.approx(0.0, abs=0.005)
    baseline, candidate = slow.confirmation_times[0]
    assert (sum(candidate) - sum(baseline)) / 2 == pytest.approx(slow.confirmation[0])


def test_everything_is_said_of_a_slowdown() -> None:
    judged = judge_change(planted("five-percent-slower"))
    assert judged.verdict is Verdict.FAIL
    assert judged.value == pytest.approx(0.05, abs=0.005)
    assert judged.interval is not None
    assert 0 < judged.interval[0] < judged.value < judged.interval[1]
    assert judged.measured is not None
    assert judged.measured.startswith("+5.")
    assert "10 blocks" in judged.measured
    figures = judged.figures
    assert figures is not None
    assert figures.change is not None
    assert figures.change.decided_at == 10
    assert figures.floor is not None
    assert figures.floor.blocks == 16
    assert 0 < figures.floor.half_width < 0.015
    assert figures.sensitivity is not None
    assert figures.sensitivity.power > 0.99
    assert figures.confirmation is not None
    assert figures.confirmation.is_confirmed


def test_the_same_samples_give_the_same_judgement() -> None:
    measurement = planted("five-percent-slower")
    again = ChangeMeasurement.model_validate_json(measurement.model_dump_json())
    assert judge_change(again) == judge_change(measurement)


def test_wrong_frames_have_no_figures() -> None:
    judged = judge_change(planted("candidate-wrong-digest"))
    assert (judged.value, judged.interval, judged.measured, judged.figures) == (None, None, None, None)
    assert "No digest, no speed" in judged.reason


def test_few_blocks_have_no_interval() -> None:
    judged = judge_change(planted("too-few-blocks"))
    assert judged.value is not None
    assert judged.interval is None
    assert "no interval" in (judged.measured or "")


def test_an_override_is_said_beside_the_verdict() -> None:
    assert "diagnostic only" in (judge_change(planted("busy-overridden")).caveat or "")


def test_a_subject_without_digest_is_checked_by_less_and_says_so() -> None:
    measurement = planted("identical", digest_from=[])
    arms = {
        name: tuple(s.model_copy(update={"digest": None}) for s in getattr(measurement, name))
        for name in ("samples", "aa_samples")
    }
    judged = judge_change(measurement.model_copy(update=arms))
    assert judged.verdict is Verdict.PASS
    assert (judged.caveat or "").count("it cannot give the digest") == 2


@pytest.mark.parametrize(
    ("name", "says"), [("stale-floor", "arm 2"), ("not-interleaved", "in the arm 'ab'"), ("other-window", "lengths")]
)
def test_what_is_malformed_is_named(name: str, says: str) -> None:
    with pytest.raises(MalformedSamples, match=says):
        effects_of_change(planted(name))


def test_it_is_a_measurement_of_the_evidence() -> None:
    measurement = planted("identical")
    read: Measurement = TypeAdapter(Measurement).validate_json(measurement.model_dump_json())
    assert read == measurement
