"""Suites that hold one subject against another: both introduce themselves, and the absence of either is said."""

from __future__ import annotations

from typing import Any

BESIDE = {"kind": "do", "against": "another", "settings": {"what": "pass"}}


def test_both_subjects_are_in_the_evidence(world: Any) -> None:
    world.add_subject("another")
    world.add_suite("pairs", BESIDE)
    world.add_claim("fake.pair", suite="pairs")
    done = world.verify()
    assert done.returncode == 0, done.stderr
    assert {subject.name for subject in world.bundle().evidence.subjects} == {"fake", "another"}


def test_a_second_subject_that_a_claim_requires_and_is_not_here_is_no_fault(world: Any) -> None:
    world.add_suite("pairs", {**BESIDE, "against": "nes-py"})
    world.add_claim("fake.pair", suite="pairs", requires=["subject:nes-py"])
    world.verify()
    assert world.verdicts() == {"fake.pair": "NOT_APPLICABLE"}
    (record,) = (record for record in world.bundle().evidence.claims if record.selected)
    assert record.remedy is not None
    assert "nes-py" in record.remedy


def test_a_second_subject_that_does_not_come_up_is_an_error(world: Any) -> None:
    world.add_suite("pairs", {**BESIDE, "against": "nobody"})
    world.add_claim("fake.pair", suite="pairs")
    assert world.verify().returncode == 5
    assert world.verdicts() == {"fake.pair": "ERROR"}
