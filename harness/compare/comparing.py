"""Carries comparisons out: how each pair plays, then, alone on the machine, how fast both are, all pairs in turns."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nesproof.harness.compare.batches import MOST_LANES, batch_plays_alike
from nesproof.harness.compare.behaviour import Behaviour, Plays, compare_behaviour
from nesproof.harness.compare.pairs import Compared, Pair
from nesproof.harness.compare.sides import lacking_for, nearest_run
from nesproof.harness.compare.timing import PairTiming, time_pairs
from nesproof.harness.evidence.model import (
    ExpectedState,
    FailedMeasurement,
    Measurement,
    NoMeasurement,
    RunRecord,
    UnavailableMeasurement,
)
from nesproof.harness.judge.comparison import NOT_ASKED
from nesproof.harness.judge.order import SIDES, Side
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.probes.lanes import REFERENCE, expected_state
from nesproof.harness.probes.load import wait_for_quiet
from nesproof.harness.probes.throughput import ThroughputPlan
from nesproof.harness.runner.measuring import failed_measurement
from nesproof.harness.runner.preflight import Introductions
from nesproof.harness.runner.progress import Progress
from nesproof.harness.runner.requirements import Requirements
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["Comparing"]

_BUSY_BUDGET_S = 45.0
"""A busy machine yields figures without intervals, which are worth no more time than this."""
_PROCESS_S = 600.0
"""A process of many consoles of a slow peer takes its time."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass
class Comparing:
    """What was measured lies in `compared` at any moment, so that an interruption loses only what was under way."""

    pairs: Sequence[Pair]
    introductions: Introductions
    resolver: Resolver
    work_dir: Path
    budget_s: float
    allow_busy: bool = False
    quiet_wait_s: float = 15.0
    order_seed: int | None = None
    progress: Progress = field(default_factory=Progress)
    compared: dict[str, Compared] = field(default_factory=dict)
    _expected: dict[tuple[str, int], ExpectedState] = field(default_factory=dict)
    _batches: dict[tuple[str, str, int, int], bool] = field(default_factory=dict)
    _behaviours: dict[tuple[str, str, str], Behaviour | FailedMeasurement | UnavailableMeasurement] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self._log_dir = self.work_dir / "logs"
        self._plays = Plays(self.resolver, self._log_dir, self.progress.advance)
        self._requirements = Requirements(self.resolver)

    def run(self) -> None:
        """Play every pair, then time those that can be timed.

        Raises:
            KeyboardInterrupt: stopped half way; what was measured is in place.
        """
        for pair in self.pairs:
            self._keep(pair, NoMeasurement(reason="Interrupted before it was measured."))
        able = [pair for pair in self.pairs if self._is_able(pair)]
        self.progress.begin("Playing beside each other", None)
        try:
            playing = [pair for pair in able if self._play(pair)]
        finally:
            self.progress.end()
        if playing:
            self._time(playing)

    # --- Behaviour ---------------------------------------------------------------------------------------------------

    def _is_able(self, pair: Pair) -> bool:
        """Whether all that the pair needs is here; where not, that is its measurement."""
        absence: Measurement | None = self._requirements.missing((), rom_ids=pair.workload.needed_files)
        for name in (pair.candidate, pair.baseline):
            absence = absence or self.introductions.absence(name, promised=False)
        for side in SIDES:
            absence = absence or self._lacking(pair, side)
        absence = absence or self.introductions.absence(REFERENCE, promised=True)
        if absence is not None:
            self._keep(pair, absence)
        return absence is None

    def _play(self, pair: Pair) -> bool:
        """How the pair plays; False where that broke, which is then its measurement."""
        key = (pair.candidate, pair.baseline, pair.workload.key)
        if key not in self._behaviours:
            self._behaviours[key] = self._played(pair)
        behaviour = self._behaviours[key]
        if not isinstance(behaviour, Behaviour):
            self._keep(pair, behaviour)
            return False
        try:
            behaviour = self._with_batches(pair, behaviour)
        except Exception as fault:  # as above: whatever broke this pair must not take the others down
            self._keep(pair, failed_measurement("Playing several consoles", fault))
            return False
        name = _UNSAFE.sub("-", f"beside-{pair.candidate}-{pair.baseline}-{pair.workload.key}")[:140]
        picture = None if behaviour.picture is None else f"frames/{name}.png"
        nothing = NoMeasurement(reason="Interrupted before it was timed.")
        self.compared[pair.id] = Compared(pair, behaviour, nothing, picture)
        return True

    def _played(self, pair: Pair) -> Behaviour | FailedMeasurement | UnavailableMeasurement:
        capabilities = self._capabilities(pair.candidate), self._capabilities(pair.baseline)
        try:
            return compare_behaviour(
                pair.candidate, pair.baseline, pair.workload, capabilities=capabilities, plays=self._plays
            )
        except SubjectRefused as refusal:
            return UnavailableMeasurement(missing="cartridge", reason=str(refusal)[:4_000], remedy=None)
        except Exception as fault:  # whatever broke this pair must not take the others down
            return failed_measurement("Playing", fault)

    def _with_batches(self, pair: Pair, behaviour: Behaviour) -> Behaviour:
        """The same, and of each side that runs several consoles whether they play as its console alone."""
        checked = tuple(side for side in SIDES if self._run(pair, side).num_envs > 1)
        differing = tuple(side for side in checked if not self._batch_is_alike(pair, side))
        match = behaviour.match.model_copy(update={"batch_checked": checked, "batch_differs": differing})
        return Behaviour(match, behaviour.picture)

    def _batch_is_alike(self, pair: Pair, side: Side) -> bool:
        name, _ = pair.side(side)
        run = self._run(pair, side)
        key = (name, pair.workload.key, min(run.num_envs, MOST_LANES), min(run.threads, MOST_LANES))
        if key not in self._batches:
            log_path = self._log_dir / f"play-{name}.txt"
            self._batches[key] = batch_plays_alike(name, pair.workload, run, resolver=self.resolver, log_path=log_path)
            self.progress.advance(f"{name}, several consoles", well=self._batches[key])
        return self._batches[key]

    # --- Timing ------------------------------------------------------------------------------------------------------

    def _time(self, pairs: Sequence[Pair]) -> None:
        if self.budget_s <= 0:
            for pair in pairs:
                self._keep(pair, NoMeasurement(reason=NOT_ASKED))
            return
        planned = {pair.id: self._planned(pair) for pair in pairs}
        load = wait_for_quiet(
            limit_s=self.quiet_wait_s,
            allow_busy=self.allow_busy,
            tell=self.progress.note,
        )
        busy = load.busy and not load.overridden
        deadline_s = time.monotonic() + min(self.budget_s, _BUSY_BUDGET_S if busy else float("inf"))
        timings = {key: PairTiming(*plan, load=load) for key, plan in planned.items() if plan is not None}
        self.progress.begin(f"Timing {len(timings)} in turns", LOOKS[0][0] * len(timings))
        try:
            time_pairs(list(timings.values()), deadline_s=deadline_s, on_block=self._on_block)
        finally:
            for pair in pairs:
                if pair.id in timings:
                    timing = timings[pair.id]
                    fault = timing.fault
                    self._keep(pair, timing.measurement() if fault is None else failed_measurement("Timing", fault))
            self.progress.end()

    def _planned(self, pair: Pair) -> tuple[ThroughputPlan, ExpectedState] | None:
        """What to time, and where it must end; None where that cannot be had, which is then the pair's measurement."""
        try:
            plan = self._plan(pair)
            return plan, self._expectation(pair.workload, plan)
        except Exception as fault:  # whatever broke this pair must not take the others down
            self._keep(pair, failed_measurement("Timing", fault))
            return None

    def _on_block(self, timing: PairTiming, going_on: int) -> None:
        state = "broke" if timing.fault else f"block {timing.blocks}"
        self.progress.advance(f"{timing.name}: {state}, {going_on} go on", well=timing.fault is None)

    def _plan(self, pair: Pair) -> ThroughputPlan:
        runs = {side: self._run(pair, side) for side in SIDES}
        lanes = {run.num_envs for run in runs.values()}
        return ThroughputPlan(
            candidate=pair.candidate,
            baseline=pair.baseline,
            candidate_run=runs["candidate"],
            baseline_run=runs["baseline"],
            repeats=self._declaring(pair, "timing-passes"),
            streams={n: pair.workload.input_stream(lanes=n, resolver=self.resolver) for n in lanes},
            workload=pair.workload,
            rom=self.resolver.read(pair.workload.rom),
            threshold=1.0,
            comparisons=1,
            order_seed=secrets.randbits(32) if self.order_seed is None else self.order_seed,
            deadline_s=float("inf"),  # `time_pairs` knows it
            digest_from=self._declaring(pair, "digest"),
            call_timeout_s=_PROCESS_S,
            log_dir=self._log_dir,
        )

    def _expectation(self, workload: Workload, plan: ThroughputPlan) -> ExpectedState:
        lanes = max(plan.candidate_run.num_envs, plan.baseline_run.num_envs)
        if (workload.key, lanes) not in self._expected:
            self._expected[workload.key, lanes] = expected_state(
                workload,
                plan.rom,
                lanes=lanes,
                resolver=self.resolver,
                log_path=self._log_dir / "expected-state.txt",
            )
        return self._expected[workload.key, lanes]

    def _run(self, pair: Pair, side: Side) -> RunRecord:
        name, choice = pair.side(side)
        return nearest_run(name, choice, pair.workload, self._capabilities(name))

    def _lacking(self, pair: Pair, side: Side) -> UnavailableMeasurement | None:
        name, _ = pair.side(side)
        return lacking_for(name, self._run(pair, side), pair.workload, self._capabilities(name))

    def _declaring(self, pair: Pair, capability: str) -> tuple[Side, ...]:
        return tuple(side for side in SIDES if capability in self._capabilities(pair.side(side)[0]))

    def _capabilities(self, name: str) -> frozenset[str]:
        return frozenset(self.introductions.records[name].capabilities)

    def _keep(self, pair: Pair, measurement: Measurement) -> None:
        before = self.compared.get(pair.id)
        behaviour, picture = (None, None) if before is None else (before.behaviour, before.picture)
        self.compared[pair.id] = Compared(pair, behaviour, measurement, picture)
