"""Counting must-pass cases: what did not run, could not be asked or was another program is never a pass."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from nesproof.harness.claims.waiver import Waiver
from nesproof.harness.evidence.conformance import conformance, conforming_subjects
from nesproof.harness.evidence.model import RomRecord

FINE = {"a1": "passed", "a2": "passed", "b1": "passed", "b2": "passed"}


def states(evidence: Any, subject: str = "mine") -> dict[str, str]:
    found = conformance(evidence, subject)
    assert found is not None
    return {case.case: case.state for case in found.cases}


def test_all_passed(make_run: Any, make_evidence: Any) -> None:
    found = conformance(make_evidence(make_run("mine", FINE)), "mine")
    assert found is not None
    assert found.conforms
    assert found.in_short() == "4 of 4"
    assert found.sentence() == "nesproof NES 9.9: 4 of 4 on mine 1.2."


@pytest.mark.parametrize(
    ("outcomes", "more", "state"),
    [
        ({**FINE, "b2": "failed"}, {}, "failed"),
        ({**FINE, "b2": "error"}, {}, "broken"),
        ({**FINE, "b2": "skipped"}, {}, "not-run"),
        ({k: v for k, v in FINE.items() if k != "b2"}, {}, "not-run"),
        ({k: v for k, v in FINE.items() if k != "b2"}, {"cannot_run": ["b2"]}, "cannot-run"),
        ({k: v for k, v in FINE.items() if k != "b2"}, {"expected": list(FINE), "problem": "It died."}, "broken"),
        (FINE, {"expected": ["a1", "a2", "b1"]}, "broken"),
    ],
)
def test_nothing_but_a_pass_counts_as_one(
    outcomes: dict[str, str], more: dict[str, Any], state: str, make_run: Any, make_evidence: Any
) -> None:
    evidence = make_evidence(make_run("mine", outcomes, **more))
    assert states(evidence) == {"a1": "passed", "a2": "passed", "b1": "passed", "b2": state}
    found = conformance(evidence, "mine")
    assert found is not None
    assert not found.conforms
    assert found.passed == 3
    assert "opcodes:b2" in found.sentence()


def test_two_results_of_one_case_are_none(make_run: Any, make_evidence: Any) -> None:
    run = make_run("mine", FINE)
    twice = run.model_copy(update={"cases": (*run.cases, run.cases[0])})
    assert states(make_evidence(twice))["a1"] == "broken"


def test_another_program_than_the_lists_is_no_pass(make_run: Any, make_evidence: Any) -> None:
    other = make_evidence(make_run("mine", FINE), roms=(RomRecord(id="rom", sha256="b" * 64, licence="free"),))
    unnamed = make_evidence(make_run("mine", FINE), roms=())
    assert set(states(other).values()) == set(states(unnamed).values()) == {"other-rom"}


def test_another_suite_or_subject_does_not_count(make_run: Any, make_evidence: Any) -> None:
    evidence = make_evidence(make_run("mine", FINE, suite="pictures"), make_run("theirs", FINE))
    assert conforming_subjects(evidence) == ("theirs",)
    assert set(states(evidence).values()) == {"not-run"}


def test_a_waiver_lets_a_failure_through_and_is_named(make_run: Any, make_evidence: Any, waiver: Waiver) -> None:
    run = make_run("mine", {**FINE, "b1": "failed"})
    found = conformance(make_evidence(run, waivers={"mine": waiver}), "mine")
    assert found is not None
    assert found.conforms
    assert found.in_short() == "3 of 4; 1 waived"
    assert "opcodes:b1 until 2026-12-31: The opcode is known to be wrong." in found.sentence()


@pytest.mark.parametrize(
    ("outcome", "changes"),
    [
        pytest.param("error", {}, id="what broke"),
        pytest.param("failed", {"expires": date(2026, 5, 31)}, id="over"),
        pytest.param("failed", {"cases": ("a*",)}, id="of another case"),
    ],
)
def test_a_waiver_reaches_no_further(
    outcome: str, changes: dict[str, Any], make_run: Any, make_evidence: Any, waiver: Waiver
) -> None:
    run = make_run("mine", {**FINE, "b1": outcome})
    narrower = waiver.model_copy(update=changes)
    found = conformance(make_evidence(run, waivers={"mine": narrower}), "mine")
    assert found is not None
    assert not found.conforms
    assert not found.waived


def test_another_subjects_waiver_does_not_hold(make_run: Any, make_evidence: Any, waiver: Waiver) -> None:
    runs = make_run("mine", {**FINE, "b1": "failed"}), make_run("theirs", {**FINE, "b1": "failed"})
    evidence = make_evidence(*runs, waivers={"theirs": waiver})
    mine, theirs = conformance(evidence, "mine"), conformance(evidence, "theirs")
    assert mine is not None
    assert theirs is not None
    assert not mine.waived
    assert len(theirs.waived) == 1


def test_a_document_without_a_list_has_no_count(make_run: Any, make_evidence: Any) -> None:
    evidence = make_evidence(make_run("mine", FINE), mustpass=None)
    assert conforming_subjects(evidence) == ()
    assert conformance(evidence, "mine") is None
