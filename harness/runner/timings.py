"""From a timed claim to what is timed: both sides' runs, the input, how many blocks and until when."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.evidence.model import ExpectedState, RunRecord
from nesproof.harness.judge.order import Side
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import Play, ThroughputPlan, run_of
from nesproof.harness.runner.plan import TimingPlan
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["Timings"]


@dataclass
class Timings:
    """Plans timings; where a window must end is asked of the reference once for each workload and number of lanes."""

    introductions: Introductions
    resolver: Resolver
    log_dir: Path
    order_seed: int | None = None
    _expected: dict[tuple[str, int], ExpectedState] = field(default_factory=dict)

    def plan(
        self,
        timing: TimingPlan,
        *,
        deadline_s: float,
        comparisons: int,
        last_look: int | None,
        most_blocks: int | None = None,
        candidate: str | None = None,
    ) -> ThroughputPlan:
        """What to time. `candidate` is another form of the claim's subject, with the same capabilities, to be timed in
        its place.

        Raises:
            RomError, HarnessError: the workload's cartridge or input cannot be had.
        """
        claim, workload, other = timing.claim, timing.workload, timing.baseline_workload
        assert claim.baseline is not None
        ours = _observed(run_of(claim.candidate_run, workload), claim.subject)
        theirs = _observed(run_of(claim.baseline_run, other or workload), claim.baseline)
        lanes = {ours.num_envs} if other is not None else {ours.num_envs, theirs.num_envs}
        return ThroughputPlan(
            candidate=candidate or claim.subject,
            baseline=claim.baseline,
            candidate_run=ours,
            baseline_run=theirs,
            repeats=self._sides(claim.subject, claim.baseline, "timing-passes"),
            streams=self._streams(workload, lanes),
            workload=workload,
            rom=self.resolver.read(workload.rom),
            baseline_play=None if other is None else self._play(other, {theirs.num_envs}),
            threshold=claim.threshold,
            at_most=claim.at_most is not None,
            comparisons=comparisons,
            order_seed=secrets.randbits(32) if self.order_seed is None else self.order_seed,
            deadline_s=deadline_s,
            digest_from=self._sides(claim.subject, claim.baseline, "digest"),
            last_look=last_look,
            most_blocks=most_blocks,
            log_dir=self.log_dir,
        )

    def expected(self, plan: ThroughputPlan) -> ExpectedState:
        """Where the candidate's window must end, for as many lanes as it has, or the baseline of the same workload.

        Raises:
            SubjectFailed, SubjectUnavailable, SubjectRefused: the reference did not run it.
        """
        return self._end_of(Play(plan.workload, plan.rom, plan.streams))

    def baseline_expected(self, plan: ThroughputPlan) -> ExpectedState | None:
        """Where the window of a baseline with a workload of its own must end; None where there is none.

        Raises:
            SubjectFailed, SubjectUnavailable, SubjectRefused: as above.
        """
        return None if plan.baseline_play is None else self._end_of(plan.baseline_play)

    def _end_of(self, play: Play) -> ExpectedState:
        lanes = max(play.streams)
        key = (play.workload.key, lanes)
        if key not in self._expected:
            self._expected[key] = expected_state(
                play.workload,
                play.rom,
                lanes=lanes,
                resolver=self.resolver,
                log_path=self.log_dir / "expected-state.txt",
            )
        return self._expected[key]

    def _play(self, workload: Workload, lanes: set[int]) -> Play:
        return Play(workload, self.resolver.read(workload.rom), self._streams(workload, lanes))

    def _streams(self, workload: Workload, lanes: set[int]) -> dict[int, bytes]:
        return {n: workload.input_stream(lanes=n, resolver=self.resolver) for n in lanes}

    def _sides(self, candidate: str, baseline: str, capability: str) -> tuple[Side, ...]:
        """The sides whose subject declares the capability."""
        named: Sequence[tuple[Side, str]] = (("candidate", candidate), ("baseline", baseline))
        return tuple(side for side, name in named if not self.introductions.lacking(name, (capability,)))


def _observed(run: RunRecord, subject: str) -> RunRecord:
    """The run with what its frames are, where it draws any."""
    draws = find_subject(subject).draws
    return run.model_copy(update={"observation": draws if run.draw != "none" else ""})
