"""Builds and measures commits: the installed harness judges, and what a revision decides is the emulator alone."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from nesproof.harness.bisect.asking import Measured
from nesproof.harness.bisect.history import Commit
from nesproof.harness.bisect.path import CommitPath
from nesproof.harness.builds.isolation import Limits, limits_environment
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.evidence.model import (
    FailedMeasurement,
    FiguresMeasurement,
    Load,
    Measurement,
    NoMeasurement,
    SuiteRun,
)
from nesproof.harness.evidence.scrub import Scrubber, scrubber_for_this_machine
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.revision_builds import RevisionBuild, build_revision, subject_names, write_subjects
from nesproof.harness.judge.order import Side
from nesproof.harness.probes.change import FIRST_LOOK_BLOCKS, ChangePlan, measure_change, pilot, with_passes
from nesproof.harness.probes.lanes import REFERENCE, expected_state
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.probes.throughput import run_of
from nesproof.harness.runner.attachments import without_missing_frames
from nesproof.harness.runner.measuring import Measuring, failed_measurement
from nesproof.harness.runner.options import VerifyOptions
from nesproof.harness.runner.plan import Plan, make_plan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.runner.selection import Selected
from nesproof.harness.runner.workdir import work_folder
from nesproof.harness.subjects.in_force import subject_files_with, variables_set
from nesproof.harness.subjects.registry import SUBJECT_FILE_VARIABLE
from nesproof.harness.subjects.status import EMULATOR_VARIABLE
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

__all__ = ["MachineBusy", "RevisionLaboratory", "require_subject"]

_MEASUREMENT: TypeAdapter[Measurement] = TypeAdapter(Measurement)
_LABEL = "at"


class MachineBusy(HarnessError):
    """Nothing can be timed now; what was done so far is kept."""

    exit_code = ExitCode.INCONCLUSIVE

    def __init__(self, load: Load) -> None:
        super().__init__(
            f"Other processes take {load.other_cpu_share or 0:.0%} of the processors, so that nothing can be timed. "
            "The same command goes on from here when the machine is quiet, or at once with --allow-busy."
        )


class RevisionLaboratory:
    """Commits of a repository, built in the cache of builds and measured one at a time."""

    def __init__(
        self,
        repository: Repository,
        path: CommitPath,
        *,
        progress: Progress,
        jobs: int = 1,
        budget_s: float = 600.0,
        allow_busy: bool = False,
        suite_timeout_s: float | None = None,
    ) -> None:
        self._repository = repository
        self._path = path
        self._progress = progress
        self._options = VerifyOptions(
            profile="full", jobs=jobs, budget_s=budget_s, allow_busy=allow_busy, suite_timeout_s=suite_timeout_s
        )
        self._limits = Limits()
        self._builds: dict[str, RevisionBuild] = {}

    def build(self, commit: Commit) -> Literal["made", "cached"]:
        """See that the commit's build is there.

        Raises:
            BuildFailed: it does not build.
            BuildToolsMissing, OSError: this machine cannot build.
        """
        if commit.sha in self._builds:
            return "cached"
        built = build_revision(
            self._repository,
            self._path.revisions[commit.sha],
            self._path.projects[commit.sha],
            limits=self._limits,
            note=self._progress.note,
        )
        self._builds[commit.sha] = built
        return "cached" if built.was_cached else "made"

    def measure(self, commit: Commit, claim: Claim) -> Measured:
        """Measure the claim with every console of the project's own from the commit's build."""
        with work_folder() as work_dir, self._started_from({_LABEL: commit}, work_dir) as names:
            about = claim.model_copy(update={"subject": names.get((claim.subject, _LABEL), claim.subject)})
            measuring = Measuring(
                Plan(), self._options, Introductions(work_dir / "logs"), Resolver(), work_dir, self._progress
            )
            measuring.plan = make_plan(
                (Selected(about, False, ""),),
                requirements=Requirements(measuring.resolver),
                introductions=measuring.introductions,
            )
            measuring.run_suites()
            measuring.run_the_rest()
            found = measuring.measurements.get(claim.id, NoMeasurement(reason="Nothing measured it."))
            return _clean(found, tuple(measuring.suites.values()), work_dir, renamed={about.subject: claim.subject})

    def time(self, baseline: Commit, candidate: Commit, claim: Claim) -> Measured:
        """Time the candidate's build against the baseline's, run as the claim runs its own side."""
        sides = {"baseline": baseline, "candidate": candidate}
        with work_folder() as work_dir, self._started_from(sides, work_dir) as names:
            subjects: dict[Side, str] = {
                "baseline": names[claim.subject, "baseline"],
                "candidate": names[claim.subject, "candidate"],
            }
            builds: dict[Side, str] = {"baseline": baseline.sha, "candidate": candidate.sha}
            self._progress.begin(
                f"{claim.subject} of {candidate.sha[:12]} beside {baseline.sha[:12]}", FIRST_LOOK_BLOCKS
            )
            try:
                found = self._timed(claim, subjects, builds, work_dir)
            except MachineBusy:
                raise
            except Exception as fault:  # whatever broke this timing must not take the bisection down
                found = failed_measurement("Timing", fault)
            finally:
                self._progress.end()
            return _clean(found, (), work_dir, renamed={})

    def _timed(
        self, claim: Claim, subjects: Mapping[Side, str], builds: Mapping[Side, str], work_dir: Path
    ) -> Measurement:
        assert claim.workload is not None
        introductions, resolver = Introductions(work_dir / "logs"), Resolver()
        workload = load_workload(claim.workload)
        absence = Requirements(resolver).missing((), rom_ids=workload.needed_files)
        if absence is not None:
            return absence
        for name in (REFERENCE, *subjects.values()):
            broken = introductions.absence(name, promised=True)
            if broken is not None:
                return broken
        run = run_of(claim.candidate_run, workload)
        rom = resolver.read(workload.rom)
        plan = ChangePlan(
            subject=claim.subject,
            subjects=subjects,
            builds=builds,
            workload=workload,
            rom=rom,
            stream=workload.input_stream(lanes=run.num_envs, resolver=resolver),
            run=run,
            repeats=not any(introductions.lacking(name, ("timing-passes",)) for name in subjects.values()),
            comparisons=1,
            order_seed=secrets.randbits(32),
            deadline_s=time.monotonic() + self._options.timing_budget_s,
            digest_from=tuple(side for side, name in subjects.items() if not introductions.lacking(name, ("digest",))),
            log_dir=work_dir / "logs",
        )
        load = wait_for_quiet(
            limit_s=self._options.quiet_wait_s, allow_busy=self._options.allow_busy, tell=self._progress.note
        )
        if load.busy and not load.overridden:
            raise MachineBusy(load)
        plan = with_passes(plan, pilot(plan))
        expected = expected_state(workload, rom, lanes=run.num_envs, resolver=resolver)
        return measure_change(plan, expected=expected, load=load, on_block=lambda *_: self._progress.advance("block"))

    @contextmanager
    def _started_from(self, builds: dict[str, Commit], work_dir: Path) -> Iterator[dict[tuple[str, str], str]]:
        """For the block, start the project's consoles from these builds. The answer names a subject by name and label
        where it has a name of its own; one build of nesproof's own emulator keeps the names as they are, so that a
        suite that holds two consoles against each other has both from it.
        """
        project = self._path.projects[self._path.bad.sha]
        changed = {**limits_environment(self._limits)}
        names: dict[tuple[str, str], str] = {}
        if project.is_own:
            # The first of them also lends the reference, against which timed runs are held.
            changed[EMULATOR_VARIABLE] = str(self._builds[next(iter(builds.values())).sha].folder)
        if not project.is_own or len(builds) > 1:
            file = work_dir / "subjects.toml"
            names = write_subjects(file, {label: self._builds[c.sha] for label, c in builds.items()}, project)
            changed[SUBJECT_FILE_VARIABLE] = subject_files_with(file)
        with variables_set(changed):
            yield names


def require_subject(path: CommitPath, claim: Claim) -> None:
    """See that the claim is about something that the revisions decide.

    Raises:
        ConfigurationError: its subject is none of the project's.
    """
    project = path.projects[path.bad.sha]
    names = subject_names(project)
    if claim.subject not in names:
        raise ConfigurationError(
            f"{claim.id} is about {claim.subject}, which no revision of this project changes; its own subjects are: "
            f"{', '.join(names)}."
        )


def _clean(found: Measurement, suites: tuple[SuiteRun, ...], work_dir: Path, *, renamed: Mapping[str, str]) -> Measured:
    """Without this machine's paths and names, and under the subject's own name; logs and frames are not kept."""
    scrubber: Scrubber = scrubber_for_this_machine([(work_dir, "<work>")])
    measurement = _MEASUREMENT.validate_python(scrubber.document(found.model_dump(mode="json")))
    if isinstance(measurement, FiguresMeasurement):
        measurement = measurement.model_copy(update={"subject": renamed.get(measurement.subject, measurement.subject)})
    if isinstance(measurement, FailedMeasurement):
        measurement = measurement.model_copy(update={"log": None})
    kept = []
    for run in suites:
        clean = SuiteRun.model_validate(scrubber.document(run.model_dump(mode="json")))
        named = clean.model_copy(update={"subject": renamed.get(run.subject, run.subject)})
        kept.append(without_missing_frames(named, {}, {}))
    return Measured(measurement, tuple(kept))
