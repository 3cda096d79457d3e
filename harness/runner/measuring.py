"""The measuring itself: suites first, in as many processes as asked for, then the timings, alone on the machine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import (
    CaseResult,
    FailedMeasurement,
    Load,
    Measurement,
    NoMeasurement,
    SuiteMeasurement,
    SuiteRun,
)
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.probes.figures import FiguresPlan, measure_figures
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.probes.throughput import TimingInterrupted, measure_throughput
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import Plan, SuitePlan, TimingPlan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.timings import Timings
from nesproof.harness.suite_run import SuiteInterrupted, run_suite
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError

__all__ = ["Measuring", "failed_measurement"]

_BUSY_BUDGET_S = 45.0
"""A busy machine yields a figure without a verdict, which is worth no more time than this."""
_LAST_LOOK: dict[str, int | None] = {"quick": 24, "full": None}


@dataclass
class Measuring:
    """Carries the plan out. What was measured lies in `suites` and `measurements` at any moment, so that an
    interruption loses only what was under way."""

    plan: Plan
    options: VerifyOptions
    introductions: Introductions
    resolver: Resolver
    work_dir: Path
    progress: Progress
    suites: dict[str, SuiteRun] = field(default_factory=dict)
    measurements: dict[str, Measurement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.timings = Timings(
            self.introductions, self.resolver, self.work_dir / "logs", order_seed=self.options.order_seed
        )

    def run_suites(self) -> None:
        """Note what needs no measuring, and run every suite.

        Raises:
            KeyboardInterrupt: stopped half way; what was measured is in place.
        """
        self.measurements.update(self.plan.answered)
        for suite in self.plan.suites:
            if suite.cases:
                self._run_suite(suite)
            else:
                self._keep(suite, _unasked(suite), interrupted=False)

    def run_the_rest(self) -> None:
        """Count, then time.

        Raises:
            KeyboardInterrupt: as above.
        """
        for table in self.plan.figures:
            self._run_figures(table)
        if self.plan.timings and self.options.times_claims:
            self._run_timings()

    # --- Suites --------------------------------------------------------------------------------------------------

    def _run_suite(self, suite: SuitePlan) -> None:
        self.progress.begin(f"{suite.definition.name} on {suite.subject}", len(suite.cases))
        try:
            run = run_suite(
                suite.definition.name,
                subject=suite.subject,
                cases=suite.cases,
                work_dir=self.work_dir,
                timeout_s=self.options.suite_limit_s,
                jobs=self.options.jobs,
                progress=self._on_case,
            )
        except SuiteInterrupted as stopped:
            self._keep(suite, stopped.run, interrupted=True)
            raise
        except Exception as fault:  # whatever broke this suite must not take the others down
            failed = failed_measurement(f"Suite {suite.definition.name}", fault)
            self.measurements.update({claim.id: failed for claim in suite.claims})
        else:
            self._keep(suite, run, interrupted=False)
        finally:
            self.progress.end()

    def _on_case(self, result: CaseResult) -> None:
        self.progress.advance(f"{result.id}: {result.outcome}", well=result.outcome == "passed")

    def _keep(self, suite: SuitePlan, run: SuiteRun, *, interrupted: bool) -> None:
        run = run.model_copy(update={"cannot_run": suite.cannot_run})
        self.suites[run.id] = run
        for claim in suite.claims:
            if interrupted and not _settled(claim, run):
                reason = f"Interrupted after {len(run.cases)} of the suite's {len(run.expected)} cases."
                self.measurements[claim.id] = NoMeasurement(reason=reason)
            else:
                self.measurements[claim.id] = SuiteMeasurement(run=run.id)

    # --- Figures -------------------------------------------------------------------------------------------------

    def _run_figures(self, table: FiguresPlan) -> None:
        self.progress.begin(f"{table.kind} of {table.subject}", None)
        try:
            measured: Measurement = measure_figures(
                table,
                resolver=self.resolver,
                work_dir=self.work_dir,
                on_step=self.progress.advance,
            )
        except Exception as fault:  # whatever broke this table must not take the others down
            measured = failed_measurement(f"Counting ({table.kind})", fault)
        finally:
            self.progress.end()
        self.measurements.update({claim.id: measured for claim in table.claims})

    # --- Timings -------------------------------------------------------------------------------------------------

    def _run_timings(self) -> None:
        load = wait_for_quiet(
            limit_s=self.options.quiet_wait_s, allow_busy=self.options.allow_busy, tell=self.progress.note
        )
        busy = load.busy and not load.overridden
        deadline_s = time.monotonic() + min(self.options.timing_budget_s, _BUSY_BUDGET_S if busy else float("inf"))
        for number, timing in enumerate(self.plan.timings):
            share_s = (deadline_s - time.monotonic()) / (len(self.plan.timings) - number)
            self._run_timing(timing, load, time.monotonic() + share_s)

    def _run_timing(self, timing: TimingPlan, load: Load, deadline_s: float) -> None:
        claim = timing.claim
        assert claim.baseline is not None
        # A busy machine yields no verdict, so the first look's blocks are taken, for the figure alone.
        last_look = LOOKS[0][0] if load.busy and not load.overridden else _LAST_LOOK[self.options.profile]
        self.progress.begin(f"{claim.subject} beside {claim.baseline}, {timing.workload.key}", LOOKS[0][0])
        try:
            plan = self.timings.plan(
                timing, deadline_s=deadline_s, comparisons=len(self.plan.timings), last_look=last_look
            )
            self.measurements[claim.id] = measure_throughput(
                plan,
                expected=self.timings.expected(plan),
                baseline_expected=self.timings.baseline_expected(plan),
                load=load,
                on_block=self._on_block,
            )
        except TimingInterrupted as stopped:
            self.measurements[claim.id] = stopped.measurement
            raise
        except Exception as fault:  # whatever broke this timing must not take the others down
            self.measurements[claim.id] = failed_measurement("Timing", fault)
        finally:
            self.progress.end()

    def _on_block(self, done: int, look: int) -> None:
        self.progress.advance(f"block {done}", total=look)


def _unasked(suite: SuitePlan) -> SuiteRun:
    """A suite of which the subject can be asked nothing: there is nothing to run, and its cases are named."""
    definition = suite.definition
    return SuiteRun(
        id=f"{definition.name}.{suite.subject}",
        suite=definition.name,
        title=definition.title,
        oracle=definition.oracle,
        subject=suite.subject,
        expected=(),
        cases=(),
    )


def failed_measurement(stage: str, fault: Exception) -> FailedMeasurement:
    """The measurement that broke. A fault that is no sentence of ours is named by its type as well."""
    ours = isinstance(fault, (HarnessError, RomError))
    return FailedMeasurement(stage=stage, reason=(str(fault) if ours else f"{type(fault).__name__}: {fault}")[:60_000])


def _settled(claim: Claim, run: SuiteRun) -> bool:
    """True where a run that was stopped had answered the claim all the same: one of its cases failed."""
    return any(case.outcome == "failed" and fnmatchcase(case.id, claim.cases) for case in run.cases)
