"""Plants the faults: prepares the build with hooks, tries every pair, and keeps what an interruption leaves of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.counting import counted
from nesproof.harness.evidence.falsification import BuildKind, PairOutcome
from nesproof.harness.evidence.model import Measurement, SuiteMeasurement, SuiteRun
from nesproof.harness.falsify.figure_trials import TimingTrials, measure_table
from nesproof.harness.falsify.hooks import Hooks, prepare_hooks
from nesproof.harness.falsify.pairs import Pair
from nesproof.harness.falsify.parallel import run_all
from nesproof.harness.falsify.results import Results, Tried
from nesproof.harness.falsify.suite_trials import Stopper, run_suite_trial
from nesproof.harness.falsify.trials import FiguresTrial, SuiteTrial, Trials, add_sole_killers, make_trials
from nesproof.harness.falsify.variants import Variants
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.falsification import build_of, control_holds, faulty_claim, judge_pair
from nesproof.harness.runner.measuring import Measuring, failed_measurement
from nesproof.harness.runner.plan import Plan

__all__ = ["Falsifying"]

_UNREACHED = "Interrupted before it was tried."
_UNTIMED_S = 3.0
"""What a trial is taken to last of which nothing is known; the longest begin first."""


@dataclass
class Falsifying:
    """Tries `pairs` beside an ordinary run. `results` hold what was tried at any moment."""

    pairs: tuple[Pair, ...]
    measuring: Measuring
    work_dir: Path
    hooks: Hooks = field(default_factory=Hooks)
    results: Results = field(default_factory=Results)
    _trials: Trials = field(default_factory=Trials)

    def prepare(self, plan: Plan) -> None:
        """Build with hooks, where a pair that can be tried needs them, and group the pairs.

        Raises:
            BuildFailed, OSError: the build did not come about.
        """
        self.results.not_tried = {pair.key: _UNREACHED for pair in self.pairs}
        if any(pair.fault.means == "hook" and pair.claim.id not in plan.answered for pair in self.pairs):
            self.hooks = prepare_hooks(self.measuring.progress.note)
        options = self.measuring.options
        self._trials = make_trials(self.pairs, plan, self.hooks, is_timed=options.times_claims)
        self.results.not_tried.update(self._trials.not_tried)
        if options.tries_sole_killers:
            add_sole_killers(self._trials, plan)

    def plan_lines(self) -> list[str]:
        """What will be tried, in words."""
        tried = len(self.pairs) - len(self._trials.not_tried)
        faults = {pair.fault.id for pair in self.pairs if pair.key not in self._trials.not_tried}
        return [f"{counted(len(faults), 'fault')} to plant, in {tried} of {counted(len(self.pairs), 'pair')}."]

    def run(self) -> None:
        """Try every pair: suites first, in as many processes as asked for, then tables, then timings one by one.

        Raises:
            KeyboardInterrupt: stopped half way; `results` hold what was tried.
        """
        started = time.monotonic()
        variants = Variants(self.work_dir / "faulty-subjects.toml", self.hooks.folder)
        progress = self.measuring.progress
        suites = [(trial, variants.add(trial.subject, trial.fault)) for trial in self._with_control()]
        sole = [(trial, variants.add(trial.subject, trial.fault)) for trial in self._trials.sole]
        tables = [(trial, variants.add(trial.table.subject, trial.fault)) for trial in self._trials.figures]
        for figures in self._trials.figures:
            if figures.fault.means == "hook":
                variants.add_without_fault(figures.table.subject)
        for timing in self._trials.timings:
            variants.add(timing.timing.claim.subject, timing.fault)
            if timing.fault.means == "hook":
                variants.add_without_fault(timing.timing.claim.subject)
        total = sum(len(t.claims) for t, _ in (*suites, *sole)) + sum(len(t.claims) for t, _ in tables)
        progress.begin("Planting faults", total + len(self._trials.timings))
        try:
            with variants.in_force():
                with self.hooks.in_force():
                    self._run_suites(suites, sole)
                self._run_tables(tables)
                self._run_timings()
        finally:
            self.results.duration_s = time.monotonic() - started
            progress.end()

    # --- Suites --------------------------------------------------------------------------------------------------

    def _with_control(self) -> list[SuiteTrial]:
        """The suite trials, without the claims that do not pass with no fault on."""
        build: BuildKind = "installed" if self.hooks.record is None else "hooks"
        kept = []
        for trial in self._trials.suites:
            trial.claims = [c for c in trial.claims if self._control_holds(c, trial.fault.id, build, None)]
            if trial.claims:
                kept.append(trial)
        return kept

    def _run_suites(self, own: list[tuple[SuiteTrial, str]], sole: list[tuple[SuiteTrial, str]]) -> None:
        stopper = Stopper()
        tasks = sorted((*own, *sole), key=lambda task: -self._estimate_s(task[0]))

        def work(task: tuple[SuiteTrial, str]) -> SuiteRun:
            trial, variant = task
            limit_s = self.measuring.options.suite_limit_s
            return run_suite_trial(trial, variant=variant, work_dir=self.work_dir, limit_s=limit_s, stopper=stopper)

        def take(task: tuple[SuiteTrial, str], ended: SuiteRun | Exception) -> None:
            self._take_suite(task[0], ended, interrupted=stopper.is_set)

        run_all(tasks, work, jobs=self.measuring.options.jobs, take=take, stop=stopper.stop)
        for trial, _ in sole:
            tried = self.results.sole.setdefault(trial.fault.id, [])
            tried += [claim.id for claim in trial.claims]

    def _estimate_s(self, trial: SuiteTrial) -> float:
        run = self.measuring.suites.get(f"{trial.definition.name}.{trial.subject}")
        return _UNTIMED_S if run is None else sum(case.duration_s for case in run.cases if case.id in trial.wanted)

    def _take_suite(self, trial: SuiteTrial, ended: SuiteRun | Exception, *, interrupted: bool) -> None:
        if isinstance(ended, Exception):
            measurement: Measurement = failed_measurement(f"Suite {trial.definition.name}", ended)
            duration_s = 0.0
        else:
            self.results.runs[ended.id] = ended
            measurement, duration_s = SuiteMeasurement(run=ended.id), ended.duration_s
        for claim in trial.claims:
            if trial.to_the_end:
                self.measuring.progress.advance(f"{trial.fault.id} beside {claim.id}: looked for")
                continue
            judged = self._judged(claim, trial.fault.id, measurement)
            if not interrupted or judged == "killed":
                self._keep(claim, trial.fault.id, measurement, duration_s, judged)

    # --- Tables --------------------------------------------------------------------------------------------------

    def _run_tables(self, tables: list[tuple[FiguresTrial, str]]) -> None:
        ready = []
        for trial, variant in tables:
            build = build_of(trial.claims[0], trial.fault.means, has_hooks=self.hooks.record is not None)
            control: dict[str, Measurement | None] = {}
            if build == "hooks":
                control = self._table_with_hooks(trial)
            trial.claims = [c for c in trial.claims if self._control_holds(c, trial.fault.id, build, control.get(c.id))]
            if trial.claims:
                ready.append((trial, variant))

        def work(task: tuple[FiguresTrial, str]) -> tuple[Measurement, float]:
            started = time.monotonic()
            return self._table(*task), time.monotonic() - started

        def take(task: tuple[FiguresTrial, str], ended: tuple[Measurement, float] | Exception) -> None:
            trial, _ = task
            stage = f"Counting ({trial.table.kind})"
            measurement, took_s = (failed_measurement(stage, ended), 0.0) if isinstance(ended, Exception) else ended
            for claim in trial.claims:
                outcome = self._judged(claim, trial.fault.id, measurement)
                self._keep(claim, trial.fault.id, measurement, took_s, outcome)

        run_all(ready, work, jobs=self.measuring.options.jobs, take=take)

    def _table(self, trial: FiguresTrial, subject: str) -> Measurement:
        return measure_table(
            trial.table, trial.claims, subject=subject, resolver=self.measuring.resolver, work_dir=self.work_dir
        )

    def _table_with_hooks(self, trial: FiguresTrial) -> dict[str, Measurement | None]:
        missing = [c for c in trial.claims if (c.id, "hooks") not in self.results.controls]
        if missing:
            subject = faulty_claim(missing[0], "hooks").subject
            try:
                measured: Measurement = self._table(trial, subject)
            except Exception as fault:  # whatever broke this control must not take the others down
                measured = failed_measurement(f"Counting ({trial.table.kind})", fault)
            self.results.controls.update({(c.id, "hooks"): measured for c in missing})
        return {c.id: self.results.controls[c.id, "hooks"] for c in trial.claims}

    # --- Timings -------------------------------------------------------------------------------------------------

    def _run_timings(self) -> None:
        options, measuring = self.measuring.options, self.measuring
        timer = TimingTrials(
            measuring.timings,
            comparisons=max(len(measuring.plan.timings), 1),
            quiet_wait_s=options.quiet_wait_s,
            allow_busy=options.allow_busy,
        )
        for trial in self._trials.timings:
            claim, fault = trial.timing.claim, trial.fault
            build = build_of(claim, fault.means, has_hooks=self.hooks.record is not None)
            control = self.results.controls.get((claim.id, build))
            if control is None and (build == "hooks" or not options.times_claims):
                candidate = faulty_claim(claim, "hooks").subject if build == "hooks" else None
                control = _measured(partial(timer.one_block, trial.timing, candidate=candidate))
            if not self._control_holds(claim, fault.id, build, control):
                continue
            if fault.shows_in_time_alone and not _passed(claim, measuring):
                self.results.not_tried[fault.id, claim.id] = "The claim does not pass by time with no fault on."
                continue
            timed = timer.until_decided if fault.shows_in_time_alone else timer.one_block
            variant = faulty_claim(claim, fault.id).subject
            started = time.monotonic()
            measurement = _measured(partial(timed, trial.timing, candidate=variant))
            judged = self._judged(claim, fault.id, measurement)
            self._keep(claim, fault.id, measurement, time.monotonic() - started, judged)

    # --- Keeping -------------------------------------------------------------------------------------------------

    def _control_holds(self, claim: Claim, fault: str, build: BuildKind, measurement: Measurement | None) -> bool:
        """Whether the claim stands with no fault on; where not, the pair is not tried, and why is noted."""
        self.results.controls[claim.id, build] = measurement
        of = claim
        if measurement is None:
            measurement = self.measuring.measurements.get(claim.id)
        elif build == "hooks":
            of = faulty_claim(claim, "hooks")
        judged = judge_claim(of, measurement, self.measuring.suites, on=datetime.now(timezone.utc).date())
        if control_holds(claim, judged, build=build):
            return True
        reason = (
            f"The claim does not stand with no fault on ({judged.verdict.value}), so that its failing proves nothing."
        )
        self.results.not_tried[fault, claim.id] = reason
        return False

    def _judged(self, claim: Claim, fault: str, measurement: Measurement) -> PairOutcome:
        judged = judge_pair(
            claim,
            fault,
            measurement,
            self.results.runs,
            on=datetime.now(timezone.utc).date(),
            hooks=self.results.controls.get((claim.id, "hooks")),
            installed=self.measuring.measurements.get(claim.id),
        )
        return judged.outcome

    def _keep(
        self, claim: Claim, fault: str, measurement: Measurement, duration_s: float, outcome: PairOutcome
    ) -> None:
        self.results.tried[fault, claim.id] = Tried(measurement, duration_s)
        self.results.not_tried.pop((fault, claim.id), None)
        self.measuring.progress.advance(f"{fault} in {claim.id}: {outcome}", well=outcome == "killed")


def _measured(work: Callable[[], Measurement]) -> Measurement:
    try:
        return work()
    except Exception as fault:  # whatever broke this timing must not take the others down
        return failed_measurement("Timing", fault)


def _passed(claim: Claim, measuring: Measuring) -> bool:
    judged = judge_claim(claim, measuring.measurements.get(claim.id), measuring.suites)
    return judged.verdict.value == "PASS"
