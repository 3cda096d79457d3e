"""Waivers: a known failure is let through for a stated while and no further, and never anything else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import (
    CaseResult,
    FailedMeasurement,
    FigureRow,
    FiguresMeasurement,
    RatioMeasurement,
    Sample,
    SuiteMeasurement,
    SuiteRun,
)
from nesproof.harness.judge import judge_claim

BEFORE, AFTER = date(2026, 6, 30), date(2026, 7, 1)
WAIVER = {
    "reason": "The compiler of this year spills here.",
    "settled_by": "A kernel that holds fewer values.",
    "expires": "2026-06-30",
}


def spills(within: float | None = 100) -> Claim:
    return Claim.model_validate(
        {
            "id": "kernel.spills", "sentence": "The kernels spill {value} bytes.", "kind": "static", "subject": "core",
            "metric": "spill_bytes", "where": {"part": "all"}, "at_most": 0, "breaks_when": "A kernel grows.",
            "waiver": None if within is None else {**WAIVER, "within": within},
        }
    )  # fmt: skip


def counted(spilled: float) -> FiguresMeasurement:
    row = FigureRow(labels={"part": "all"}, figures={"spill_bytes": spilled})
    return FiguresMeasurement(of="static", subject="core", rows=(row,))


def test_a_failure_within_the_waiver_is_waived_until_it_expires() -> None:
    judged = judge_claim(spills(), counted(100), {}, on=BEFORE)
    assert judged.verdict is Verdict.WAIVED
    assert judged.value == 100
    assert "2026-06-30" in judged.reason
    assert "this year spills here" in judged.reason
    assert "fewer values" in judged.reason
    assert judge_claim(spills(), counted(100), {}, on=AFTER).verdict is Verdict.FAIL
    assert judge_claim(spills(), counted(100), {}).verdict is Verdict.FAIL


def test_it_is_a_ratchet() -> None:
    judged = judge_claim(spills(), counted(101), {}, on=BEFORE)
    assert judged.verdict is Verdict.FAIL
    assert "does not reach so far" in judged.reason


def test_what_holds_needs_no_waiver_and_what_broke_gets_none() -> None:
    assert judge_claim(spills(), counted(0), {}, on=BEFORE).verdict is Verdict.PASS
    broken = FailedMeasurement(stage="Counting", reason="it died")
    assert judge_claim(spills(), broken, {}, on=BEFORE).verdict is Verdict.ERROR


def exact(cases: list[str]) -> Claim:
    return Claim.model_validate(
        {
            "id": "parity.test", "sentence": "Two consoles are one.", "kind": "exact", "subject": "core",
            "suite": "parity", "breaks_when": "They part.", "waiver": {**WAIVER, "cases": cases},
        }
    )  # fmt: skip


def suite_run(**outcomes: str) -> dict[str, SuiteRun]:
    cases = tuple(CaseResult(id=name, outcome=outcome) for name, outcome in outcomes.items())  # type: ignore[arg-type]
    run = SuiteRun(
        id="parity.core", suite="parity", title="Parity", oracle="The other.", subject="core",
        expected=tuple(outcomes), cases=cases,
    )  # fmt: skip
    return {run.id: run}


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ({"a": "failed", "b": "passed"}, Verdict.WAIVED),
        ({"a": "failed", "b": "failed"}, Verdict.FAIL),
        ({"a": "passed", "b": "failed"}, Verdict.FAIL),
        ({"a": "passed", "b": "passed"}, Verdict.PASS),
        ({"a": "error", "b": "passed"}, Verdict.ERROR),
    ],
)
def test_only_the_named_cases_may_fail(outcomes: dict[str, str], verdict: Verdict) -> None:
    runs = suite_run(**outcomes)
    assert judge_claim(exact(["a"]), SuiteMeasurement(run="parity.core"), runs, on=BEFORE).verdict is verdict


def test_frames_that_are_not_the_right_ones_are_never_waived(
    claim: Callable[..., Claim],
    make_samples: Callable[..., list[Sample]],
    measurement: Callable[..., RatioMeasurement],
) -> None:
    wrong = [s.model_copy(update={"digest": "0" * 16}) for s in make_samples([0.1] * 10) if s.side == "candidate"]
    others = [s for s in make_samples([0.1] * 10) if s.side == "baseline"]
    promise = claim(waiver={**WAIVER, "within": 0.001})
    judged = judge_claim(promise, measurement([*wrong, *others]), {}, on=BEFORE)
    assert judged.verdict is Verdict.FAIL


@pytest.mark.parametrize("limits", [{}, {"within": 1, "cases": ["a"]}])
def test_a_waiver_is_limited(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="exactly one of within and cases"):
        Claim.model_validate({**spills().model_dump(mode="json"), "waiver": {**WAIVER, **limits}})


def test_a_waiver_fits_its_claim() -> None:
    with pytest.raises(ValueError, match="names cases of an exact claim"):
        Claim.model_validate({**spills().model_dump(mode="json"), "waiver": {**WAIVER, "cases": ["a"]}})
