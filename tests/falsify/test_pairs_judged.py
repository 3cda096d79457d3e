"""What counts as a kill, kind of claim by kind of claim; and what cannot be tried."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import (
    CaseResult,
    FigureRow,
    FiguresMeasurement,
    StateCheck,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.falsify.hooks import Hooks
from nesproof.harness.falsify.pairs import Pair, chosen_pairs
from nesproof.harness.falsify.trials import make_trials
from nesproof.harness.faults.model import Fault
from nesproof.harness.judge.falsification import judge_pair
from nesproof.harness.runner.plan import Plan, SuitePlan, TimingPlan
from nesproof.harness.suite_run import SuiteDefinition
from nesproof.harness.workloads import load_workload

TODAY = date(2026, 1, 1)


def claim(**fields: Any) -> Claim:
    table = {"id": "a.claim", "sentence": "The promise is kept.", "breaks_when": "The test breaks it.", **fields}
    return Claim.model_validate({"kind": "exact", "subject": "core", "suite": "some", **table})


def run_with(*outcomes: str, problem: str | None = None, expected: int | None = None) -> SuiteRun:
    cases = tuple(CaseResult(id=f"c{n}", outcome=o, message=f"said {n}") for n, o in enumerate(outcomes))  # type: ignore[arg-type]
    return SuiteRun(
        id="run",
        suite="some",
        title="Some",
        oracle="The test.",
        subject="core-with-x",
        expected=tuple(f"c{n}" for n in range(expected or len(cases))),
        cases=cases,
        problem=problem,
    )


@pytest.mark.parametrize(
    ("run", "outcome", "case"),
    [
        pytest.param(run_with("passed", "failed"), "killed", "c1", id="an assertion failed"),
        pytest.param(run_with("error", "failed", problem="It died."), "killed", "c1", id="and something broke"),
        pytest.param(run_with("passed", "passed"), "survived", None, id="all passed"),
        pytest.param(run_with("passed", "error"), "broken", "c1", id="an exception"),
        pytest.param(run_with("passed", problem="It did not end.", expected=2), "broken", None, id="a timeout"),
        pytest.param(run_with(problem="The subject died.", expected=2), "broken", None, id="it did not start"),
        pytest.param(run_with("skipped"), "broken", "c0", id="a refusal"),
    ],
)
def test_exact_claims(run: SuiteRun, outcome: str, case: str | None) -> None:
    judged = judge_pair(claim(), "x", SuiteMeasurement(run="run"), {"run": run}, on=TODAY)
    assert (judged.outcome, judged.case) == (outcome, case)


def table(value: float, subject: str, *, found: str = "aa") -> FiguresMeasurement:
    return FiguresMeasurement(
        of="instructions",
        subject=subject,
        workload="scroller-random-buttons@1",
        rows=(FigureRow(labels={"draw": "none"}, figures={"instructions_per_frame": value}),),
        checks=(StateCheck(what="the end", expected="aa", found=found),),
    )


@pytest.mark.parametrize(
    ("value", "outcome"), [pytest.param(126.0, "killed", id="5 % more"), pytest.param(120.0, "survived", id="no more")]
)
def test_what_hooks_cost_is_taken_off_counted_instructions(value: float, outcome: str) -> None:
    counted = claim(
        kind="instructions",
        suite=None,
        workload="scroller-random-buttons@1",
        metric="instructions_per_frame",
        where={"draw": "none"},
        at_most=102,
    )
    hooks, installed = table(120.0, "core-with-hooks"), table(100.0, "core")
    judged = judge_pair(counted, "x", table(value, "core-with-x"), {}, on=TODAY, hooks=hooks, installed=installed)
    assert judged.outcome == outcome
    wrong = table(120.0, "core-with-x", found="bb")
    judged = judge_pair(counted, "x", wrong, {}, on=TODAY, hooks=hooks, installed=installed)
    assert judged.outcome == "killed"
    assert "No digest, no figure" in judged.reason


def test_what_a_waiver_lets_through_survives() -> None:
    waiver = {
        "reason": "It is known.",
        "settled_by": "Somebody mends it.",
        "expires": "2026-06-01",
        "cases": ["c1"],
    }
    waived = claim(waiver=waiver)
    for outcomes, outcome in ((("passed", "failed"), "survived"), (("failed", "failed"), "killed")):
        judged = judge_pair(waived, "x", SuiteMeasurement(run="run"), {"run": run_with(*outcomes)}, on=TODAY)
        assert judged.outcome == outcome


# --- What cannot be tried --------------------------------------------------------------------------------------------


def fault(fault_id: str = "x", **fields: Any) -> Fault:
    return Fault.model_validate(
        {"id": fault_id, "sentence": "Something is wrong.", "area": "cpu", "means": "hook", **fields}
    )


SUITE = SuiteDefinition.model_validate(
    {"name": "some", "title": "Some", "oracle": "The test that wrote it.", "case": [{"id": "c0"}]}
)


def test_without_tools_a_hook_is_not_tried_and_an_adapter_is() -> None:
    own = claim(killed_by=["x", "y"])
    pairs = chosen_pairs([own], {"x": fault(), "y": fault("y", means="adapter")})
    plan = Plan(suites=[SuitePlan(SUITE, "core", [own], {"c0"})])
    trials = make_trials(pairs, plan, Hooks(missing="A build needs cmake; pip install cmake"), is_timed=True)
    assert trials.not_tried == {("x", "a.claim"): "A build needs cmake; pip install cmake"}
    assert [trial.fault.id for trial in trials.suites] == ["y"]


def test_a_claim_that_cannot_be_measured_here_is_not_tried() -> None:
    pairs = (Pair(fault(), claim(killed_by=["x"])),)
    absence = UnavailableMeasurement(missing="vectors", reason="They are not here.", remedy="fetch them")
    trials = make_trials(pairs, Plan(answered={"a.claim": absence}), Hooks(folder=Path("/")), is_timed=True)
    assert (
        trials.not_tried["x", "a.claim"] == "The claim cannot be measured here: They are not here. Remedy: fetch them"
    )


def test_added_work_is_not_tried_on_a_ratio_where_nothing_is_timed() -> None:
    ratio = claim(
        kind="ratio", suite=None, baseline="reference", metric="frames_per_second",
        workload="scroller-random-buttons@1", at_least=2, killed_by=["x"],
    )  # fmt: skip
    plan = Plan(timings=[TimingPlan(ratio, load_workload("scroller-random-buttons@1"))])
    pairs = (Pair(fault(area="speed"), ratio),)
    hooks = Hooks(folder=Path("/"))
    assert "in time alone" in make_trials(pairs, plan, hooks, is_timed=False).not_tried["x", "a.claim"]
    assert len(make_trials(pairs, plan, hooks, is_timed=True).timings) == 1


def test_a_fault_that_one_suite_alone_should_see_is_named_by_no_other() -> None:
    with pytest.raises(ConfigurationError, match="which suite klaus alone should see"):
        chosen_pairs([claim(killed_by=["x"])], {"x": fault(only_suite="klaus")})


def test_a_missing_tool_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.builds import BuildToolsMissing
    from nesproof.harness.falsify import hooks

    def absent(*_: Any, **__: Any) -> None:
        raise BuildToolsMissing("cmake", remedy="pip install cmake")

    monkeypatch.setattr(hooks, "emulator_recipe", absent)
    found = hooks.prepare_hooks(lambda _: None)
    assert found.folder is None
    assert found.missing is not None
    assert "pip install cmake" in found.missing
