"""Claims about counted figures: the worst row decides, and what is not there is never kept."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement, StateCheck
from nesproof.harness.judge import judge_claim


def claim(**changes: Any) -> Claim:
    fields = {
        "id": "static.registers", "sentence": "A kernel takes at most {value} registers.", "kind": "static",
        "subject": "core", "workload": "play@1", "metric": "registers", "where": {"part": "all", "arch": ["a", "b"]},
        "at_most": 128, "breaks_when": "A kernel grows.",
    }  # fmt: skip
    return Claim.model_validate({**fields, **changes})


def table(*rows: tuple[dict[str, Any], dict[str, float]], **changes: Any) -> FiguresMeasurement:
    fields = {
        "of": "static", "subject": "core", "workload": "play@1",
        "rows": tuple(FigureRow(labels=labels, figures=figures) for labels, figures in rows),
    }  # fmt: skip
    return FiguresMeasurement.model_validate({**fields, **changes})


def row(arch: str, registers: float, part: str = "all") -> tuple[dict[str, Any], dict[str, float]]:
    return {"arch": arch, "part": part}, {"registers": registers}


def test_the_worst_row_decides() -> None:
    kept = judge_claim(claim(), table(row("a", 96), row("b", 128), row("b", 400, "some_function")), {})
    assert (kept.verdict, kept.value) == (Verdict.PASS, 128)
    assert kept.measured is not None
    assert "b, the worst of 2 rows" in kept.measured
    broken = judge_claim(claim(), table(row("a", 96), row("b", 129)), {})
    assert (broken.verdict, broken.value) == (Verdict.FAIL, 129)


def test_at_least_is_the_other_way_round() -> None:
    promise = claim(at_most=None, at_least=100)
    assert judge_claim(promise, table(row("a", 100), row("b", 101)), {}).verdict is Verdict.PASS
    assert judge_claim(promise, table(row("a", 99.9), row("b", 101)), {}).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    "measurement",
    [
        table(),
        table(row("a", 96)),
        table(row("a", 96), row("b", 96, "some_function")),
        table(row("a", 96), ({"arch": "b", "part": "all"}, {"stack_bytes": 0})),
    ],
)
def test_what_is_not_in_the_table_is_not_measured(measurement: FiguresMeasurement) -> None:
    assert judge_claim(claim(), measurement, {}).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize("change", [{"of": "memory"}, {"subject": "other"}, {"workload": "play@2"}])
def test_a_table_of_something_else_is_an_error(change: dict[str, str]) -> None:
    assert judge_claim(claim(), table(row("a", 1), row("b", 1), **change), {}).verdict is Verdict.ERROR


def test_a_number_is_no_truth_value() -> None:
    promise = claim(where={"on": True})
    one = table(({"on": 1}, {"registers": 5.0}))
    assert judge_claim(promise, one, {}).verdict is Verdict.NOT_MEASURED
    assert judge_claim(promise, table(({"on": True}, {"registers": 5.0})), {}).verdict is Verdict.PASS


def test_a_run_that_ended_elsewhere_counts_for_nothing() -> None:
    measured = table(row("a", 1), row("b", 1), checks=(StateCheck(what="lane 0", expected="ab", found="ac"),))
    judged = judge_claim(claim(), measured, {})
    assert judged.verdict is Verdict.FAIL
    assert "No digest, no figure" in judged.reason


def test_one_row_over_another() -> None:
    promise = claim(
        where={"set": "far", "schedule": "best"}, over={"schedule": "other"}, metric="lanes", at_most=None, at_least=3
    )

    def lanes(best: float, other: float) -> FiguresMeasurement:
        return table(
            ({"set": "far", "schedule": "best"}, {"lanes": best}),
            ({"set": "far", "schedule": "other"}, {"lanes": other}),
            ({"set": "near", "schedule": "other"}, {"lanes": 1.0}),
        )

    kept = judge_claim(promise, lanes(12, 4), {})
    assert (kept.verdict, kept.value) == (Verdict.PASS, 3)
    assert kept.measured == "3 x the lanes of other"
    assert judge_claim(promise, lanes(11.9, 4), {}).verdict is Verdict.FAIL
    assert judge_claim(promise, lanes(12, 0), {}).verdict is Verdict.NOT_MEASURED
    missing = claim(where={"set": "near", "schedule": "other"}, over={"schedule": "best"}, metric="lanes")
    assert judge_claim(missing, lanes(1, 1), {}).verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize("change", [{"metric": None}, {"at_most": None}, {"at_least": 1}, {"at_most": float("inf")}])
def test_a_claim_about_figures_promises_one_figure(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"claim static\.registers"):
        claim(**change)
