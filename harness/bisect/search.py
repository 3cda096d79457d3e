"""The search itself, pure: answers in, the next commit to ask about out; or the culprit, or the range that holds it.

One thing is taken for granted, as in every bisection: between the ends the claim breaks once, so that what descends
from a bad commit is bad, and what a good one descends from is good. The confirmation afterwards does not rest on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum

from nesproof.harness.bisect.history import History

__all__ = ["Answer", "candidates", "next_commit", "steps_left"]

_NEIGHBOUR_BREAKS_TOO = 0.6
"""How likely the next commit is silent too, where one was: what breaks a build stays until it is mended."""


class Answer(str, Enum):
    """What a commit answered."""

    GOOD = "good"
    BAD = "bad"
    UNKNOWN = "unknown"
    """Measured, and the noise allowed neither answer."""
    SKIP = "skip"
    """It does not build, or cannot be measured."""


def candidates(history: History, answers: Mapping[int, Answer]) -> tuple[int, ...]:
    """The commits that may be the first bad one, by number, oldest first; `answers` are those given so far.

    The last commit of the history is bad to begin with. A commit whose content is that of a parent cannot be the first
    bad one: what is built did not change in it.
    """
    reach = (1 << len(history)) - 1
    for number, answer in answers.items():
        if answer is Answer.BAD:
            reach &= history.ancestors[number]
    for number, answer in answers.items():
        if answer is Answer.GOOD:
            reach &= ~history.ancestors[number]
    within = [number for number in range(len(history)) if reach >> number & 1]
    changed = [n for n in within if history.commits[n].content not in history.content_of_parents(n)]
    # Where answers contradict the ancestry (a merge that threw one side away), all that is left is kept.
    return tuple(changed or within)


def next_commit(history: History, answers: Mapping[int, Answer]) -> int | None:
    """The commit to ask about next, or None where no further answer could narrow the candidates.

    It is the one whose answer is expected to tell most: how evenly it halves the candidates, times how likely it is to
    answer at all, next to those that did not.
    """
    left = candidates(history, answers)
    as_set = sum(1 << number for number in left)
    silent = [place for place, number in enumerate(left) if answers.get(number) is Answer.SKIP]
    best, best_value = None, 1e-9
    for place, number in enumerate(left):
        if number in answers:
            continue
        share = (as_set & history.ancestors[number]).bit_count() / len(left)
        silence = max((_NEIGHBOUR_BREAKS_TOO ** abs(place - other) for other in silent), default=0.0)
        value = _entropy(share) * (1 - silence)
        if value > best_value + 1e-9:
            best, best_value = number, value
    return best


def steps_left(history: History, answers: Mapping[int, Answer]) -> int:
    """How many more answers are expected, where each commit gives one."""
    if next_commit(history, answers) is None:
        return 0
    return math.ceil(math.log2(len(candidates(history, answers))))


def _entropy(share: float) -> float:
    """In bits, what a yes or no of that likelihood tells."""
    if share <= 0 or share >= 1:
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)
