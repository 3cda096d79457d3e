"""The ends, proved before anything is searched: the good one is good, the bad one bad, and how the two are told apart.

Where they are not what they are said to be, one sentence says so, with the exit code that fits.
"""

from __future__ import annotations

from nesproof.harness.bisect.asking import Asking
from nesproof.harness.bisect.history import Commit, History
from nesproof.harness.bisect.method import by_figure, by_timing, by_verdict, counted_claim, in_words
from nesproof.harness.bisect.probe import Told, told_by
from nesproof.harness.bisect.search import Answer
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode, Verdict
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.bisection import BisectionMethod, BisectionStep, StepRole
from nesproof.harness.evidence.model import UnavailableMeasurement

__all__ = ["EndsUnproven", "prove_ends"]

_CODES = {
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    Verdict.ERROR: ExitCode.ERROR,
    Verdict.NOT_APPLICABLE: ExitCode.NOT_MEASURED,
    Verdict.NOT_MEASURED: ExitCode.NOT_MEASURED,
}


_MOST_LINES = 20


class EndsUnproven(HarnessError):
    """The good end is not good, the bad one not bad, or that cannot be told here; nothing was searched.

    The exit code is 2 where other ends must be named, 5 where an end does not build or the measuring broke, 3 where
    noise allows no answer, 6 where the claim cannot be measured here.
    """

    def __init__(self, message: str, exit_code: ExitCode) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def prove_ends(asking: Asking, history: History) -> BisectionMethod:
    """How commits are told apart, which the ends decide.

    Raises:
        EndsUnproven: nothing tells the ends apart.
    """
    if asking.document.method is not None:
        return asking.document.method
    claim, good, bad = asking.document.claim, history.good, history.commits[-1]
    judged = counted_claim(claim)
    at_good = _end(asking, "good end", good, judged)
    if claim.kind == "exact":
        _require(claim, at_good, "good")
        _require(claim, _end(asking, "bad end", bad, judged), "bad")
        return _settled(asking, by_verdict(claim))
    if claim.kind == "ratio" and at_good.figure is None:
        return _by_timing(asking, history, f"What a frame costs cannot be counted here: {at_good.reason}")
    at_bad = _end(asking, "bad end", bad, judged)
    method = by_figure(claim, judged, _told(at_good), _told(at_bad))
    if isinstance(method, BisectionMethod):
        return _settled(asking, method)
    if claim.kind == "ratio":
        return _by_timing(asking, history, method)
    for step, wanted in ((at_good, "good"), (at_bad, "bad")):
        if step.figure is None:
            _require(claim, step, wanted)
    raise EndsUnproven(f"{method} {claim.id} parts no commits between these ends; name others.", ExitCode.USAGE)


def _end(asking: Asking, role: StepRole, commit: Commit, judged: Claim) -> BisectionStep:
    asking.tell(f"Proving the {role}, {commit.name}.")
    step = asking.asked(role, commit, judged)
    if step.build == "failed":
        for line in step.reason.splitlines()[1:][-_MOST_LINES:]:
            asking.tell(f"    {line}")
        raise EndsUnproven(
            f"The {role}, {step.sha[:12]}, does not build, as the compiler says above; name an end that does.",
            ExitCode.ERROR,
        )
    return step


def _by_timing(asking: Asking, history: History, why: str) -> BisectionMethod:
    claim, bad = asking.document.claim, history.commits[-1]
    asking.tell(why)
    asking.tell(f"Timing the bad end, {bad.name}, against the good end.")
    step = asking.asked("bad end", bad, claim, against=history.good)
    _require(claim, step, "bad")
    return _settled(asking, by_timing(claim, why))


def _require(claim: Claim, step: BisectionStep, wanted: str) -> None:
    """See that the end answered as it must."""
    if step.answer == wanted:
        return
    end = f"The {wanted} end, {step.sha[:12]},"
    if step.answer in {"good", "bad"}:
        how = "fails" if wanted == "good" else "does not fail" if step.against is None else "is not slower"
        other = "an older --good" if wanted == "good" else "another --bad"
        raise EndsUnproven(f"{end} {how}: {step.reason} Name {other} for {claim.id}.", ExitCode.USAGE)
    remedy = step.measurement.remedy if isinstance(step.measurement, UnavailableMeasurement) else None
    verdict = Verdict.ERROR if step.verdict is None else step.verdict
    # Frames that differ are a FAIL of the timing, and say nothing about speed.
    code = _CODES.get(verdict, ExitCode.INCONCLUSIVE)
    raise EndsUnproven(
        f"{end} gives no answer ({verdict.value}): {step.reason}{'' if remedy is None else f' Remedy: {remedy}'}", code
    )


def _settled(asking: Asking, method: BisectionMethod) -> BisectionMethod:
    """Keep the method, and judge the ends by what parts good from bad, which is known only now."""
    steps = []
    for step in asking.document.steps:
        fields: dict[str, object] = {}
        if method.kind == "timing" and step.against is None:
            is_good = step.role == "good end"
            words = "Commits are timed against it." if is_good else "The figure does not tell it from the good end."
            fields = {"answer": "good" if is_good else "unknown", "reason": f"{words} {step.reason}"}
        elif method.kind == "figure" and step.measurement is not None:
            told = told_by(method.judged, step.measurement, step.suites, on=asking.day)
            fields = {"answer": told.answer.value, "reason": in_words(method, told), "verdict": told.verdict}
            fields |= {"measured": told.measured, "judged": method.judged}
        steps.append(step.model_copy(update=fields))
    asking.update(method=method, steps=tuple(steps))
    return method


def _told(step: BisectionStep) -> Told:
    return Told(Answer(step.answer), step.verdict or Verdict.ERROR, step.reason, step.measured, step.figure)
