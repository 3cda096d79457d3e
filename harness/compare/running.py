"""One run of `nesproof compare`, whole: look for what is needed, play, time, judge, compose the evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from nesproof.harness.compare.comparing import Comparing
from nesproof.harness.compare.pairs import Pair
from nesproof.harness.compare.records import comparison_pictures, comparison_records
from nesproof.harness.compare.table import throughput_table
from nesproof.harness.counting import counted
from nesproof.harness.evidence.capture import capture_machine, capture_packages, capture_source
from nesproof.harness.evidence.model import Build, Evidence, Machine, SubjectRecord
from nesproof.harness.evidence.scrub import Scrubber, scrubber_for_this_machine
from nesproof.harness.judge.comparison import comparisons_exit_code
from nesproof.harness.runner.attachments import gather_logs
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.records import rom_records, workload_record
from nesproof.harness.runner.workdir import work_folder
from nesproof.roms_manifest import Resolver

__all__ = ["PROFILE", "CompareOptions", "CompareResult", "compare"]

PROFILE = "compare"
"""What the document of such a run says in the place of a profile of claims."""


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """What a person asked for: one `pair`, or a table of `subjects` beside `baseline` on `workloads`.

    `budget_s` bounds all timing together; 0 compares behaviour alone.
    """

    pair: Pair | None = None
    subjects: tuple[str, ...] = ()
    baseline: str = ""
    workloads: tuple[str, ...] = ()
    budget_s: float
    quiet_wait_s: float = 15.0
    allow_busy: bool = False
    order_seed: int | None = None


@dataclass(frozen=True)
class CompareResult:
    """The evidence of a run, and its logs and pictures by their paths in a bundle."""

    evidence: Evidence
    attachments: dict[str, bytes]


def compare(
    options: CompareOptions,
    *,
    command: str,
    interrupts: Interrupts,
    progress: Progress,
    private_paths: Sequence[tuple[Path, str]] = (),
) -> CompareResult:
    """Compare what was asked for.

    An interruption ends the measuring; the result then holds what was measured, the rest reads "not measured".

    Raises:
        ConfigurationError: there is no such subject or workload; nothing was measured.
        OSError: the temporary folder is full or not writable.
    """
    created, started = datetime.now(timezone.utc), time.monotonic()
    with work_folder() as work_dir:
        resolver = Resolver()
        introductions = Introductions(work_dir / "logs")
        comparing: Comparing | None = None
        interrupted = False
        try:
            with interrupts.measuring():
                progress.note("Looking for what the subjects need.")
                comparing = _comparing(options, introductions, resolver, work_dir, progress)
                progress.plan([f"{counted(len(comparing.pairs), 'comparison')} planned."])
                comparing.run()
        except KeyboardInterrupt:
            interrupted = True
        scrubber = scrubber_for_this_machine([(work_dir, "<work>"), *private_paths])
        logs = gather_logs(work_dir, scrubber)
        compared = [] if comparing is None else list(comparing.compared.values())
        comparisons = comparison_records(compared, scrubber=scrubber, logs=logs)
        used = {one.pair.workload.key: one.pair.workload for one in compared if one.behaviour is not None}
        clean = _cleaner(scrubber)
        build = next(iter(introductions.builds.values()), None)
        evidence = Evidence(
            created_utc=created,
            duration_s=round(time.monotonic() - started, 3),
            profile=PROFILE,
            command=scrubber.text(command)[:4_000],
            source=capture_source(),
            build=None if build is None else Build.model_validate(clean(build)),
            machine=Machine.model_validate(clean(capture_machine())),
            packages=capture_packages(),
            subjects=tuple(SubjectRecord.model_validate(clean(s)) for s in introductions.records.values()),
            roms=rom_records((), (), comparisons, list(used.values()), resolver.manifest),
            workloads=tuple(workload_record(workload, resolver) for workload in used.values()),
            suites=(),
            claims=(),
            comparisons=comparisons,
            interrupted=interrupted,
            exit_code=comparisons_exit_code(comparisons, interrupted=interrupted),
        )
    return CompareResult(evidence, {**logs, **comparison_pictures(compared)})


def _comparing(
    options: CompareOptions, introductions: Introductions, resolver: Resolver, work_dir: Path, progress: Progress
) -> Comparing:
    return Comparing(
        pairs=_pairs(options, introductions),
        introductions=introductions,
        resolver=resolver,
        work_dir=work_dir,
        budget_s=options.budget_s,
        allow_busy=options.allow_busy,
        quiet_wait_s=options.quiet_wait_s,
        order_seed=options.order_seed,
        progress=progress,
    )


def _pairs(options: CompareOptions, introductions: Introductions) -> list[Pair]:
    if options.pair is not None:
        return [options.pair]
    return throughput_table(
        options.subjects,
        introductions=introductions,
        workloads=options.workloads,
        baseline=options.baseline,
        is_timed=options.budget_s > 0,
    )


def _cleaner(scrubber: Scrubber) -> Callable[[Build | Machine | SubjectRecord], object]:
    return lambda record: scrubber.document(record.model_dump(mode="json"))
