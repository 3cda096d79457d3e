"""Runs that count the cores of the machine: from a claim's words to numbers, and back where evidence is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.capture import usable_cores
from nesproof.harness.evidence.model import RatioMeasurement, RunRecord, Sample
from nesproof.harness.judge import judge_claim
from nesproof.harness.probes.throughput import run_of
from nesproof.harness.workloads import load_workload

WORKLOAD = load_workload("scroller-random-buttons")


@pytest.mark.parametrize(
    ("num_envs", "threads", "on_six"),
    [
        (1, 1, (1, 1)),
        (64, "cores", (64, 6)),
        ("cores", "cores", (6, 6)),
        ("32*cores", "cores", (192, 6)),
        ("2*cores", 2, (12, 2)),
    ],
)
def test_cores_become_numbers_and_are_found_again(
    num_envs: int | str, threads: int | str, on_six: tuple[int, int]
) -> None:
    choice = RunChoice.model_validate({"num_envs": num_envs, "threads": threads})
    assert (choice.consoles_on(6), choice.threads_on(6)) == on_six
    counts = isinstance(num_envs, str) or isinstance(threads, str)
    assert choice.counts_cores is counts
    assert choice.cores_behind(consoles=on_six[0], threads=on_six[1]) == (6 if counts else 1)
    assert choice.cores_behind(consoles=on_six[0] + 1, threads=on_six[1]) is None
    here = run_of(choice, WORKLOAD)
    assert (here.num_envs, here.threads) == (choice.consoles_on(usable_cores()), choice.threads_on(usable_cores()))


@pytest.mark.parametrize("wrong", ["all", "0*cores", "cores*2", "-1*cores", "99999*cores", "", "cores "])
def test_other_words_are_no_numbers(wrong: str) -> None:
    with pytest.raises(ValidationError):
        RunChoice.model_validate({"num_envs": wrong})
    with pytest.raises(ValidationError):
        RunChoice.model_validate({"threads": "2*cores"})


BY_CORE = {"num_envs": "32*cores", "threads": "cores", "draw": "none"}


def judged_with(
    claim: Callable[..., Claim],
    make_samples: Callable[..., list[Sample]],
    measurement: Callable[..., RatioMeasurement],
    runs: tuple[RunRecord, RunRecord],
) -> Any:
    made = measurement(make_samples([0.2 + 0.001 * n for n in range(10)]), candidate_run=runs[0], baseline_run=runs[1])
    promise = claim(candidate_run=BY_CORE, baseline_run={"num_envs": "cores", "threads": "cores"})
    return judge_claim(promise, made, {})


@pytest.mark.parametrize(
    ("candidate", "baseline", "words"),
    [
        ((128, 4), (4, 4), None),
        ((128, 4), (2, 2), "different numbers of cores"),
        ((64, 4), (4, 4), "other options"),
        ((128, 4), (4, 3), "other options"),
    ],
)
def test_both_sides_run_on_the_same_cores_or_nothing_is_judged(
    claim: Callable[..., Claim],
    make_samples: Callable[..., list[Sample]],
    measurement: Callable[..., RatioMeasurement],
    candidate: tuple[int, int],
    baseline: tuple[int, int],
    words: str | None,
) -> None:
    runs = (
        RunRecord(draw="none", num_envs=candidate[0], threads=candidate[1], frame_skip=4),
        RunRecord(num_envs=baseline[0], threads=baseline[1]),
    )
    verdict = judged_with(claim, make_samples, measurement, runs)
    if words is None:
        assert "options" not in verdict.reason
        assert "cores" not in verdict.reason
    else:
        assert verdict.verdict is Verdict.ERROR
        assert words in verdict.reason
