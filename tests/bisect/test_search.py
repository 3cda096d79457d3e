"""The search over any history and with any silence: the answer is the culprit or a range that holds it."""

from __future__ import annotations

import math
from collections.abc import Set

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from nesproof.harness.bisect.history import Commit, History
from nesproof.harness.bisect.search import Answer, candidates, next_commit, steps_left

MOST = 60


def line(count: int, contents: list[str] | None = None) -> History:
    return graph([[n - 1] for n in range(count)], contents)


def graph(parents: list[list[int]], contents: list[str] | None = None) -> History:
    """A history whose commit n has these parents, -1 being the good end."""
    named = ["good" if p < 0 else f"{p}" for p in range(-1, len(parents))]
    commits = [
        Commit(f"{n}", "", tuple(named[p + 1] for p in ps), contents[n] if contents else f"content {n}")
        for n, ps in enumerate(parents)
    ]
    return History(Commit("good", "", (), "the good content"), commits)


def searched(
    history: History, broken: Set[int], silent: Set[int], unknown: Set[int] = frozenset()
) -> tuple[tuple[int, ...], int, int]:
    """What is left at the end, how many commits were asked, and how many of those gave no answer."""
    answers = {len(history) - 1: Answer.BAD}
    asked = without = 0
    while (number := next_commit(history, answers)) is not None:
        assert number not in answers
        assert steps_left(history, answers) >= 1
        asked += 1
        if number in silent | unknown:
            answers[number] = Answer.SKIP if number in silent else Answer.UNKNOWN
            without += 1
        else:
            answers[number] = Answer.BAD if number in broken else Answer.GOOD
    assert steps_left(history, answers) == 0
    return candidates(history, answers), asked, without


@given(st.data())
@settings(deadline=None)
def test_of_a_line_the_answer_is_the_least_range_that_holds_the_culprit(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, MOST))
    culprit = data.draw(st.integers(0, count - 1))
    silent = data.draw(st.sets(st.integers(0, count - 1))) - {count - 1}
    left, asked, without = searched(line(count), set(range(culprit, count)), silent)
    told = [n for n in range(count) if n not in silent]
    last_good = max((n for n in told if n < culprit), default=-1)
    first_bad = min(n for n in told if n >= culprit)
    assert left == tuple(range(last_good + 1, first_bad + 1))
    assert asked <= (math.ceil(math.log2(count)) + without + (3 if without else 0))


@given(st.integers(1, 400), st.data())
@settings(deadline=None, max_examples=50)
def test_where_every_commit_answers_the_logarithm_is_enough(count: int, data: st.DataObject) -> None:
    culprit = data.draw(st.integers(0, count - 1))
    left, asked, _ = searched(line(count), set(range(culprit, count)), set())
    assert left == (culprit,)
    assert asked <= math.ceil(math.log2(count))


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    """Any commits with one to three parents, of which those are kept that lead to the last."""
    count = draw(st.integers(1, 30))
    parents = [draw(st.lists(st.integers(-1, n - 1), min_size=1, max_size=3, unique=True)) for n in range(count)]
    kept = {count - 1}
    for n in reversed(range(count)):
        if n in kept:
            kept |= {p for p in parents[n] if p >= 0}
    order = sorted(kept)
    number = {-1: -1, **{old: new for new, old in enumerate(order)}}
    return [[number[p] for p in parents[old]] for old in order]


@given(graphs(), st.data())
@settings(deadline=None)
def test_of_any_history_the_answer_holds_the_culprit(parents: list[list[int]], data: st.DataObject) -> None:
    history = graph(parents)
    count = len(history)
    # One commit breaks it, and with it all that descend from it.
    culprit = data.draw(st.integers(0, count - 1))
    broken = {n for n in range(count) if history.ancestors[n] >> culprit & 1}
    silent = data.draw(st.sets(st.integers(0, count - 1))) - {count - 1}
    unknown = data.draw(st.sets(st.integers(0, count - 1))) - {count - 1}
    left, asked, _ = searched(history, broken, silent, unknown)
    assert culprit in left
    assert asked <= count
    if not (silent | unknown):
        assert left == (culprit,)
    else:
        # No commit that answered is still open beside the one known to be bad.
        assert sum(1 for n in left if n not in silent | unknown) <= 1


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_a_commit_that_changes_nothing_that_is_built_is_never_the_answer(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 40))
    changes = [data.draw(st.booleans()) for _ in range(count)]
    culprit = data.draw(st.integers(0, count - 1))
    changes[culprit] = True
    contents, current = [], "the good content"
    for n, changed in enumerate(changes):
        current = f"content {n}" if changed else current
        contents.append(current)
    left, asked, _ = searched(line(count, contents), set(range(culprit, count)), set())
    assert left == (culprit,)
    assert asked <= math.ceil(math.log2(sum(changes))) if sum(changes) > 1 else asked == 0


def test_beside_a_commit_that_is_silent_the_next_one_asked_is_some_way_off() -> None:
    history = line(64)
    answers = {63: Answer.BAD}
    first = next_commit(history, answers)
    assert first == 31
    answers[31] = Answer.SKIP
    second = next_commit(history, answers)
    assert second is not None
    assert 2 <= abs(second - 31) <= 10
    # Noise says nothing about the neighbours.
    answers[31] = Answer.UNKNOWN
    assert next_commit(history, answers) in {30, 32}


def test_a_merge_that_threw_a_side_away_ends_in_a_range_and_not_in_nothing() -> None:
    # 0 on the good end, 1 beside it, 2 merges both and is as 0 was.
    history = graph([[-1], [-1], [0, 1]], ["a", "b", "a"])
    answers = {2: Answer.BAD, 0: Answer.GOOD, 1: Answer.GOOD}
    assert candidates(history, answers) == (2,)


def test_a_history_is_in_order_and_has_no_commit_twice() -> None:
    good = Commit("good", "", (), "g")
    with pytest.raises(ValueError, match="after its parents"):
        History(good, [Commit("a", "", ("b",), "1"), Commit("b", "", ("good",), "2")])
    for commits in ([], [Commit("a", "", (), "1")] * 2, [Commit("good", "", (), "1")]):
        with pytest.raises(ValueError, match="distinct"):
            History(good, commits)
