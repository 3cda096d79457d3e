"""One run of `nesproof verify`, whole: select, plan, measure, judge, compose."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from nesproof.harness.builds.cache import builds_folder
from nesproof.harness.claims.registry import load_claims
from nesproof.harness.counting import counted
from nesproof.harness.evidence.model import Evidence, FailedMeasurement, Measurement
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
)
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.measuring import Measuring
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import Plan, make_plan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.records import compose_evidence
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selection, select
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
        ConfigurationError: the claims or the selection are at fault; nothing was measured.
        OSError: the temporary folder is full or not writable.
    """
    progress = Progress() if progress is None else progress
    created, started = datetime.now(timezone.utc), time.monotonic()
    selection = select(load_claims(options.claim_files), options)
    pairs = _pairs(selection, options)
    with work_folder() as work_dir:
        resolver = Resolver()
        introductions = Introductions(work_dir / "logs")
        measuring = Measuring(Plan(), options, introductions, resolver, work_dir, progress)
        falsifying = Falsifying(pairs, measuring, work_dir) if options.falsify else None
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
                progress.plan([*_plan_lines(measuring.plan, selection, options), *_trial_lines(falsifying)])
                with Hooks().in_force() if falsifying is None else falsifying.hooks.in_force():
                    measuring.run_suites()
                measuring.run_the_rest()
                if falsifying is not None:
                    falsifying.run()
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        scrubber = scrubber_for_this_machine([(work_dir, "<work>"), (builds_folder(), "<builds>"), *private_paths])
        logs = gather_logs(work_dir, scrubber)
        suites = list(measuring.suites.values())
        frames = {**gather_frames(work_dir, suites), **gather_reproductions(work_dir, suites)}
        evidence = compose_evidence(
            selection=selection,
            options=options,
            measurements=_with_present_logs(measuring.measurements, logs),
            suites=[without_missing_frames(run, frames, logs) for run in measuring.suites.values()],
            subjects=introductions.records.values(),
            build=next(iter(introductions.builds.values()), None),
            workloads=[
                *(timing.workload for timing in measuring.plan.timings),
                *(table.workload for table in measuring.plan.figures if table.workload is not None),
            ],
            resolver=resolver,
            manifest=resolver.manifest,
            created=created,
            duration_s=time.monotonic() - started,
            command=command,
            interrupted=interrupted,
            scrubber=scrubber,
            falsifying=falsifying,
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


def _trial_lines(falsifying: Falsifying | None) -> list[str]:
    return [] if falsifying is None else falsifying.plan_lines()


def _plan_lines(plan: Plan, selection: Selection, options: VerifyOptions) -> list[str]:
    lines = [f"{counted(len(selection.selected), 'claim')} selected, {len(selection.others)} not."]
    lines += [f"Suite {s.definition.name} on {s.subject}: {counted(len(s.cases), 'case')}." for s in plan.suites]
    lines += [f"Counting for {counted(len(f.claims), 'claim')}: {f.kind} of {f.subject}." for f in plan.figures]
    if options.times_claims:
        lines += [f"Timing {t.claim.subject} beside {t.claim.baseline}: {t.workload.key}." for t in plan.timings]
    lines += [f"Not measurable here: {claim_id}." for claim_id in plan.answered]
    return lines


def _with_present_logs(measurements: dict[str, Measurement], logs: dict[str, bytes]) -> dict[str, Measurement]:
    return {
        claim_id: m.model_copy(update={"log": None})
        if isinstance(m, FailedMeasurement) and m.log is not None and m.log not in logs
        else m
        for claim_id, m in measurements.items()
    }
