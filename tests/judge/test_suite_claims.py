"""Exact claims: only every expected case passed is PASS."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode, Verdict, exit_code_of
from nesproof.harness.evidence.model import CaseResult, SuiteMeasurement, SuiteRun
from nesproof.harness.judge import judge_claim

CLAIM = Claim(
    id="cpu.test",
    sentence="Every opcode does what it should.",
    kind="exact",
    subject="reference",
    suite="opcodes",
    cases="cpu/*",
    breaks_when="An opcode forgets a flag.",
)


def run(*outcomes: tuple[str, str], expected: tuple[str, ...] | None = None, **changes: Any) -> SuiteRun:
    fields: dict[str, Any] = {
        "id": "opcodes.reference",
        "suite": "opcodes",
        "title": "Opcodes",
        "oracle": "Somebody who knows.",
        "subject": "reference",
        "expected": expected if expected is not None else tuple(name for name, _ in outcomes),
        "cases": tuple(CaseResult(id=name, outcome=outcome) for name, outcome in outcomes),  # type: ignore[arg-type]
    }
    return SuiteRun.model_validate({**fields, **changes})


def judged(suite_run: SuiteRun) -> Any:
    return judge_claim(CLAIM, SuiteMeasurement(run=suite_run.id), {suite_run.id: suite_run})


PASSED, FAILED, ERROR, SKIPPED = (("cpu/a", o) for o in ("passed", "failed", "error", "skipped"))


@pytest.mark.parametrize(
    ("suite_run", "verdict"),
    [
        pytest.param(run(PASSED, ("cpu/b", "passed")), Verdict.PASS, id="all passed"),
        pytest.param(run(PASSED, ("cpu/b", "failed")), Verdict.FAIL, id="one failed"),
        pytest.param(run(PASSED, ("ppu/b", "failed")), Verdict.PASS, id="another claim's case failed"),
        pytest.param(run(PASSED, ("cpu/b", "error")), Verdict.ERROR, id="one broke"),
        pytest.param(run(FAILED, ("cpu/b", "error")), Verdict.FAIL, id="failed and broke"),
        pytest.param(run(PASSED, ("cpu/b", "skipped")), Verdict.NOT_MEASURED, id="skipped is not passed"),
        pytest.param(run(PASSED, expected=("cpu/a", "cpu/b")), Verdict.ERROR, id="one missing"),
        pytest.param(run(expected=()), Verdict.NOT_MEASURED, id="zero cases"),
        pytest.param(run(("ppu/a", "passed")), Verdict.NOT_MEASURED, id="zero cases of this claim"),
        pytest.param(run(expected=("cpu/a",)), Verdict.ERROR, id="nothing came back"),
        pytest.param(run(PASSED, problem="pytest died"), Verdict.ERROR, id="the run broke"),
        pytest.param(run(FAILED, problem="pytest died"), Verdict.FAIL, id="failed, then broke"),
        pytest.param(run(PASSED, PASSED, expected=("cpu/a",)), Verdict.ERROR, id="one result twice"),
        pytest.param(run(PASSED, ("cpu/b", "passed"), expected=("cpu/a",)), Verdict.ERROR, id="unasked result"),
        pytest.param(run(PASSED, subject="peer"), Verdict.ERROR, id="another subject"),
        pytest.param(run(PASSED, suite="other"), Verdict.ERROR, id="another suite"),
    ],
)
def test_verdict(suite_run: SuiteRun, verdict: Verdict) -> None:
    assert judged(suite_run).verdict is verdict


def test_a_run_that_is_not_there_is_an_error() -> None:
    assert judge_claim(CLAIM, SuiteMeasurement(run="gone"), {}).verdict is Verdict.ERROR


def test_the_failing_cases_are_named() -> None:
    reason = judged(run(*((f"cpu/{i}", "failed") for i in range(8)))).reason
    assert "8 cases failed" in reason
    assert "cpu/0" in reason
    assert "3 more" in reason


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ("PASS", 0),
        ("PASS NOT_APPLICABLE WAIVED", 0),
        ("", 6),
        ("NOT_APPLICABLE", 6),
        ("PASS FAIL ERROR", 1),
        ("PASS ERROR NOT_MEASURED", 5),
        ("PASS NOT_MEASURED INCONCLUSIVE", 6),
        ("PASS INCONCLUSIVE", 3),
        ("INCONCLUSIVE", 3),
    ],
)
def test_exit_code(verdicts: str, code: int) -> None:
    assert exit_code_of(Verdict(v) for v in verdicts.split()) == code


def test_an_interruption_outranks_everything() -> None:
    assert exit_code_of([Verdict.FAIL], interrupted=True) is ExitCode.INTERRUPTED
    assert exit_code_of([Verdict.ERROR], falsifier_survived=True) is ExitCode.FALSIFIER_SURVIVED


@pytest.mark.parametrize(
    ("results", "measured", "reason"),
    [
        ((PASSED,), "1 of 1 case passed", "The one case passed."),
        ((PASSED, ("cpu/b", "passed")), "2 of 2 cases passed", "All 2 cases passed."),
    ],
)
def test_one_case_is_not_spoken_of_as_many(results: tuple[tuple[str, str], ...], measured: str, reason: str) -> None:
    judgement = judged(run(*results))
    assert (judgement.measured, judgement.reason) == (measured, reason)
