"""Before anything is measured: what answers each selected claim, and which cannot be answered here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nesproof.harness.claims.model import FIGURE_KINDS, Claim
from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import FailedMeasurement, NoMeasurement, RunRecord, UnavailableMeasurement
from nesproof.harness.gate.document import Absence
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.judge.order import Side
from nesproof.harness.probes.figures import FiguresPlan, capabilities_for
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.workloads import Workload, load_workload
from nesproof.roms_manifest.errors import RomError

__all__ = ["SIDES", "GatePlan", "TablePlan", "TimingJob", "make_gate_plan", "out_of_budget"]

GPU_LANES = 8192
"""Consoles of a timing on a GPU where a claim does not say."""
SIDES: tuple[Side, ...] = ("baseline", "candidate")


@dataclass
class TablePlan:
    """A table of figures, filled for both builds."""

    id: str
    subject: str
    figures: dict[Side, FiguresPlan]
    claims: list[Claim]

    @property
    def kind(self) -> str:
        """The kind of its claims."""
        return self.claims[0].kind


@dataclass
class TimingJob:
    """One before/after, which may answer several claims."""

    id: str
    subject: str
    workload: Workload
    run: RunRecord
    claims: list[Claim] = field(default_factory=list)


@dataclass
class GatePlan:
    """`exact` are claims of suites; `answered` those for which nothing can be measured here."""

    exact: list[Claim] = field(default_factory=list)
    tables: list[TablePlan] = field(default_factory=list)
    timings: list[TimingJob] = field(default_factory=list)
    answered: dict[str, Absence] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The plan in words, a line for each thing that is measured."""
        lines = [f"On the head: {claim.id} (suite {claim.suite})." for claim in self.exact]
        lines += [f"On both builds: {t.kind} of {t.subject} for {_ids(t.claims)}." for t in self.tables]
        lines += [f"To be timed where the code differs: {t.id} for {_ids(t.claims)}." for t in self.timings]
        return lines + [f"Not measurable here: {claim_id}." for claim_id in self.answered]


def make_gate_plan(
    claims: Sequence[Claim], order: GateOrder, *, requirements: Requirements, introductions: Introductions
) -> GatePlan:
    """Plan every claim; one whose own data is at fault is answered as broken and takes no other down."""
    plan = GatePlan()
    for claim in claims:
        try:
            absence = _plan_claim(claim, plan, order, requirements, introductions)
        except (HarnessError, RomError, OSError, ValueError) as fault:
            absence = FailedMeasurement(stage="Planning", reason=str(fault)[:60_000])
        if absence is not None:
            plan.answered[claim.id] = absence
    return plan


def _plan_claim(
    claim: Claim, plan: GatePlan, order: GateOrder, requirements: Requirements, introductions: Introductions
) -> Absence | None:
    if claim.kind == "exact":
        plan.exact.append(claim)  # the suites' own plan looks for what they need
        return None
    workload = None if claim.workload is None else load_workload(claim.workload)
    files = () if workload is None else workload.needed_files
    # A ratio's other side is not run: a change is timed against itself.
    needs = [r for r in claim.requires if claim.kind != "ratio" or not r.startswith("subject:")]
    absence: Absence | None = requirements.missing(needs, rom_ids=files)
    names = order.subjects[claim.subject]
    for side in SIDES:
        absence = absence or introductions.absence(names[side], promised=not _is_optional(claim))
    if absence is not None:
        return absence
    if claim.kind in {"ratio", "absolute"}:
        assert workload is not None
        choice = claim.candidate_run if claim.kind == "ratio" else _gpu_choice(claim)
        return _plan_timing(claim, choice, workload, plan, names, introductions)
    assert claim.kind in FIGURE_KINDS
    return _plan_table(claim, workload, plan, names, introductions)


def _is_optional(claim: Claim) -> bool:
    return f"subject:{claim.subject}" in claim.requires


def _gpu_choice(claim: Claim) -> RunChoice:
    lanes, draw = claim.where.get("num_envs"), claim.where.get("draw", "none")
    return RunChoice.model_validate(
        {"num_envs": lanes if isinstance(lanes, int) else GPU_LANES, "draw": draw if isinstance(draw, str) else "none"}
    )


def _plan_timing(  # noqa: PLR0917
    claim: Claim,
    choice: RunChoice,
    workload: Workload,
    plan: GatePlan,
    names: Mapping[Side, str],
    introductions: Introductions,
) -> Absence | None:
    run = run_of(choice, workload)
    for side in SIDES:
        batches = not introductions.lacking(names[side], ("batch",))
        needed = options_of(run, workload).needed(holds_batches=batches)
        lacking = introductions.lacking(names[side], ("timing", "ram", f"draw:{run.draw}", *needed))
        if lacking:
            return _incapable(claim.subject, side, lacking)
    job = next(
        (j for j in plan.timings if (j.subject, j.workload.key, j.run) == (claim.subject, workload.key, run)), None
    )
    if job is None:
        job = TimingJob(_name(claim.subject, workload, run), claim.subject, workload, run)
        plan.timings.append(job)
    job.claims.append(claim)
    return None


def _plan_table(
    claim: Claim,
    workload: Workload | None,
    plan: GatePlan,
    names: Mapping[Side, str],
    introductions: Introductions,
) -> Absence | None:
    for side in SIDES:
        lacking = introductions.lacking(names[side], capabilities_for(claim.kind))
        if lacking:
            return _incapable(claim.subject, side, lacking)
    key = "" if workload is None else workload.key
    table_id = f"{claim.kind} of {claim.subject}{f', {key}' if key else ''}"
    table = next((t for t in plan.tables if t.id == table_id), None)
    if table is None:
        figures = {side: FiguresPlan(claim.kind, names[side], workload) for side in SIDES}
        table = TablePlan(table_id, claim.subject, figures, [])
        plan.tables.append(table)
    table.claims.append(claim)
    for side in SIDES:
        table.figures[side].claims.append(claim)
    return None


def _name(subject: str, workload: Workload, run: RunRecord) -> str:
    words = [f"draw {run.draw}"]
    words += [f"{run.num_envs} consoles"] if run.num_envs > 1 else []
    words += [f"{run.threads} threads"] if run.threads > 1 else []
    words += [] if run.idle_skipping else ["idle skipping off"]
    words += [f"{run.frame_skip} frames a call"] if run.draw == "none" and run.frame_skip not in {1, 4} else []
    return f"{subject}, {workload.key}, {', '.join(words)}"


def _incapable(subject: str, side: Side, lacking: list[str]) -> Absence:
    what = ", ".join(lacking)
    if side == "candidate":
        reason = f"{subject} of the head does not offer what the claim needs: {what}."
        return FailedMeasurement(stage="Planning", reason=reason)
    return UnavailableMeasurement(
        missing=f"capability:{lacking[0]}"[:200],
        reason=f"{subject} of the base does not offer what the claim needs: {what}.",
        remedy=None,
    )


def _ids(claims: Sequence[Claim]) -> str:
    return ", ".join(claim.id for claim in claims)


def out_of_budget(needed_s: float, left_s: float) -> NoMeasurement:
    """Why a timing is left out."""
    left = f"{max(left_s, 0) / 60:.1f} minutes of the budget are left, and a larger --budget leaves more"
    return NoMeasurement(reason=f"Its first look needs about {needed_s / 60:.1f} minutes; {left}.")
