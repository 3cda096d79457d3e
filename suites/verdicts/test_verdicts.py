"""A judge, held to measurements whose verdict is known."""

from __future__ import annotations

import pytest

from nesproof.harness.judge.planted_cases import planted_cases
from nesproof.harness.subjects.client import Subject
from nesproof.harness.suite_run import SuiteCase
from nesproof.harness.suite_run.recorder import Recorder


@pytest.mark.cases("case")
def test_the_verdict_is_the_known_one(case: SuiteCase, subject: Subject, record: Recorder) -> None:
    planted = planted_cases()[case.id]
    assert planted.verdict is not None
    given = subject.judge(planted.asked().model_dump_json().encode())
    record.detail("verdict", given.verdict)
    record.detail("planted", planted.why)
    if given.verdict != planted.verdict.value:
        wanted = f"{planted.why} The verdict is {planted.verdict.value}; it says {given.verdict}: {given.reason}"
        pytest.fail(wanted, pytrace=False)
