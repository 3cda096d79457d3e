"""What became of a planted fault: killed only where the claim that names it fails by its own assertion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.falsification import BuildKind, Control, Falsification, PairOutcome, faulty_name
from nesproof.harness.evidence.measurements import FiguresMeasurement, Measurement, SuiteMeasurement, SuiteRun
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.judgement import Judgement

__all__ = [
    "PairJudgement",
    "build_of",
    "control_holds",
    "control_of",
    "faulty_claim",
    "judge_pair",
    "verdicts_of_falsification",
]

_MESSAGE_CHARACTERS = 2_000


@dataclass(frozen=True)
class PairJudgement:
    """The outcome of a pair with the judge's verdict on the claim while the fault was on."""

    outcome: PairOutcome
    verdict: Verdict
    reason: str
    case: str | None = None
    assertion: str | None = None


def faulty_claim(claim: Claim, fault: str) -> Claim:
    """The claim about its subject with the fault in it."""
    return claim.model_copy(update={"subject": faulty_name(claim.subject, fault)})


def judge_pair(
    claim: Claim,
    fault: str,
    measurement: Measurement,
    suites: Mapping[str, SuiteRun],
    *,
    on: date,
    hooks: Measurement | None = None,
    installed: Measurement | None = None,
) -> PairJudgement:
    """Judge the claim on what was measured with the fault on.

    `hooks` and `installed` are the measurements of the claim without a fault, in the build with hooks and in the
    installed one: what the hooks themselves cost in instructions is taken off before the threshold is applied. A waiver
    that lets the claim through lets the fault through as well: it survives.
    """
    if claim.kind == "instructions":
        measurement = _without_hooks(measurement, hooks, installed)
    judged = judge_claim(faulty_claim(claim, fault), measurement, suites, on=on)
    if judged.verdict is Verdict.FAIL:
        case, message = _first_case(claim, measurement, suites, {"failed"})
        return PairJudgement("killed", judged.verdict, judged.reason, case, message)
    timed_a_block = claim.kind == "ratio" and bool(getattr(measurement, "samples", ()))
    broke = judged.verdict is Verdict.ERROR or (judged.verdict is Verdict.NOT_MEASURED and not timed_a_block)
    if not broke:
        return PairJudgement("survived", judged.verdict, judged.reason)
    case, message = _first_case(claim, measurement, suites, {"error", "skipped"})
    return PairJudgement("broken", judged.verdict, judged.reason, case, message)


def build_of(claim: Claim, means: str, *, has_hooks: bool) -> BuildKind:
    """The build in which a fault is tried on a claim, and in which the claim's control is measured.

    Every suite of a run with hooks, with a fault or without, runs in the build with hooks; figures and timings do where
    the fault is a hook.
    """
    return "hooks" if means == "hook" or (claim.kind == "exact" and has_hooks) else "installed"


def control_holds(claim: Claim, judged: Judgement, *, build: BuildKind) -> bool:
    """Whether the claim stands with no fault on, so that its failing with one says something.

    Hooks cost instructions of their own: with them a count need only have been made. Timed frames need only have been
    the right ones: whether they were quick enough is the claim's own verdict.
    """
    if claim.kind == "ratio":
        return judged.verdict not in {Verdict.FAIL, Verdict.ERROR} and judged.value is not None
    if claim.kind == "instructions" and build == "hooks":
        return judged.value is not None
    return judged.verdict in {Verdict.PASS, Verdict.WAIVED}


def verdicts_of_falsification(falsification: Falsification) -> list[Verdict]:
    """What the trials add to the verdicts of a run: a control that does not hold is an error; without any trial, or
    without a build for the hooks, something is not measured.
    """
    found = []
    for control in falsification.controls:
        if not control.holds:
            found.append(Verdict.FAIL if control.verdict is Verdict.FAIL else Verdict.ERROR)
        elif control.claim in falsification.states_only:
            found.append(Verdict.PASS)
    # Without a build to plant them in, faults that were asked for are left: that is no answer.
    if falsification.hooks_missing is not None or all(pair.outcome == "not-tried" for pair in falsification.pairs):
        found.append(Verdict.NOT_MEASURED)
    return found


def control_of(controls: Iterable[Control], claim_id: str, build: BuildKind) -> Control | None:
    """The control of a claim in a build."""
    return next((c for c in controls if (c.claim, c.build) == (claim_id, build)), None)


def _first_case(
    claim: Claim, measurement: Measurement, suites: Mapping[str, SuiteRun], outcomes: set[str]
) -> tuple[str | None, str | None]:
    run = suites.get(measurement.run) if isinstance(measurement, SuiteMeasurement) else None
    for case in run.cases if run is not None else ():
        if case.outcome in outcomes and fnmatchcase(case.id, claim.cases):
            return case.id[:200], case.message[:_MESSAGE_CHARACTERS]
    return None, None


def _without_hooks(faulty: Measurement, hooks: Measurement | None, installed: Measurement | None) -> Measurement:
    """Each figure of the faulty table, times what the installed build takes of what the build with hooks does."""
    tables = (faulty, hooks, installed)
    if not all(isinstance(table, FiguresMeasurement) for table in tables):
        return faulty
    assert isinstance(faulty, FiguresMeasurement)
    assert isinstance(hooks, FiguresMeasurement)
    assert isinstance(installed, FiguresMeasurement)
    rows = []
    for row in faulty.rows:
        with_hooks = next((r.figures for r in hooks.rows if r.labels == row.labels), {})
        without = next((r.figures for r in installed.rows if r.labels == row.labels), {})
        figures = {
            name: value * without[name] / with_hooks[name] if without.get(name) and with_hooks.get(name) else value
            for name, value in row.figures.items()
        }
        rows.append(row.model_copy(update={"figures": figures}))
    return faulty.model_copy(update={"rows": tuple(rows)})
