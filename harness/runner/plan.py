"""Before anything runs: which suite runs and timings answer the selected claims, and which cannot be answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nesproof.harness.claims.model import FIGURE_KINDS, Claim
from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import (
    FailedMeasurement,
    LeftOut,
    Measurement,
    NoMeasurement,
    UnavailableMeasurement,
)
from nesproof.harness.mustpass import load_list
from nesproof.harness.probes.figures import FiguresPlan, capabilities_for, needs_reference
from nesproof.harness.probes.lanes import REFERENCE
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selected
from nesproof.harness.suite_run import SuiteCase, SuiteDefinition, expected_cases, lacking, load_suite
from nesproof.harness.workloads import Workload, load_workload
from nesproof.roms_manifest import load_manifest
from nesproof.roms_manifest.errors import RomError

__all__ = ["Plan", "SuitePlan", "TimingPlan", "make_plan"]


@dataclass
class SuitePlan:
    """One run of a suite on a subject that answers several claims; `cases` is their union in the suite's order.

    `left_out` are cases of these claims that a stand-in cannot be asked, and what it lacks for each.
    """

    definition: SuiteDefinition
    subject: str
    claims: list[Claim] = field(default_factory=list)
    wanted: set[str] = field(default_factory=set)
    left_out: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def cases(self) -> tuple[str, ...]:
        """The expected set of the run."""
        return tuple(case.id for case in self.definition.cases if case.id in self.wanted)

    @property
    def cannot_run(self) -> tuple[LeftOut, ...]:
        """The cases that are left out, in the suite's order."""
        return tuple(
            LeftOut(id=case.id, lacks=self.left_out[case.id])
            for case in self.definition.cases
            if case.id in self.left_out
        )

    @property
    def rom_ids(self) -> tuple[str, ...]:
        """The programs that its cases use."""
        return tuple(
            dict.fromkeys(rom for case in self.definition.cases if case.id in self.wanted for rom in case.roms)
        )


@dataclass(frozen=True)
class TimingPlan:
    """One timed claim. `baseline_workload` is what its baseline plays where that is another workload."""

    claim: Claim
    workload: Workload
    baseline_workload: Workload | None = None

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """What is played."""
        return (self.workload,) if self.baseline_workload is None else (self.workload, self.baseline_workload)


@dataclass
class Plan:
    """`answered` are the claims that are already settled because nothing can be measured for them."""

    suites: list[SuitePlan] = field(default_factory=list)
    figures: list[FiguresPlan] = field(default_factory=list)
    timings: list[TimingPlan] = field(default_factory=list)
    answered: dict[str, Measurement] = field(default_factory=dict)

    def suite(self, definition: SuiteDefinition, subject: str) -> SuitePlan:
        """The plan's run of that suite on that subject, which is added where there is none."""
        for suite in self.suites:
            if (suite.definition.name, suite.subject) == (definition.name, subject):
                return suite
        self.suites.append(SuitePlan(definition, subject))
        return self.suites[-1]


def make_plan(selected: tuple[Selected, ...], *, requirements: Requirements, introductions: Introductions) -> Plan:
    """Plan every selected claim; a claim whose own data is at fault is answered as broken and takes no other down."""
    plan = Plan()
    for item in selected:
        try:
            absence = _plan_claim(item, plan, requirements, introductions)
        except (HarnessError, RomError, OSError, ValueError) as fault:
            absence = FailedMeasurement(stage="Planning", reason=str(fault)[:60_000])
        if absence is not None:
            plan.answered[item.claim.id] = absence
    for subject in dict.fromkeys(item.claim.subject for item in selected if item.substituted):
        if subject in introductions.records:
            _note_what_cannot_be_asked(subject, plan, introductions)
    return plan


def _note_what_cannot_be_asked(subject: str, plan: Plan, introductions: Introductions) -> None:
    """Of the must-pass list, what a stand-in cannot be asked, whatever is selected: it is counted by that list."""
    for name in load_list().suites:
        definition = load_suite(name)
        listed = [definition[case.id] for case in load_list().case if case.suite == name]
        left_out = _lacks(definition, listed, subject, introductions, stands_in=True)
        if left_out:
            plan.suite(definition, subject).left_out.update(left_out)


def _plan_claim(
    item: Selected, plan: Plan, requirements: Requirements, introductions: Introductions
) -> Measurement | None:
    claim = item.claim
    if claim.kind == "exact":
        assert claim.suite is not None
        return _plan_suite(item, load_suite(claim.suite), plan, requirements, introductions)
    if claim.kind == "ratio":
        assert claim.workload is not None
        return _plan_timing(item, load_workload(claim.workload), plan, requirements, introductions)
    assert claim.kind in FIGURE_KINDS
    return _plan_figures(item, plan, requirements, introductions)


def _plan_suite(
    item: Selected,
    definition: SuiteDefinition,
    plan: Plan,
    requirements: Requirements,
    introductions: Introductions,
) -> Measurement | None:
    claim = item.claim
    cases = expected_cases(definition, claim.cases)
    if not cases:
        return NoMeasurement(reason=f"No case of suite {definition.name} matches {claim.cases!r}.")
    chosen = [definition[case] for case in cases]
    lacks: dict[str, tuple[str, ...]] = {}

    def incapacity() -> Measurement | None:
        lacks.update(_lacks(definition, chosen, claim.subject, introductions, stands_in=True))
        return None if len(lacks) < len(chosen) else _incapable(claim.subject, _words(lacks), item)

    absence = _stand_in_absence(item, introductions, incapacity)
    chosen = [case for case in chosen if case.id not in lacks]
    rom_ids = tuple(dict.fromkeys(rom for case in chosen for rom in case.roms))
    absence = absence or requirements.missing((*claim.requires, *definition.requires), rom_ids=rom_ids)
    for name in dict.fromkeys((claim.subject, *(case.against for case in chosen if case.against is not None))):
        absence = absence or _subject_absence(name, item, introductions)
    if absence is not None:
        return absence
    if not item.substituted and (own := _lacks(definition, chosen, claim.subject, introductions)):
        return _incapable(claim.subject, _words(own), item)
    suite = plan.suite(definition, claim.subject)
    suite.claims.append(claim)
    suite.wanted.update(case.id for case in chosen)
    suite.left_out.update(lacks)
    return None


def _lacks(
    definition: SuiteDefinition,
    cases: list[SuiteCase],
    subject: str,
    introductions: Introductions,
    *,
    stands_in: bool = False,
) -> dict[str, tuple[str, ...]]:
    """What the subject lacks, by case; a case that it can be asked is not in it."""
    capabilities, manifest = introductions.records[subject].capabilities, load_manifest()
    found = {}
    for case in cases:
        lacks = lacking(definition, case, capabilities, manifest=manifest)
        if stands_in and case.against == subject:
            lacks += (f"another subject than {subject}",)
        if lacks:
            found[case.id] = lacks
    return found


def _words(lacks: dict[str, tuple[str, ...]]) -> list[str]:
    return list(dict.fromkeys(word for words in lacks.values() for word in words))


def _plan_timing(
    item: Selected, workload: Workload, plan: Plan, requirements: Requirements, introductions: Introductions
) -> Measurement | None:
    claim = item.claim
    assert claim.baseline is not None
    other = None if claim.baseline_workload is None else load_workload(claim.baseline_workload)
    timing = TimingPlan(claim, workload, other)
    files = tuple(dict.fromkeys(name for one in timing.workloads for name in one.needed_files))

    def incapacity(name: str, choice: RunChoice, played: Workload) -> Measurement | None:
        run = run_of(choice, played)
        batches = not introductions.lacking(name, ("batch",))
        needed = options_of(run, played).needed(holds_batches=batches)
        lacking = introductions.lacking(name, ("timing", "ram", f"draw:{run.draw}", *needed))
        return _incapable(name, lacking, item) if lacking else None

    sides = ((claim.subject, claim.candidate_run, workload), (claim.baseline, claim.baseline_run, other or workload))
    absence = _stand_in_absence(item, introductions, lambda: incapacity(*sides[0]))
    absence = absence or requirements.missing(claim.requires, rom_ids=files)
    for name in (REFERENCE, claim.subject, claim.baseline):
        absence = absence or _subject_absence(name, item, introductions)
    for side in sides:
        absence = absence or incapacity(*side)
    if absence is not None:
        return absence
    plan.timings.append(timing)
    return None


def _plan_figures(
    item: Selected, plan: Plan, requirements: Requirements, introductions: Introductions
) -> Measurement | None:
    claim = item.claim
    workload = None if claim.workload is None else load_workload(claim.workload)
    files = () if workload is None else workload.needed_files

    def incapacity() -> Measurement | None:
        lacking = introductions.lacking(claim.subject, capabilities_for(claim.kind))
        return _incapable(claim.subject, lacking, item) if lacking else None

    absence = _stand_in_absence(item, introductions, incapacity)
    absence = absence or requirements.missing(claim.requires, rom_ids=files)
    for name in (claim.subject, *((REFERENCE,) if needs_reference(claim.kind) else ())):
        absence = absence or _subject_absence(name, item, introductions)
    absence = absence or incapacity()
    if absence is not None:
        return absence
    table = next((f for f in plan.figures if f.answers(claim)), None)
    if table is None:
        table = FiguresPlan(claim.kind, claim.subject, workload)
        plan.figures.append(table)
    table.claims.append(claim)
    return None


def _stand_in_absence(
    item: Selected, introductions: Introductions, incapacity: Callable[[], Measurement | None]
) -> Measurement | None:
    """Why a stand-in is not asked: it is not here, or cannot do what the claim wants (`incapacity`).

    What it is not asked needs no programs, packages or other subjects, so that this comes before all other absences.
    """
    if not item.substituted:
        return None
    return _subject_absence(item.claim.subject, item, introductions) or incapacity()


def _subject_absence(name: str, item: Selected, introductions: Introductions) -> Measurement | None:
    optional = f"subject:{name}" in item.claim.requires or (item.substituted and name == item.claim.subject)
    return introductions.absence(name, promised=not optional)


def _incapable(name: str, lacking: list[str], item: Selected) -> Measurement:
    what = ", ".join(lacking)
    if item.substituted and name == item.claim.subject:
        return UnavailableMeasurement(
            missing=f"capability:{lacking[0]}"[:200], reason=f"{name} does not offer: {what}.", remedy=None
        )
    # A claim about this very subject that the subject cannot be asked about is a fault, not an absence.
    return FailedMeasurement(stage="Planning", reason=f"{name} does not offer what the claim needs: {what}.")
