"""One run of `nesproof verify`, whole: select, plan, measure, judge, compose."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from nesproof.harness.builds.cache import builds_folder
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.compare.comparing import Comparing
from nesproof.harness.compare.records import comparison_pictures, comparison_records
from nesproof.harness.compare.table import throughput_table
from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.evidence.scrub import scrubber_for_this_machine
from nesproof.harness.falsify.falsifying import Falsifying
from nesproof.harness.falsify.hooks import Hooks
from nesproof.harness.falsify.pairs import Pair, chosen_pairs
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.runner.attachments import (
    gather_frames,
    gather_logs,
    gather_reproductions,
    without_missing_frames,
    without_missing_log,
)
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.measuring import Measuring
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import Plan, SuitePlan, make_plan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.records import compose_evidence
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selection, select
from nesproof.harness.runner.validation import require_named_things
from nesproof.harness.runner.workdir import work_folder
from nesproof.roms_manifest import Resolver

__all__ = ["VerifyResult", "verify"]


@dataclass(frozen=True)
class VerifyResult:
    """The evidence of a run, and its logs and frames by their paths in a bundle."""

    evidence: Evidence
    attachments: dict[str, bytes]


def verify(
    options: VerifyOptions,
    *,
    command: str,
    interrupts: Interrupts,
    progress: Progress | None = None,
    private_paths: Sequence[tuple[Path, str]] = (),
) -> VerifyResult:
    """Measure what was asked for and judge it.

    `private_paths` are further local paths, each with what stands for it in the bundle.

    An interruption (see `Interrupts`) ends the measuring; the result then holds what was measured, the rest reads
    NOT_MEASURED.

    Raises:
        ConfigurationError: the claims, what they name, or the selection are at fault; nothing was measured.
        OSError: the temporary folder is full or not writable.
    """
    progress = Progress() if progress is None else progress
    created, started = datetime.now(timezone.utc), time.monotonic()
    registry = load_claims(options.claim_files)
    selection = select(registry, options)
    asked = {item.claim.base_id for item in (*selection.selected, *selection.states_only)}
    require_named_things(claim for claim in registry.values() if claim.id in asked)
    pairs = _pairs(selection, options)
    with work_folder() as work_dir:
        resolver = Resolver()
        introductions = Introductions(work_dir / "logs")
        measuring = Measuring(Plan(), options, introductions, resolver, work_dir, progress)
        falsifying = Falsifying(pairs, measuring, work_dir) if options.falsify else None
        table: Comparing | None = None
        try:
            with interrupts.measuring():
                progress.note("Looking for what the claims need.")
                requirements = Requirements(resolver)
                measuring.plan = make_plan(
                    (*selection.selected, *selection.states_only),
                    requirements=requirements,
                    introductions=introductions,
                )
                if falsifying is not None:
                    falsifying.prepare(measuring.plan)
                table = _table(options, measuring)
                lines = [*_plan_lines(measuring.plan, selection, options), *_trial_lines(falsifying)]
                progress.plan([*lines, *_table_lines(table)])
                with Hooks().in_force() if falsifying is None else falsifying.hooks.in_force():
                    measuring.run_suites()
                measuring.run_the_rest()
                if table is not None:
                    table.run()
                if falsifying is not None:
                    falsifying.run()
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        scrubber = scrubber_for_this_machine([(work_dir, "<work>"), (builds_folder(), "<builds>"), *private_paths])
        logs = gather_logs(work_dir, scrubber)
        suites = list(measuring.suites.values())
        compared = [] if table is None else list(table.compared.values())
        frames = {
            **gather_frames(work_dir, suites),
            **gather_reproductions(work_dir, suites),
            **comparison_pictures(compared),
        }
        evidence = compose_evidence(
            selection=selection,
            options=options,
            measurements={i: without_missing_log(m, logs) for i, m in measuring.measurements.items()},
            suites=[without_missing_frames(run, frames, logs) for run in measuring.suites.values()],
            subjects=introductions.records.values(),
            build=next(iter(introductions.builds.values()), None),
            workloads=[
                *(workload for timing in measuring.plan.timings for workload in timing.workloads),
                *(figures.workload for figures in measuring.plan.figures if figures.workload is not None),
                *(one.pair.workload for one in compared if one.behaviour is not None),
            ],
            resolver=resolver,
            manifest=resolver.manifest,
            created=created,
            duration_s=time.monotonic() - started,
            command=command,
            interrupted=interrupted,
            scrubber=scrubber,
            falsifying=falsifying,
            comparisons=comparison_records(compared, scrubber=scrubber, logs=logs),
        )
    return VerifyResult(evidence, {**logs, **frames})


def _pairs(selection: Selection, options: VerifyOptions) -> tuple[Pair, ...]:
    """What is tried on the run's claims.

    Raises:
        ConfigurationError: a claim names a fault that does not exist, or a glob matches none.
    """
    if not options.falsify:
        return ()
    claims = [item.claim for item in (*selection.selected, *selection.states_only)]
    return chosen_pairs(claims, fault_catalogue(), fault_globs=options.fault_globs)


def _table(options: VerifyOptions, measuring: Measuring) -> Comparing | None:
    """The table of speeds of a run over every subject; none where claims were picked out, or no time is given."""
    if not options.every_subject or options.claim_globs or options.timing_budget_s <= 0:
        return None
    return Comparing(
        pairs=throughput_table(options.subjects, introductions=measuring.introductions),
        introductions=measuring.introductions,
        resolver=measuring.resolver,
        work_dir=measuring.work_dir,
        budget_s=options.timing_budget_s,
        allow_busy=options.allow_busy,
        quiet_wait_s=options.quiet_wait_s,
        order_seed=options.order_seed,
        progress=measuring.progress,
    )


def _table_lines(table: Comparing | None) -> list[str]:
    return [] if table is None else [f"Speeds beside each other: {counted(len(table.pairs), 'comparison')}."]


def _trial_lines(falsifying: Falsifying | None) -> list[str]:
    return [] if falsifying is None else falsifying.plan_lines()


def _plan_lines(plan: Plan, selection: Selection, options: VerifyOptions) -> list[str]:
    lines = [f"{counted(len(selection.selected), 'claim')} selected, {len(selection.others)} not."]
    lines += [_suite_line(suite) for suite in plan.suites if suite.cases]
    lines += [f"Counting for {counted(len(f.claims), 'claim')}: {f.kind} of {f.subject}." for f in plan.figures]
    if options.times_claims:
        lines += [f"Timing {t.claim.subject} beside {t.claim.baseline}: {t.workload.key}." for t in plan.timings]
    return lines + _answered_lines(plan, selection)


def _suite_line(suite: SuitePlan) -> str:
    left_out = f"; {counted(len(suite.left_out), 'case')} it cannot run" if suite.left_out else ""
    return f"Suite {suite.definition.name} on {suite.subject}: {counted(len(suite.cases), 'case')}{left_out}."


def _answered_lines(plan: Plan, selection: Selection) -> list[str]:
    """The claims that cannot be measured here: one by one, or, of stand-ins, subject by subject."""
    stand_ins = {item.claim.id: item.claim.subject for item in selection.selected if item.substituted}
    lines = [f"Not measurable here: {claim_id}." for claim_id in plan.answered if claim_id not in stand_ins]
    subjects = Counter(stand_ins[claim_id] for claim_id in plan.answered if claim_id in stand_ins)
    return lines + [f"Not measurable here: {counted(n, 'claim')} on {name}." for name, n in subjects.items()]
