"""What is run for the pairs: one suite run, one table or one timing for each fault and subject, whatever it answers."""

from __future__ import annotations

from dataclasses import dataclass, field

from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import UnavailableMeasurement
from nesproof.harness.falsify.hooks import Hooks
from nesproof.harness.falsify.pairs import Pair, narrowed_cases
from nesproof.harness.falsify.variants import why_not_plantable
from nesproof.harness.faults.model import Fault
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.runner.plan import Plan, TimingPlan
from nesproof.harness.suite_run import SuiteDefinition, expected_cases
from nesproof.harness.workloads import Workload

__all__ = ["FiguresTrial", "SuiteTrial", "TimingTrial", "Trials", "add_sole_killers", "make_trials"]

_IN_TIME_ALONE = "It shows in time alone, and a quick run times nothing; --profile full does."


@dataclass
class SuiteTrial:
    """A suite on a subject with a fault. `wanted` are the cases; with `to_the_end` no case is left out once all is
    answered, since nothing else may fail."""

    fault: Fault
    definition: SuiteDefinition
    subject: str
    claims: list[Claim] = field(default_factory=list)
    wanted: set[str] = field(default_factory=set)
    to_the_end: bool = False

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases in the suite's order."""
        return tuple(case.id for case in self.definition.cases if case.id in self.wanted)


@dataclass
class FiguresTrial:
    """A table of figures of a subject with a fault."""

    fault: Fault
    table: FiguresPlan
    claims: list[Claim] = field(default_factory=list)


@dataclass(frozen=True)
class TimingTrial:
    """A timing whose candidate has a fault."""

    fault: Fault
    timing: TimingPlan


@dataclass
class Trials:
    """All that is run. `not_tried` are the pairs that cannot be, each with one sentence why; `sole` are the suites that
    must not see a fault which another one alone should see."""

    suites: list[SuiteTrial] = field(default_factory=list)
    figures: list[FiguresTrial] = field(default_factory=list)
    timings: list[TimingTrial] = field(default_factory=list)
    sole: list[SuiteTrial] = field(default_factory=list)
    not_tried: dict[tuple[str, str], str] = field(default_factory=dict)


def make_trials(pairs: tuple[Pair, ...], plan: Plan, hooks: Hooks, *, is_timed: bool) -> Trials:
    """Group the pairs; `plan` says how each claim is measured. `is_timed` says whether the run times anything."""
    trials = Trials()
    suites = {claim.id: suite for suite in plan.suites for claim in suite.claims}
    tables = {claim.id: table for table in plan.figures for claim in table.claims}
    timings = {timing.claim.id: timing for timing in plan.timings}
    for pair in pairs:
        claim, fault = pair.claim, pair.fault
        obstacle = _obstacle(pair, plan, hooks, is_timed=is_timed)
        if obstacle is not None:
            trials.not_tried[pair.key] = obstacle
        elif claim.id in suites:
            trial = _suite_trial(trials.suites, fault, suites[claim.id].definition, claim.subject)
            trial.claims.append(claim)
            trial.wanted.update(narrowed_cases(pair, trial.definition))
        elif claim.id in tables:
            table = tables[claim.id]
            _figures_trial(trials.figures, fault, table.workload, claim).claims.append(claim)
        elif claim.id in timings:
            trials.timings.append(TimingTrial(fault, timings[claim.id]))
        else:
            trials.not_tried[pair.key] = "Nothing is planned for this claim."
    return trials


def add_sole_killers(trials: Trials, plan: Plan) -> None:
    """Try each fault that one suite alone should see on the other suites' claims about the same subjects. Claims that
    only the full profile makes repeat the quick ones for longer, and are left out."""
    for fault_id in dict.fromkeys(trial.fault.id for trial in trials.suites if trial.fault.only_suite is not None):
        own = [t for t in trials.suites if t.fault.id == fault_id]
        for subject in dict.fromkeys(trial.subject for trial in own):
            for suite in plan.suites:
                if suite.subject != subject or suite.definition.name == own[0].fault.only_suite:
                    continue
                trial = SuiteTrial(own[0].fault, suite.definition, subject, to_the_end=True)
                for claim in suite.claims:
                    if "quick" in claim.profiles:
                        trial.claims.append(claim)
                        trial.wanted.update(expected_cases(suite.definition, claim.cases))
                if trial.claims:
                    trials.sole.append(trial)


def _obstacle(pair: Pair, plan: Plan, hooks: Hooks, *, is_timed: bool) -> str | None:
    claim, fault = pair.claim, pair.fault
    answered = plan.answered.get(claim.id)
    if answered is not None:
        reason = str(getattr(answered, "reason", ""))
        remedy = answered.remedy if isinstance(answered, UnavailableMeasurement) else None
        return f"The claim cannot be measured here: {reason}" + (f" Remedy: {remedy}" if remedy else "")
    if fault.means == "hook" and hooks.folder is None:
        return hooks.missing or "There is no build with hooks."
    if claim.kind == "ratio" and fault.shows_in_time_alone and not is_timed:
        return _IN_TIME_ALONE
    return why_not_plantable(claim.subject, fault)


def _suite_trial(known: list[SuiteTrial], fault: Fault, definition: SuiteDefinition, subject: str) -> SuiteTrial:
    for trial in known:
        if (trial.fault.id, trial.definition.name, trial.subject) == (fault.id, definition.name, subject):
            return trial
    known.append(SuiteTrial(fault, definition, subject))
    return known[-1]


def _figures_trial(known: list[FiguresTrial], fault: Fault, workload: Workload | None, claim: Claim) -> FiguresTrial:
    for trial in known:
        if trial.fault.id == fault.id and trial.table.answers(claim):
            return trial
    known.append(FiguresTrial(fault, FiguresPlan(claim.kind, claim.subject, workload)))
    return known[-1]
