"""From what was measured to the gate's verdicts: pure, so that `nesproof gate --check` derives each anew.

A verdict rests on the base's claim and on raw samples alone; what it was before the gate is of no account.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import (
    ChangeMeasurement,
    FailedMeasurement,
    FiguresMeasurement,
    Measurement,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.gate.code import differing_parts
from nesproof.harness.gate.document import Absence, Fingerprint, GateClaim, GateDocument, RevisionRecord, Table, Timing
from nesproof.harness.gate.figures import compare_figures
from nesproof.harness.gate.outcome import GateVerdict
from nesproof.harness.gate.references import rested_on_oracles
from nesproof.harness.judge.change import ChangeJudgement, judge_change
from nesproof.harness.judge.claim import judge_claim

__all__ = ["Ground", "ground_of", "judged", "rejudged"]

_BROKEN_BEFORE = "the base breaks the claim already"
_UNITS = {"registers": "registers", "instructions_per_frame": "instructions a frame"}


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What verdicts rest on. `on` is the day on which waivers must hold."""

    baseline: RevisionRecord
    candidate: RevisionRecord
    baseline_code: Fingerprint | None
    candidate_code: Fingerprint | None
    on_path: Mapping[str, Sequence[str]]
    timings: Mapping[str, Timing]
    tables: Mapping[str, Table]
    suites: Mapping[str, SuiteRun]
    suites_of_base: Mapping[str, SuiteRun]
    on: date


def ground_of(document: GateDocument) -> Ground:
    """What the verdicts of a document rest on."""
    return Ground(
        baseline=document.baseline,
        candidate=document.candidate,
        baseline_code=document.baseline_code,
        candidate_code=document.candidate_code,
        on_path=document.on_path,
        timings={timing.id: timing for timing in document.timings},
        tables={table.id: table for table in document.tables},
        suites={run.id: run for run in document.suites},
        suites_of_base={run.id: run for run in document.suites_of_base},
        on=document.created_utc.date(),
    )


def judged(record: GateClaim, ground: Ground) -> GateClaim:
    """The record with the verdict, the words and the figures that follow from what it names."""
    if record.verdict is GateVerdict.NOT_SELECTED and (record.timing, record.table, record.measurement) == (None,) * 3:
        return record
    bare = GateClaim(
        claim=record.claim,
        verdict=GateVerdict.NOT_MEASURED,
        reason="Nothing was measured.",
        rerun=record.rerun,
        timing=record.timing,
        table=record.table,
        measurement=record.measurement,
        measurement_of_base=record.measurement_of_base,
    )
    if record.claim.kind == "exact":
        return _exact(bare, ground)
    if record.table is not None and record.table in ground.tables:
        return _counted(bare, ground.tables[record.table], ground)
    if record.timing is not None and record.timing in ground.timings:
        return _timed(bare, ground.timings[record.timing])
    if isinstance(record.measurement, Absence):
        return _absent(bare, record.measurement)
    return _untouched(bare, ground)


def _untouched(record: GateClaim, ground: Ground) -> GateClaim:
    """Nothing was measured: right where nothing that decides the figure differs, and only there."""
    differing = differing_parts(record.claim, ground)
    if differing:
        return record.model_copy(update={"reason": f"Nothing was measured, although {differing[0]} differs."})
    reason = "The machine code, the Python on its path and all that it is run with are the same in both builds."
    return record.model_copy(update={"verdict": GateVerdict.UNCHANGED, "reason": reason})


def _absent(record: GateClaim, absence: Absence) -> GateClaim:
    if isinstance(absence, UnavailableMeasurement):
        update = {"verdict": GateVerdict.NOT_APPLICABLE, "reason": absence.reason, "remedy": absence.remedy}
        return record.model_copy(update=update)
    if isinstance(absence, FailedMeasurement):
        reason = f"{absence.stage} broke: {absence.reason}"
        return record.model_copy(update={"verdict": GateVerdict.ERROR, "reason": reason})
    return record.model_copy(update={"verdict": GateVerdict.NOT_MEASURED, "reason": absence.reason})


# --- Exact claims ----------------------------------------------------------------------------------------------------


def _exact(record: GateClaim, ground: Ground) -> GateClaim:
    if record.measurement is None:
        return record
    found = judge_claim(record.claim, record.measurement, ground.suites, on=ground.on)
    missing = record.measurement if isinstance(record.measurement, UnavailableMeasurement) else None
    after = record.model_copy(
        update={
            "verdict": GateVerdict(found.verdict.value),
            "reason": found.reason,
            "after": found.value,
            "unit": "" if found.value is None else "of cases passed",
            "caveat": found.caveat,
            "remedy": None if missing is None else missing.remedy,
        }
    )
    return _beside_the_base(after, ground) if found.verdict is Verdict.FAIL else after


def _beside_the_base(record: GateClaim, ground: Ground) -> GateClaim:
    """A claim that the head fails: no worse where every case that fails did so at the base."""
    at_head = _failed_cases(record.claim, record.measurement, ground.suites)
    at_base = _failed_cases(record.claim, record.measurement_of_base, ground.suites_of_base)
    if at_head is None or at_base is None or record.measurement_of_base is None:
        return record
    before = judge_claim(record.claim, record.measurement_of_base, ground.suites_of_base, on=ground.on).value
    record = record.model_copy(update={"before": before})
    if not at_head <= at_base:
        return record
    reason = f"The head fails {counted(len(at_head), 'case')}, and the base fails {_each_of(len(at_head))} as well."
    return record.model_copy(update={"verdict": GateVerdict.PASS, "reason": reason, "caveat": _BROKEN_BEFORE})


def _failed_cases(
    claim: Claim, measurement: Measurement | None, suites: Mapping[str, SuiteRun]
) -> frozenset[str] | None:
    """The cases that failed by the suite's own assertion; None where one of the claim's did not come to an end."""
    run = suites.get(measurement.run) if isinstance(measurement, SuiteMeasurement) else None
    if run is None or run.problem is not None:
        return None
    wanted = {case for case in run.expected if fnmatchcase(case, claim.cases)}
    outcomes = {case.id: case.outcome for case in run.cases if case.id in wanted}
    if set(outcomes) != wanted or not {"passed", "failed"} >= set(outcomes.values()):
        return None
    return frozenset(case for case, outcome in outcomes.items() if outcome == "failed")


def _each_of(count: int) -> str:
    return "it" if count == 1 else "each of them"


# --- Counted figures -------------------------------------------------------------------------------------------------


def _counted(record: GateClaim, table: Table, ground: Ground) -> GateClaim:
    for side in (table.baseline, table.candidate):
        if not isinstance(side, FiguresMeasurement):
            return _absent(record, side)
    assert isinstance(table.baseline, FiguresMeasurement)
    assert isinstance(table.candidate, FiguresMeasurement)
    found = compare_figures(
        record.claim, table.baseline, table.candidate, is_faster=_is_faster(record.claim, ground), on=ground.on
    )
    metric, over = record.claim.metric or "", ", ".join(map(str, record.claim.over.values()))
    unit = f"times that of {over}" if over else _UNITS.get(metric, metric.replace("_", " "))
    return record.model_copy(
        update={
            "verdict": found.verdict,
            "reason": found.reason,
            "before": found.before,
            "after": found.after,
            "unit": unit if found.before is not None else "",
            "change": found.change,
            "caveat": found.caveat,
        }
    )


def _is_faster(claim: Claim, ground: Ground) -> bool | None:
    """Whether what a claim about instructions counts was timed as well, and found faster by delta."""
    for timing in ground.timings.values():
        measurement = timing.measurement
        drawn, idle = claim.where.get("draw", timing.run.draw), claim.where.get("idle_skipping", True)
        if (
            isinstance(measurement, ChangeMeasurement)
            and (timing.subject, timing.workload) == (claim.subject, claim.workload)
            and (timing.run.draw, timing.run.idle_skipping, timing.run.num_envs) == (drawn, idle, 1)
        ):
            return _is_shown_faster(judge_change(measurement), measurement.delta)
    return None


def _is_shown_faster(found: ChangeJudgement, delta: float) -> bool:
    """Faster beyond the noise of the last look, by an estimate of delta or more."""
    if found.verdict is not Verdict.PASS or found.figures is None or found.figures.change is None:
        return False
    change = found.figures.change
    return change.estimate <= -delta and change.interval[1] < 0


# --- Timings ---------------------------------------------------------------------------------------------------------


def _timed(record: GateClaim, timing: Timing) -> GateClaim:
    measurement = timing.measurement
    if not isinstance(measurement, ChangeMeasurement):
        return _absent(record, measurement)
    found = judge_change(measurement)
    figures = found.figures
    before, after = _microseconds(measurement, "baseline"), _microseconds(measurement, "candidate")
    return record.model_copy(
        update={
            "verdict": GateVerdict(found.verdict.value),
            "reason": found.reason,
            "before": before,
            "after": after,
            "unit": "µs a frame" if before is not None else "",
            "change": found.value,
            "interval": found.interval,
            "floor": None if figures is None or figures.floor is None else math.expm1(figures.floor.half_width),
            "caveat": _caveat(found, timing),
        }
    )


def _caveat(found: ChangeJudgement, timing: Timing) -> str | None:
    parts = [found.caveat, *_noise(found)]
    figures = found.figures
    if figures is not None and figures.change is not None and _is_shown_faster(found, figures.delta):
        parts.append("faster, beyond the noise")
    discarded = sum(1 for block in timing.gpu if block.was_discarded)
    if discarded:
        parts.append(f"the GPU was throttled over {discarded} blocks, which were timed again")
    return "; ".join(part for part in parts if part) or None


def _noise(found: ChangeJudgement) -> list[str]:
    """What the base against itself says of this job."""
    if found.figures is None or found.figures.floor is None or found.figures.sensitivity is None:
        return []
    floor, sensitivity = found.figures.floor, found.figures.sensitivity
    low, high = (math.expm1(bound) for bound in floor.interval)
    least = sensitivity.smallest_effect
    seen = "none below fourfold" if least is None else f"one of {math.expm1(least):.1%} or more"
    return [
        f"the base against itself: {low:+.2%} to {high:+.2%} over {floor.blocks} blocks",
        f"of slowdowns this job could have seen {seen}, and one of 5 % with a power of {sensitivity.power:.0%}",
    ]


def _microseconds(measurement: ChangeMeasurement, side: str) -> float | None:
    """The median over processes of their shortest run, for a frame of one console."""
    shortest: dict[tuple[int, int], float] = {}
    for sample in measurement.samples:
        if sample.side == side:
            key = (sample.block, sample.position)
            each = sample.elapsed_ns / sample.frames / 1000
            shortest[key] = min(shortest.get(key, math.inf), each)
    ordered = sorted(shortest.values())
    if not ordered:
        return None
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def rejudged(document: GateDocument) -> tuple[GateClaim, ...]:
    """Every record of the document, judged anew."""
    ground = ground_of(document)
    records = tuple(judged(record, ground) for record in document.claims)
    return rested_on_oracles(records, document.flags) if document.own_references else records
