"""The matrix of a document follows from its measurements; whoever rewrites one of its parts contradicts the others."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.judge import contradictions


def with_trials(evidence: Evidence, **changes: Any) -> Evidence:
    return evidence.model_copy(update={"falsification": evidence.falsification.model_copy(update=changes)})


def said(evidence: Evidence) -> str:
    return "; ".join(f"{c.claim}: {c.sentence}" for c in contradictions(evidence))


def with_pair(evidence: Evidence, fault: str, claim: str, **changes: Any) -> Evidence:
    pairs = tuple(
        p.model_copy(update=changes) if (p.fault, p.claim) == (fault, claim) else p
        for p in evidence.falsification.pairs
    )
    return with_trials(evidence, pairs=pairs)


@pytest.fixture(scope="module")
def evidence(tried: tuple[Any, Any]) -> Evidence:
    return tried[0].bundle().evidence


def test_a_survivor_called_killed(evidence: Evidence) -> None:
    assert "the measurement gives survived" in said(
        with_pair(evidence, "high-bit-lost", "fake.first", outcome="killed")
    )


def test_a_crash_called_a_kill(evidence: Evidence) -> None:
    assert "the measurement gives broken" in said(with_pair(evidence, "dies", "fake.all", outcome="killed"))


def test_a_survivor_called_not_tried(evidence: Evidence) -> None:
    forged = with_pair(evidence, "high-bit-lost", "fake.first", outcome="not-tried")
    assert "It was not tried, yet carries a measurement" in said(forged)


def test_other_words_beside_a_kill(evidence: Evidence) -> None:
    forged = with_pair(evidence, "high-bit-lost", "fake.all", assertion="All was well.")
    assert "The words beside the outcome" in said(forged)


def test_a_survivor_left_out(evidence: Evidence) -> None:
    pairs = tuple(p for p in evidence.falsification.pairs if p.claim != "fake.first")
    assert "not those that the claims name" in said(with_trials(evidence, pairs=pairs))


def test_a_control_left_out_or_rewritten(evidence: Evidence) -> None:
    assert "without a control that holds" in said(with_trials(evidence, controls=()))
    controls = tuple(c.model_copy(update={"holds": False}) for c in evidence.falsification.controls)
    assert "is not what its measurement gives" in said(with_trials(evidence, controls=controls))


def test_a_breach_left_out(evidence: Evidence) -> None:
    sole = tuple(s.model_copy(update={"also": (), "holds": True}) for s in evidence.falsification.sole)
    assert "Which other suites see adds-one" in said(with_trials(evidence, sole=sole))


def test_a_better_exit_code(evidence: Evidence) -> None:
    forged = evidence.model_copy(update={"exit_code": ExitCode.OK})
    assert "The exit code is 0; the verdicts add up to 4." in said(forged)


def test_a_case_that_failed_after_all(evidence: Evidence) -> None:
    runs = []
    for run in evidence.falsification.suites:
        cases = tuple(c.model_copy(update={"outcome": "passed"}) for c in run.cases)
        runs.append(run.model_copy(update={"cases": cases}))
    assert "adds-one: The outcome is killed; the measurement gives" in said(with_trials(evidence, suites=tuple(runs)))
