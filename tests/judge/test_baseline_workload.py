"""A baseline that plays another workload, where it has no such board: each side is held to its own end."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import ExpectedState
from nesproof.harness.judge import judge_claim

ABOVE = [0.05 + 0.001 * i for i in range(10)]
ELSEWHERE = ExpectedState(digest="f" * 16, ram_sha256="c" * 64, frame_counter=720)
OWN = {"baseline_workload": "game@1", "baseline_expected": ELSEWHERE}


def test_each_side_is_held_to_its_own_workload(claim: Any, make_samples: Any, measurement: Any) -> None:
    asked = claim(baseline_workload="game@1")
    assert judge_claim(asked, measurement(make_samples(ABOVE), **OWN), {}).verdict is Verdict.PASS
    late = {**OWN, "baseline_expected": ELSEWHERE.model_copy(update={"frame_counter": 700})}
    judged = judge_claim(asked, measurement(make_samples(ABOVE), **late), {})
    assert judged.verdict is Verdict.ERROR
    assert "its frame counter reads 721, the reference's 700" in judged.reason
    wrong = {"expected": ELSEWHERE, **OWN}
    assert judge_claim(asked, measurement(make_samples(ABOVE), **wrong), {}).verdict is Verdict.FAIL


@pytest.mark.parametrize("asked", [None, "other@1"])
def test_samples_of_another_workload_are_no_answer(
    asked: str | None, claim: Any, make_samples: Any, measurement: Any
) -> None:
    judged = judge_claim(claim(baseline_workload=asked), measurement(make_samples(ABOVE), **OWN), {})
    assert judged.verdict is Verdict.ERROR
    assert "another workload" in judged.reason
    plain = judge_claim(claim(baseline_workload="game@1"), measurement(make_samples(ABOVE)), {})
    assert plain.verdict is Verdict.ERROR


def test_what_does_not_go_together_is_refused(claim: Any, make_samples: Any, measurement: Any) -> None:
    with pytest.raises(ValidationError, match="baseline_workload is another workload"):
        claim(baseline_workload="play@1")
    with pytest.raises(ValidationError, match="go together"):
        measurement(make_samples(ABOVE), baseline_workload="game@1")


def test_what_is_played_is_said_of_each_side(make_samples: Any, measurement: Any) -> None:
    both, apart = measurement(make_samples(ABOVE)), measurement(make_samples(ABOVE), **OWN)
    assert (both.played, apart.played) == ("play@1", "play@1 against game@1")
    assert apart.workload_of("baseline") == "game@1"


def test_one_subject_may_be_held_against_itself_on_another_program(claim: Any) -> None:
    assert claim(baseline="reference", baseline_workload="game@1").compares_itself
    assert not claim(baseline="reference").compares_itself
    assert claim(baseline_workload="game@1").workloads == ("play@1", "game@1")
