"""Exact claims: every case that was expected must have passed. What did not run, or was skipped, did not pass; what the
subject could not be asked is no fault of its, and leaves the promise open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import CaseResult, LeftOut, SuiteRun
from nesproof.harness.judge.judgement import Judgement

__all__ = ["failed_cases", "judge_suite", "wrongly_left_out"]


def judge_suite(claim: Claim, run: SuiteRun) -> Judgement:
    """The verdict on an exact claim from a run of its suite.

    A failed case is FAIL; else a case without a result, broken, twice, unasked for, or a run that broke is ERROR;
    else nothing expected, or a skipped case, is NOT_MEASURED; else, where the subject could not be asked some of the
    claim's cases, INCONCLUSIVE: what it can be asked passed, and the promise is about more. Else PASS.
    The value is the share of all the claim's cases that passed.
    """
    expected = tuple(case for case in run.expected if fnmatchcase(case, claim.cases))
    left_out = tuple(left for left in run.cannot_run if fnmatchcase(left.id, claim.cases))
    results: dict[str, CaseResult] = {c.id: c for c in run.cases if fnmatchcase(c.id, claim.cases)}
    passed = sum(1 for case in expected if case in results and results[case].outcome == "passed")
    measured = f"{passed} of {counted(len(expected), 'case')} passed"
    if left_out:
        measured += f", {len(left_out)} it cannot run"
    value = passed / (len(expected) + len(left_out)) if expected else None

    def judgement(verdict: Verdict, reason: str) -> Judgement:
        return Judgement(verdict=verdict, reason=reason, measured=measured, value=value)

    if run.suite != claim.suite or run.subject != claim.subject:
        return judgement(Verdict.ERROR, f"The run is of {run.suite} on {run.subject}, not of what the claim names.")
    outcomes = {o: [c for c in expected if c in results and results[c].outcome == o] for o in _WORSE}
    if outcomes["failed"]:
        return judgement(Verdict.FAIL, _named("failed", outcomes["failed"]))
    repeated = [case for case, times in Counter(c.id for c in run.cases).items() if times > 1]
    if repeated:
        return judgement(Verdict.ERROR, _named("reported twice", repeated))
    unasked = [case for case in results if case not in expected]
    if unasked:
        return judgement(Verdict.ERROR, _named("reported without having been expected", unasked))
    both = [left.id for left in left_out if left.id in expected]
    if both:
        return judgement(Verdict.ERROR, _named("both asked and left out", both))
    if outcomes["error"]:
        return judgement(Verdict.ERROR, _named("broke before a verdict", outcomes["error"]))
    missing = [case for case in expected if case not in results]
    if missing:
        problem = f" {run.problem}" if run.problem else ""
        return judgement(Verdict.ERROR, _named("left no result", missing) + problem)
    if run.problem is not None:
        return judgement(Verdict.ERROR, f"The run of the suite broke: {run.problem}")
    if not expected:
        return judgement(Verdict.NOT_MEASURED, "No case was expected, and zero cases prove nothing.")
    if outcomes["skipped"]:
        return judgement(Verdict.NOT_MEASURED, _named("skipped, which is not passed", outcomes["skipped"]))
    if left_out:
        all_of = "The one case" if len(expected) == 1 else f"All {len(expected)} cases"
        return judgement(
            Verdict.INCONCLUSIVE,
            f"{all_of} that {run.subject} can be asked passed. {_left(left_out)}: the whole promise stays open.",
        )
    return judgement(
        Verdict.PASS, "The one case passed." if len(expected) == 1 else f"All {len(expected)} cases passed."
    )


def wrongly_left_out(run: SuiteRun, capabilities: Collection[str]) -> str | None:
    """Why the cases that a run left out are not those that a subject with these capabilities cannot be asked; or None.

    The words are those of `suite_run.asking`: "peek", "peek or frame", "no mapper:28".
    """
    for left in run.cannot_run:
        for word in left.lacks:
            if word.startswith("no "):
                is_true = word.removeprefix("no ") in capabilities
            else:
                is_true = not any(part in capabilities for part in re.split(" or | with ", word))
            if not is_true:
                return f"The case {left.id} is left out for {word!r}, which is not what {run.subject} declared."
    return None


def failed_cases(claim: Claim, run: SuiteRun) -> list[str]:
    """Ids of the claim's cases that failed."""
    return [case.id for case in run.cases if case.outcome == "failed" and fnmatchcase(case.id, claim.cases)]


_WORSE = ("failed", "error", "skipped")


def _left(left_out: tuple[LeftOut, ...]) -> str:
    words = list(dict.fromkeys(word for left in left_out for word in left.lacks))
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    return f"{counted(len(left_out), 'case')} it cannot be asked (wanted: {', '.join(words[:3])}{more})"


def _named(what: str, cases: list[str]) -> str:
    shown = ", ".join(cases[:5])
    more = f" and {len(cases) - 5} more" if len(cases) > 5 else ""
    return f"{len(cases)} {'case' if len(cases) == 1 else 'cases'} {what}: {shown}{more}."
