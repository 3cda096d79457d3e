"""Whether a bisection's document follows from its own measurements: answers, the order of the search, the result."""

from __future__ import annotations

import math
from collections import Counter
from typing import Literal, NoReturn

from nesproof.harness.bisect.asking import Measured
from nesproof.harness.bisect.history import Commit
from nesproof.harness.bisect.probe import told_by, told_by_timing
from nesproof.harness.bisect.run import bisect
from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.bisection import Bisection, BisectionStep
from nesproof.harness.evidence.model import ChangeMeasurement

__all__ = ["contradictions"]


_OTHER_RESULT = "The result is not the one that the answers lead to."


class _NotKept(Exception):
    """Something is asked for that the document does not hold."""


class _Kept:
    """A laboratory that has nothing but what the document holds."""

    def build(self, commit: Commit) -> Literal["made", "cached"]:
        raise _NotKept(commit.sha)

    def measure(self, commit: Commit, claim: Claim) -> Measured:
        self._refuse(commit, claim)

    def time(self, baseline: Commit, candidate: Commit, claim: Claim) -> Measured:
        self._refuse(baseline, candidate, claim)

    def _refuse(self, *_: object) -> NoReturn:
        raise _NotKept


def contradictions(document: Bisection) -> list[str]:
    """One sentence for each step whose answer is not what its measurement gives, and for a path or a result that the
    answers do not lead to. A bisection under way is held to as much of it as there is.
    """
    found = [sentence for step in document.steps if (sentence := _of_step(step, document)) is not None]
    twice = [key for key, count in Counter((s.role, s.sha, s.against) for s in document.steps).items() if count > 1]
    found += [f"The step {role} {sha[:12]} stands there more than once." for role, sha, _ in twice]
    path = {document.good.sha, *(commit.sha for commit in document.commits)}
    if any(path.isdisjoint(commit.parents) for commit in document.commits):
        return [*found, "The commits are no history: one of them follows none of the others."]
    again = document.model_copy(update={"result": None, "exit_code": None})
    try:
        ended = bisect(again, _Kept(), keep=lambda _: None)
    except _NotKept:
        # It was stopped, or was to make no more builds; then the steps there are must be those that come first.
        if document.result is not None and len(document.result.commits) == 1:
            found.append(_OTHER_RESULT)
        return found
    except (ValueError, KeyError) as fault:
        return [*found, f"The commits are no history: {fault}."]
    if document.result is not None and ended.result != document.result:
        found.append(_OTHER_RESULT)
    elif document.result is not None and ended.exit_code != document.exit_code:
        found.append("The exit code is not the one that the result gives.")
    return found


def _of_step(step: BisectionStep, document: Bisection) -> str | None:
    name = f"{step.role} {step.sha[:12]}"
    if step.measurement is None or step.judged is None:
        silent = step.measurement is None and step.verdict is None and step.build in {"failed", "none"}
        well = step.answer == "skip" if step.build == "failed" else True
        return None if silent and well else f"The step {name} has an answer and no measurement."
    told = (
        told_by_timing(step.measurement)
        if isinstance(step.measurement, ChangeMeasurement)
        else told_by(step.judged, step.measurement, step.suites, on=document.created_utc.date())
    )
    if told.verdict is not step.verdict or not _close(told.figure, step.figure):
        said = "no verdict" if step.verdict is None else step.verdict.value
        return f"The step {name} says {said}, and its measurement gives {told.verdict.value}."
    yardstick = document.method is not None and document.method.kind == "timing" and step.against is None
    given = {"good end": "good", "bad end": "unknown"}.get(step.role) if yardstick else told.answer.value
    return None if given == step.answer else f"The step {name} says {step.answer}, and its measurement gives {given}."


def _close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)
