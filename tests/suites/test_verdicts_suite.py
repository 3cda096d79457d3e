"""The suite of verdicts: it holds every planted case, and a judge in a process of its own passes and fails it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nesproof.harness.judge.planted_cases import planted_cases
from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE
from nesproof.harness.suite_run.definition import load_suite


def test_the_suite_holds_every_planted_case() -> None:
    assert [case.id for case in load_suite("verdicts").cases] == list(planted_cases())


def test_the_judge_is_a_subject() -> None:
    with open_subject("judge") as judge:
        assert judge.capabilities == {"judge"}
        assert [check.passed for check in check_subject(judge, b"")] == [True]
        with pytest.raises(SubjectRefused):
            judge.judge(b'{"id": "suites/none"}')
        given = judge.judge(planted_cases()["changes/five-percent-slower"].asked().model_dump_json().encode())
    assert given.verdict == "FAIL"
    assert "confirm" in given.reason


def test_a_broken_judge_is_a_variant_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "subjects.toml"
    path.write_text('[[subject]]\nname = "blind"\nvariant_of = "judge"\nfault = "stale-samples-accepted"\n')
    monkeypatch.setenv(SUBJECT_FILE_VARIABLE, str(path))
    case = planted_cases()["changes/stale-process"].asked().model_dump_json().encode()
    with open_subject("judge") as judge, open_subject("blind") as blind:
        assert (judge.judge(case).verdict, blind.judge(case).verdict) == ("ERROR", "PASS")
