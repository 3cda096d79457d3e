"""A document is held to its own measurements: what was changed in it afterwards is told."""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.bisect.rejudge import contradictions
from nesproof.harness.bisect.run import bisect
from nesproof.harness.claims.verdict import ExitCode, Verdict
from nesproof.harness.evidence.bisection import Bisection


def changed(document: Bisection, number: int, **fields: Any) -> Bisection:
    steps = list(document.steps)
    steps[number] = steps[number].model_copy(update=fields)
    return document.model_copy(update={"steps": tuple(steps)})


def found(written: Any, of: Any = None, count: int = 24, **settings: Any) -> Bisection:
    return bisect(written.document(count, of=of), written.Written(**settings), keep=lambda _: None)


def test_what_bisect_writes_follows(written: Any) -> None:
    documents = [
        found(written, broken=lambda n: n >= 17, silent={11, 12}),
        found(written, broken=lambda n: n >= 17, silent={16}),
        found(written, broken=lambda n: n >= 17, flips={17}),
        found(written, of=written.claim("memory"), figures=lambda n: 1000.0 + (500 if n >= 9 else 0)),
        found(written, of=written.claim("ratio"), figures=lambda n: 70_000.0 * (1.05 if n >= 20 else 1)),
        found(
            written,
            of=written.claim("ratio"),
            count=3,
            figures=lambda n: 70_000.0,
            effect=lambda a, b: 0.05 if a < 2 <= b else 0.0,
        ),
    ]
    for document in documents:
        assert contradictions(document) == []
        for steps in range(3, len(document.steps)):
            cut = document.model_copy(update={"steps": document.steps[:steps], "result": None, "exit_code": None})
            assert contradictions(cut) == []


@pytest.mark.parametrize(
    ("number", "fields", "words"),
    [
        (2, {"answer": "bad"}, "says bad, and its measurement gives good"),
        (2, {"measurement": None, "suites": ()}, "an answer and no measurement"),
        (0, {"verdict": Verdict.FAIL}, "says FAIL"),
        (1, {"figure": 0.5}, "its measurement gives"),
    ],
)
def test_what_was_changed_is_told(written: Any, number: int, fields: dict[str, Any], words: str) -> None:
    document = changed(found(written, broken=lambda n: n >= 17), number, **fields)
    read = Bisection.model_validate_json(document.model_dump_json())
    assert any(words in sentence for sentence in contradictions(read))


def test_a_result_that_the_answers_do_not_lead_to_is_told(written: Any) -> None:
    document = found(written, broken=lambda n: n >= 17)
    assert document.result is not None
    other = document.result.model_copy(update={"commits": (written.sha(5),)})
    assert contradictions(document.model_copy(update={"result": other})) == [
        "The result is not the one that the answers lead to."
    ]


def test_another_exit_code_a_step_twice_and_a_lost_commit_are_told(written: Any) -> None:
    document = found(written, broken=lambda n: n >= 17)
    assert contradictions(document.model_copy(update={"exit_code": ExitCode.INCONCLUSIVE})) == [
        "The exit code is not the one that the result gives."
    ]
    twice = document.model_copy(update={"steps": (*document.steps, document.steps[-1])})
    assert any("more than once" in sentence for sentence in contradictions(twice))
    probed = next(step.sha for step in document.steps if step.role == "probe")
    lost = document.model_copy(update={"commits": tuple(c for c in document.commits if c.sha != probed)})
    assert any("no history" in sentence for sentence in contradictions(lost))
