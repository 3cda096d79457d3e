"""A whole bisection over written answers: the ends, the search, the confirmation, and going on after being killed."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest

from nesproof.harness.bisect.ends import EndsUnproven
from nesproof.harness.bisect.probe import told_by_timing
from nesproof.harness.bisect.run import bisect
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.evidence.bisection import Bisection

COUNT = 24


class Killed(BaseException):
    """The process is gone."""


def run(document: Bisection, laboratory: Any, *, after_steps: int | None = None, **options: Any) -> Bisection:
    """The bisection from a document as it would be read from the disk; `after_steps` kills it there."""
    kept: list[str] = [document.model_dump_json()]

    def keep(now: Bisection) -> None:
        kept.append(now.model_dump_json())
        if after_steps is not None and len(now.steps) >= after_steps:
            raise Killed

    with contextlib.suppress(Killed):
        bisect(Bisection.model_validate_json(kept[0]), laboratory, keep=keep, **options)
    return Bisection.model_validate_json(kept[-1])


def commits(document: Bisection) -> list[int]:
    assert document.result is not None
    return [int(sha, 16) - 1 for sha in document.result.commits]


@pytest.mark.parametrize("culprit", [1, 2, 7, 12, 13, 23, 24])
def test_an_exact_claim_is_found_and_confirmed(written: Any, culprit: int) -> None:
    laboratory = written.Written(broken=lambda n: n >= culprit)
    found = run(written.document(COUNT), laboratory)
    assert found.result is not None
    assert (commits(found), found.result.confirmed, found.exit_code) == ([culprit], True, ExitCode.OK)
    assert found.method is not None
    assert found.method.kind == "verdict"
    assert len(laboratory.built) == len(set(laboratory.built)) <= math.log2(COUNT) + 3
    roles = [(step.role, int(step.sha, 16) - 1, step.answer) for step in found.steps]
    assert roles[:2] == [("good end", 0, "good"), ("bad end", COUNT, "bad")]
    assert roles[-2:] == [("parent", culprit - 1, "good"), ("culprit", culprit, "bad")]
    assert laboratory.asked.count(culprit) == 2, "the culprit is measured afresh"


def test_what_does_not_build_is_skipped_and_its_compiler_quoted(written: Any) -> None:
    laboratory = written.Written(broken=lambda n: n >= 17, silent={11, 12, 13, 20})
    found = run(written.document(COUNT), laboratory)
    assert commits(found) == [17]
    skipped = [step for step in found.steps if step.build == "failed"]
    assert {int(step.sha, 16) - 1 for step in skipped} <= {11, 12, 13, 20}
    assert skipped
    assert all(step.answer == "skip" and step.reason == "It does not build.\nerror: this_is_not_c" for step in skipped)


def test_beside_what_does_not_build_a_range_is_reported_and_no_guess(written: Any) -> None:
    laboratory = written.Written(broken=lambda n: n >= 17, silent={15, 16, 17})
    found = run(written.document(COUNT), laboratory)
    assert found.result is not None
    assert (commits(found), found.result.confirmed, found.exit_code) == ([15, 16, 17, 18], False, ExitCode.INCONCLUSIVE)
    assert "one of these 4: of them, 3 gave no build" in found.result.sentence
    assert not any(step.role in {"parent", "culprit"} for step in found.steps)


def test_only_so_many_builds(written: Any) -> None:
    laboratory = written.Written(broken=lambda n: n >= 17)
    found = run(written.document(COUNT), laboratory, most_builds=4)
    assert len(laboratory.built) == 4
    assert found.exit_code == ExitCode.INCONCLUSIVE
    assert 17 in commits(found)
    assert len(commits(found)) == 6
    assert found.result is not None
    assert "no more builds" in found.result.sentence


def test_commits_of_equal_content_are_built_once(written: Any) -> None:
    # Only every third commit changes what is built.
    contents = {n: f"{n // 3:x}" for n in range(COUNT + 1)}
    laboratory = written.Written(broken=lambda n: n >= 15)
    found = run(written.document(COUNT, contents=contents), laboratory)
    assert commits(found) == [15]
    assert len(laboratory.built) <= math.ceil(math.log2(COUNT / 3)) + 2
    # 9 is a return to what was built at the good end, so that its answer is known.
    again = {n: f"{0 if n == 12 else n:x}" for n in range(COUNT + 1)}
    laboratory = written.Written(broken=lambda n: n >= 15)
    found = run(written.document(COUNT, contents=again), laboratory)
    assert commits(found) == [15]
    assert 12 not in laboratory.built
    (step,) = [step for step in found.steps if step.build == "none"]
    assert (step.answer, step.reason) == ("good", f"What is built equals that of {written.sha(0)[:12]}.")


@pytest.mark.parametrize("kills", [[n] for n in range(1, 11)] + [[1, 2, 3, 4, 5, 6, 7, 8]])
def test_killed_after_any_step_it_ends_as_it_would_have(written: Any, kills: list[int]) -> None:
    settings = {"broken": lambda n: n >= 16, "silent": {12, 13}}
    whole = run(written.document(COUNT), written.Written(**settings))
    document, built = written.document(COUNT), []
    for steps in kills:
        laboratory = written.Written(**settings)
        document = run(document, laboratory, after_steps=steps)
        assert document.result is None
        built += laboratory.built
    laboratory = written.Written(**settings)
    resumed = run(document, laboratory)
    assert resumed.result == whole.result
    without_times = [step.model_copy(update={"duration_s": 0.0, "build": "made"}) for step in resumed.steps]
    assert without_times == [step.model_copy(update={"duration_s": 0.0, "build": "made"}) for step in whole.steps]
    asked_before = {step.sha for step in document.steps}
    assert len(laboratory.asked) == len(whole.steps) - len(document.steps) - sum(
        1 for step in whole.steps[len(document.steps) :] if step.build == "failed"
    )
    assert len(asked_before) <= len(document.steps)


def test_what_does_not_answer_again_as_before_is_not_confirmed(written: Any) -> None:
    # Asked afresh, the culprit is good: the first bad commit comes after it, or it answers at random.
    found = run(written.document(COUNT), written.Written(broken=lambda n: n >= 12, flips={12}))
    assert found.result is not None
    assert (found.result.kind, found.result.confirmed, found.exit_code) == ("range", False, ExitCode.INCONCLUSIVE)
    assert found.result.sentence.startswith(
        f"Not confirmed: measured afresh, {written.sha(12)[:12]} did not answer as before."
    )
    assert 12 in commits(found)
    assert len(commits(found)) > 1
    # The parent is bad: the first bad commit comes before.
    found = run(written.document(COUNT), written.Written(broken=lambda n: n >= 12, flips={11}))
    assert found.exit_code == ExitCode.INCONCLUSIVE
    assert {11, 12} <= set(commits(found))
    assert max(commits(found)) == 12


def test_a_merge_is_confirmed_against_each_parent_on_the_path(written: Any) -> None:
    # 1 - 2 - 3 - 6 - 7 and 1 - 4 - 5 - 6: the merge 6 breaks what neither side had broken.
    parents = {4: (1,), 6: (3, 5)}
    found = run(written.document(7, parents=parents), written.Written(broken=lambda n: n >= 6))
    assert commits(found) == [6]
    assert [int(step.sha, 16) - 1 for step in found.steps if step.role == "parent"] == [3, 5]
    # On one side only.
    found = run(written.document(7, parents=parents), written.Written(broken=lambda n: n in {5, 6, 7}))
    assert commits(found) == [5]
    assert [int(step.sha, 16) - 1 for step in found.steps if step.role == "parent"] == [4]


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        (
            {"broken": lambda n: True},
            2,
            "The good end, 000000000000, fails: 1 case failed: power/on. Name an older --good",
        ),
        ({"broken": lambda n: False}, 2, "The bad end, 000000000000, does not fail"),
        ({"silent": {0}}, 5, "The good end, 000000000000, does not build, as the compiler says above; name an end"),
        ({"silent": {COUNT}}, 5, "The bad end, 000000000000, does not build"),
        ({"error": "pytest died."}, 5, "gives no answer (ERROR): Suite broke: pytest died."),
        ({"unavailable": True}, 6, "(NOT_APPLICABLE): valgrind is absent. Remedy: apt install valgrind"),
    ],
)
def test_ends_that_are_not_as_said(written: Any, settings: dict[str, Any], code: int, words: str) -> None:
    with pytest.raises(EndsUnproven) as caught:
        run(written.document(COUNT), written.Written(**settings))
    assert int(caught.value.exit_code) == code
    assert words in str(caught.value)


def test_a_figure_that_moved_parts_the_commits_in_the_middle(written: Any) -> None:
    claim = written.claim("memory")
    laboratory = written.Written(figures=lambda n: 1000.0 + n + (500 if n >= 9 else 0))
    found = run(written.document(COUNT, of=claim), laboratory)
    assert found.method is not None
    assert (found.method.kind, found.method.good_figure, found.method.bad_figure) == ("figure", 1000.0, 1524.0)
    assert found.method.limit == 1262.0
    assert commits(found) == [9]
    assert found.result is not None
    assert (found.result.before, found.result.after) == ("1,008 bytes", "1,509 bytes")
    assert [step.answer for step in found.steps[:2]] == ["good", "bad"]
    assert found.steps[1].judged == found.method.judged, "the ends are judged by what parts good from bad"


def test_where_the_claim_itself_breaks_its_own_threshold_parts_the_commits(written: Any) -> None:
    claim = written.claim("memory", at_most=1_100)
    laboratory = written.Written(figures=lambda n: 1000.0 + 15 * n)
    found = run(written.document(COUNT, of=claim), laboratory)
    assert found.method is not None
    assert found.method.limit == 1_100
    assert commits(found) == [7]


def test_a_figure_that_did_not_move_for_the_worse_is_no_regression(written: Any) -> None:
    for figures in (lambda n: 1000.0, lambda n: 1000.0 - n):
        with pytest.raises(EndsUnproven, match="did not move") as caught:
            run(written.document(COUNT, of=written.claim("memory")), written.Written(figures=figures))
        assert int(caught.value.exit_code) == 2


def test_a_ratio_claim_goes_by_instructions_where_they_moved(written: Any) -> None:
    laboratory = written.Written(figures=lambda n: 70_000.0 * (1.05 if n >= 20 else 1))
    found = run(written.document(COUNT, of=written.claim("ratio")), laboratory)
    assert found.method is not None
    assert (found.method.kind, found.method.figure) == ("figure", "instructions per frame")
    assert commits(found) == [20]
    assert not laboratory.timed
    assert len(laboratory.built) <= math.log2(COUNT) + 3


def test_where_instructions_do_not_tell_the_ends_are_timed_and_each_commit_against_the_good_one(written: Any) -> None:
    def effect(older: int, younger: int) -> float:
        return 0.05 if older < 6 <= younger else 0.0

    laboratory = written.Written(figures=lambda n: 70_000.0, effect=effect)
    found = run(written.document(8, of=written.claim("ratio")), laboratory)
    assert found.method is not None
    assert found.method.kind == "timing"
    assert "did not move by more than 2.0%" in found.method.sentence
    assert laboratory.timed[0] == (0, 8)
    assert all(older == 0 for older, _ in laboratory.timed[:-1])
    assert laboratory.timed[-1] == (5, 6), "the culprit is timed afresh, against its parent"
    assert commits(found) == [6]
    assert found.result is not None
    assert found.result.after is not None
    # Where they cannot be counted at all.
    laboratory = written.Written(figures=lambda n: None, effect=effect)
    found = run(written.document(8, of=written.claim("ratio")), laboratory)
    assert commits(found) == [6]
    assert [step.answer for step in found.steps[:2]] == ["good", "bad"]


def test_timings_too_noisy_to_tell_are_skipped_and_wrong_frames_say_nothing_about_speed(written: Any) -> None:
    laboratory = written.Written(
        figures=lambda n: None,
        effect=lambda a, b: 0.0 if b < 4 else 0.02 if b == 4 else 0.06,
        noise={4: 0.1},
        wrong_frames={5},
    )
    assert told_by_timing(written.timed(0.05)).answer.value == "bad"
    assert told_by_timing(written.timed(0.0)).answer.value == "good"
    assert told_by_timing(written.timed(0.05, wrong_frames=True)).answer.value == "skip"
    assert told_by_timing(written.timed(0.02, noise=0.1)).answer.value == "unknown"
    found = run(written.document(8, of=written.claim("ratio")), laboratory)
    answers = {int(step.sha, 16) - 1: step.answer for step in found.steps if step.role == "probe"}
    assert answers == {4: "unknown", 3: "good", 7: "bad", 6: "bad", 5: "skip"}
    assert (commits(found), found.exit_code) == ([4, 5, 6], ExitCode.INCONCLUSIVE)


def test_ends_that_time_alike_are_no_regression(written: Any) -> None:
    with pytest.raises(EndsUnproven, match="is not slower") as caught:
        run(
            written.document(8, of=written.claim("ratio")),
            written.Written(figures=lambda n: None, effect=lambda a, b: 0.0),
        )
    assert int(caught.value.exit_code) == 2


def test_a_finished_bisection_is_not_measured_again(written: Any) -> None:
    found = run(written.document(COUNT), written.Written(broken=lambda n: n >= 5))
    laboratory = written.Written()
    assert run(found, laboratory) == found
    assert not laboratory.built
