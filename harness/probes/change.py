"""Timing a before/after: one subject in two builds, processes interleaved, beside an A/A arm of the same job.

Which block comes next is the judge's procedure (`judge.procedure`); each process is timed as every other timing is
(`probes.throughput`), so that each run's end is held against the base's reference.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from nesproof.harness.evidence.model import ChangeMeasurement, ExpectedState, Load, RunRecord, Sample
from nesproof.harness.judge.before_after import DELTA
from nesproof.harness.judge.blocks import MINIMUM_RUNS, MalformedSamples
from nesproof.harness.judge.change import ArmEffects, effects_of_change
from nesproof.harness.judge.correctness import check_change_correctness
from nesproof.harness.judge.order import BLOCK_REPLICATES, Arm, Side, arm_seed
from nesproof.harness.judge.procedure import next_block
from nesproof.harness.probes.throughput import ThroughputPlan, passes_for, quickest_run_ns, replicate
from nesproof.harness.workloads import Workload

__all__ = [
    "FIRST_LOOK_BLOCKS",
    "RUN_NS",
    "BlockWatch",
    "ChangeInterrupted",
    "ChangePlan",
    "Pilot",
    "measure_change",
    "pilot",
    "with_passes",
]

RUN_NS = 75_000_000
"""How long a run should last: half as long again as a verdict asks for, since a machine may have been slower when it
was found how often the window has to be run."""
_PILOT_RUNS = 5
FIRST_LOOK_BLOCKS = 26
"""Blocks of both arms until the first look that can decide: ten against the candidate, sixteen for the floor."""
MOST_DISCARDED = 20


class ChangeInterrupted(KeyboardInterrupt):
    """A person stopped the timing; `measurement` holds the whole blocks until then."""

    def __init__(self, measurement: ChangeMeasurement) -> None:
        super().__init__("timing interrupted")
        self.measurement = measurement


class BlockWatch(Protocol):
    """Watches the device from `__enter__` to `__exit__`."""

    def __enter__(self) -> BlockWatch:
        """Begin to watch."""
        ...

    def __exit__(self, *_: object) -> None:
        """End."""
        ...

    def was_throttled(self) -> bool:
        """Whether something held the device's clocks down meanwhile."""
        ...


class _NoWatch:
    def __enter__(self) -> _NoWatch:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def was_throttled(self) -> bool:
        return False


@dataclass(frozen=True, kw_only=True)
class ChangePlan:
    """What to time. `subjects` names the subject in either build, `builds` what the builds are called.

    `comparisons` is the number of timed comparisons of the gate, fixed before the first sample. `deadline_s` is on
    `time.monotonic()`'s clock; `last_look` caps the blocks against the candidate, None for no cap.
    """

    subject: str
    subjects: Mapping[Side, str]
    builds: Mapping[Side, str]
    workload: Workload
    rom: bytes
    stream: bytes
    run: RunRecord
    repeats: bool
    """Whether the subject can go over its window several times in one run."""
    comparisons: int
    order_seed: int
    deadline_s: float
    digest_from: tuple[Side, ...] = ("candidate", "baseline")
    delta: float = DELTA
    last_look: int | None = None
    runs: int = MINIMUM_RUNS
    warmup_runs: int = 1
    """Runs thrown away in each process, beside the workload's own warm-up frames."""
    call_timeout_s: float = 120.0
    log_dir: Path | None = None

    def of_arm(self, arm: Arm) -> ThroughputPlan:
        """The plan of one arm's processes."""
        candidate = self.subjects["baseline" if arm == "aa" else "candidate"]
        return ThroughputPlan(
            candidate=candidate,
            baseline=self.subjects["baseline"],
            workload=self.workload,
            rom=self.rom,
            threshold=1.0,
            comparisons=self.comparisons,
            order_seed=arm_seed(self.order_seed, arm),
            deadline_s=self.deadline_s,
            digest_from=self.digest_from,
            streams={self.run.num_envs: self.stream},
            candidate_run=self.run,
            baseline_run=self.run,
            runs=self.runs,
            warmup_runs=self.warmup_runs,
            call_timeout_s=self.call_timeout_s,
            log_dir=self.log_dir,
        )


@dataclass(frozen=True)
class Pilot:
    """What a first process of each side tells: the passes of a run, and how long a process takes."""

    passes: int
    run_ns: int
    process_s: float

    @property
    def first_look_s(self) -> float:
        """About how long it takes until a verdict can be in."""
        return FIRST_LOOK_BLOCKS * BLOCK_REPLICATES * self.process_s


def pilot(plan: ChangePlan) -> Pilot:
    """Run a process of either side, and find how often the window is to be run so that the quicker side lasts
    `RUN_NS`.

    Raises:
        SubjectFailed, SubjectUnavailable, NotCapable, SubjectRefused: a process broke.
    """
    arm = plan.of_arm("ab")
    quickest, spent = [], []
    for side in ("baseline", "candidate"):
        started = time.monotonic()
        quickest.append(quickest_run_ns(arm, side, runs=_PILOT_RUNS))
        spent.append(time.monotonic() - started - _PILOT_RUNS * quickest[-1] / 1e9)
    window_ns = min(quickest)
    passes = passes_for(window_ns, run_ns=RUN_NS) if plan.repeats else 1
    run_ns = window_ns * passes
    return Pilot(passes, run_ns, max(0.0, *spent) + (plan.runs + plan.warmup_runs) * run_ns / 1e9)


def measure_change(
    plan: ChangePlan,
    *,
    expected: ExpectedState,
    expected_of_candidate: ExpectedState | None = None,
    load: Load,
    on_block: Callable[[Arm, Mapping[Arm, int]], None] | None = None,
    watched: Callable[[], BlockWatch] | None = None,
) -> ChangeMeasurement:
    """Time blocks until the procedure is over, a side's frames are wrong, or the time is up.

    `expected` is where every run must end; of the candidate's, `expected_of_candidate` where that is given.
    `on_block(arm, done)` hears of each whole block and of how many each arm has. `watched` gives what watches the
    device over a block; a block over which it was throttled is timed again, at most `MOST_DISCARDED` times in all.

    Raises:
        ChangeInterrupted: Ctrl-C; the whole blocks until then are in its `measurement`.
        SubjectFailed, SubjectUnavailable, NotCapable: a process broke; nothing of the timing is kept.
    """
    arms: dict[Arm, ThroughputPlan] = {arm: plan.of_arm(arm) for arm in ("ab", "aa", "confirmation")}
    state = _State(plan, expected, expected_of_candidate, load)
    spent_s = 0.0
    discarded = 0
    try:
        while (arm := state.next_arm()) is not None:
            blocks = sum(state.done.values())
            if time.monotonic() + (spent_s / blocks if blocks else 0.0) > plan.deadline_s:
                return state.measurement(budget_exhausted=True)
            started = time.monotonic()
            with watched() if watched is not None else _NoWatch() as watch:
                block = [s for at in range(BLOCK_REPLICATES) for s in replicate(arms[arm], state.done[arm], at)]
            if watch.was_throttled():
                discarded += 1
                if discarded > MOST_DISCARDED:
                    return state.measurement(budget_exhausted=True)
                continue
            spent_s += time.monotonic() - started
            state.add(arm, block)
            if on_block is not None:
                on_block(arm, MappingProxyType(state.done))
            if state.is_wrong():
                break
    except KeyboardInterrupt:
        raise ChangeInterrupted(state.measurement(interrupted=True)) from None
    return state.measurement()


@dataclass
class _State:
    plan: ChangePlan
    expected: ExpectedState
    expected_of_candidate: ExpectedState | None
    load: Load
    samples: dict[Arm, list[Sample]] = field(default_factory=lambda: {"ab": [], "aa": [], "confirmation": []})
    done: dict[Arm, int] = field(default_factory=lambda: {"ab": 0, "aa": 0, "confirmation": 0})

    def add(self, arm: Arm, block: list[Sample]) -> None:
        self.samples[arm] += block
        self.done[arm] += 1

    def next_arm(self) -> Arm | None:
        try:
            effects = effects_of_change(self.measurement())
        except MalformedSamples:  # the judge says what is wrong with them
            return None
        return self.next_after(effects)

    def next_after(self, effects: ArmEffects) -> Arm | None:
        return next_block(
            effects.ab,
            effects.aa,
            effects.confirmation,
            delta=self.plan.delta,
            comparisons=self.plan.comparisons,
            last_look=self.plan.last_look,
        )

    def is_wrong(self) -> bool:
        return check_change_correctness(self.measurement()).wrong_side is not None

    def measurement(self, *, budget_exhausted: bool = False, interrupted: bool = False) -> ChangeMeasurement:
        plan = self.plan
        return ChangeMeasurement(
            workload=plan.workload.key,
            subject=plan.subject,
            run=plan.run,
            baseline=plan.builds["baseline"],
            candidate=plan.builds["candidate"],
            order_seed=plan.order_seed,
            comparisons=plan.comparisons,
            delta=plan.delta,
            expected=self.expected,
            expected_of_candidate=self.expected_of_candidate,
            load=self.load,
            samples=tuple(self.samples["ab"]),
            aa_samples=tuple(self.samples["aa"]),
            confirmation_samples=tuple(self.samples["confirmation"]),
            digest_from=plan.digest_from,
            budget_exhausted=budget_exhausted,
            interrupted=interrupted,
        )


def with_passes(plan: ChangePlan, found: Pilot) -> ChangePlan:
    """The plan with as many passes a run as the pilot found."""
    return dataclasses.replace(plan, run=plan.run.model_copy(update={"passes": found.passes}))
