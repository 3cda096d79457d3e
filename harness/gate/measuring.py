"""Carrying a gate out: deterministic metrics, the suites on the head, then timing. What was measured lies in the fields
at any moment, so that an interruption loses only what was under way.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.counting import counted
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import Measurement, NoMeasurement, SuiteMeasurement
from nesproof.harness.gate.code import KERNELS, differing_parts
from nesproof.harness.gate.deterministic import end_state, kernels_of, measure_table
from nesproof.harness.gate.document import EndState, Fingerprint, Table, Timing
from nesproof.harness.gate.fingerprint import fingerprint_of, own_paths
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.plan import GatePlan, TimingJob
from nesproof.harness.gate.sides import consoles_of
from nesproof.harness.gate.suites import ExactResults, measure_exact
from nesproof.harness.gate.timing import TimingInterrupted, plan_timings, time_jobs
from nesproof.harness.gate.verdicts import Ground
from nesproof.harness.judge.claim import judge_claim
from nesproof.harness.judge.order import Side
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.subjects.registry import find_subject
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError

__all__ = ["GateMeasuring"]


@dataclass
class GateMeasuring:
    """`lines` is the plan as it was told before anything was measured."""

    order: GateOrder
    plan: GatePlan
    introductions: Introductions
    resolver: Resolver
    work_dir: Path
    progress: Progress
    on: date
    lines: list[str] = field(default_factory=list)
    code: dict[Side, Fingerprint] = field(default_factory=dict)
    on_path: dict[str, tuple[str, ...]] = field(default_factory=dict)
    end_states: list[EndState] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    exact: ExactResults = field(default_factory=ExactResults)
    exact_of_base: ExactResults = field(default_factory=ExactResults)
    """Of the claims alone that fail on the head."""
    answered: dict[str, Measurement] = field(default_factory=dict)
    """Why nothing is measured for a claim."""
    timings: list[Timing] = field(default_factory=list)

    def run(self) -> None:
        """Measure everything.

        Raises:
            KeyboardInterrupt: stopped half way; what was measured is in place.
        """
        self.answered.update(self.plan.answered)
        if self.order.flags.deterministic:
            self._compare_code()
            self._count()
        measure_exact(self.plan.exact, self.order, "candidate", self, self.exact)
        failing = self._failing()
        if failing:
            self.progress.note(f"Asking the base's build for {counted(len(failing), 'claim')} that the head fails.")
            measure_exact(failing, self.order, "baseline", self, self.exact_of_base)
        with self._base():
            jobs = [job for job in self.plan.timings if self._is_open(job.claims)]
            self._say_timings(jobs)
            self._time(jobs)

    def ground(self) -> Ground:
        """What verdicts rest on, as far as it was measured."""
        return Ground(
            baseline=self.order.baseline,
            candidate=self.order.candidate,
            baseline_code=self.code.get("baseline"),
            candidate_code=self.code.get("candidate"),
            on_path=self.on_path,
            timings={timing.id: timing for timing in self.timings},
            tables={table.id: table for table in self.tables},
            suites=self.exact.suites,
            suites_of_base=self.exact_of_base.suites,
            on=self.on,
        )

    def _failing(self) -> list[Claim]:
        """The exact claims that fail on the head."""
        found = []
        for claim in self.plan.exact:
            measurement = self.exact.measurements.get(claim.id)
            if isinstance(measurement, SuiteMeasurement):
                judged = judge_claim(claim, measurement, self.exact.suites, on=self.on)
                found += [claim] if judged.verdict is Verdict.FAIL else []
        return found

    # --- Deterministic ---------------------------------------------------------------------------------------------

    def _compare_code(self) -> None:
        order = self.order
        self.progress.note("Comparing what the two builds are made of.")
        for side, folder in order.folders.items():
            self.code[side] = fingerprint_of(Path(folder), is_own=order.is_own)
        for subject in order.subjects:
            paths = own_paths(find_subject(order.subjects[subject]["baseline"]).extension) if order.is_own else ("*",)
            self.on_path[subject] = paths
        if order.is_own:
            self.on_path[KERNELS] = ("emulator/_core.*", "emulator/_gpu.*", "emulator/*.py")

    def _count(self) -> None:
        # The compiler's figures first: the machine code of the kernels, which decides others, comes with them.
        tables = sorted(self.plan.tables, key=lambda table: table.kind != "static")
        with self._base():
            for plan in tables:
                if not self._is_open(plan.claims):
                    continue
                self.progress.begin(f"{plan.id}, both builds", None)
                try:
                    table = measure_table(
                        plan, self.order, resolver=self.resolver, work_dir=self.work_dir, on_step=self.progress.advance
                    )
                finally:
                    self.progress.end()
                self.tables.append(table)
                if plan.kind == "static":
                    for side, code in self.code.items():
                        self.code[side] = code.model_copy(update={"kernels": kernels_of(table, side)})
            self._follow_workloads()

    def _follow_workloads(self) -> None:
        """Where the timed workloads end in either build."""
        pairs = {(job.subject, job.workload.key): job for job in self.plan.timings if self._is_open(job.claims)}
        log = self.work_dir / "logs" / "end-states.txt"
        for (subject, key), job in pairs.items():
            try:
                state = end_state(subject, self.order, job.workload, resolver=self.resolver, log=log)
            except (HarnessError, RomError, OSError) as fault:
                self.progress.note(f"Where {subject} ends {key} could not be seen: {fault}")
                continue
            self.end_states.append(state)
            if state.candidate != state.baseline:
                self.progress.note(f"{subject} ends {key} in another state than the base's.")

    def _is_open(self, claims: Sequence[Claim]) -> bool:
        """Whether something that decides one of these claims differs, or all is to be measured anyway."""
        if self.order.flags.force_timing:
            return True
        return any(differing_parts(claim, self.ground()) for claim in claims)

    # --- Timing ------------------------------------------------------------------------------------------------------

    def _time(self, jobs: list[TimingJob]) -> None:
        if not jobs:
            return
        flags = self.order.flags
        # How often a window is to be run is found out on the machine as it will be.
        load = wait_for_quiet(limit_s=self.order.quiet_wait_s, allow_busy=flags.allow_busy, tell=self.progress.note)
        self.progress.note("Finding out how long each comparison takes.")
        prepared = plan_timings(
            jobs,
            self.order,
            self._digest_from,
            lambda subject: self._declares(subject, "timing-passes") == ("candidate", "baseline"),
            resolver=self.resolver,
            log_dir=self.work_dir / "logs",
        )
        for one in prepared:
            if one.found is not None and one.absence is None:
                self._say(f"Timed: {one.job.id}, first look after about {one.found.first_look_s:.0f} s.")
            elif one.absence is not None:
                self._say(f"Not timed: {one.job.id}. {one.absence.reason}")
        try:
            self.timings += time_jobs(prepared, self.order, load, resolver=self.resolver, progress=self.progress)
        except TimingInterrupted as stopped:
            self.timings += stopped.timings
            raise

    def _say_timings(self, jobs: list[TimingJob]) -> None:
        for job in self.plan.timings:
            if job not in jobs:
                self._say(f"Not timed, for nothing that decides it has changed: {job.id}.")

    def _say(self, line: str) -> None:
        self.lines.append(line)
        self.progress.note(line)

    def _digest_from(self, subject: str) -> tuple[Side, ...]:
        return self._declares(subject, "digest")

    def _declares(self, subject: str, capability: str) -> tuple[Side, ...]:
        """The sides whose build of the subject declares the capability."""
        names = self.order.subjects[subject]
        sides: tuple[Side, Side] = ("candidate", "baseline")
        return tuple(side for side in sides if not self.introductions.lacking(names[side], (capability,)))

    def _base(self) -> AbstractContextManager[None]:
        """Consoles that nothing else is said of are the base's."""
        return consoles_of(self.order, "baseline")

    # --- What the document is composed of ----------------------------------------------------------------------------

    def measurement_of(self, claim: Claim, *, interrupted: bool) -> Measurement | None:
        """What stands in a claim's record beside the tables and timings; None where nothing was to be measured."""
        if claim.id in self.answered:
            return self.answered[claim.id]
        if claim.id in self.exact.measurements:
            return self.exact.measurements[claim.id]
        answered = {name for table in self.tables for name in table.claims}
        answered |= {name for timing in self.timings for name in timing.claims}
        if claim.kind == "exact" or (claim.id not in answered and differing_parts(claim, self.ground())):
            why = "Interrupted before it was measured." if interrupted else "It was selected, but nothing measured it."
            return NoMeasurement(reason=why)
        return None
