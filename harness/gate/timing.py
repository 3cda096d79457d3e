"""Timing what the deterministic metrics left open: planned within the budget, then one comparison after the other."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from nesproof.harness.evidence.model import ChangeMeasurement, ExpectedState, Load
from nesproof.harness.gate.document import Absence, GpuBlock, Timing
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.plan import SIDES, TimingJob, out_of_budget
from nesproof.harness.gate.selection import GPU_SUBJECT
from nesproof.harness.gate.sides import reference_of
from nesproof.harness.judge.order import Arm, Side
from nesproof.harness.judge.sequential import LOOKS
from nesproof.harness.probes.change import (
    RUN_NS,
    BlockWatch,
    ChangeInterrupted,
    ChangePlan,
    Pilot,
    measure_change,
    pilot,
    with_passes,
)
from nesproof.harness.probes.gpu_watch import GpuWatch
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.runner.measuring import failed_measurement
from nesproof.harness.runner.progress import Progress
from nesproof.roms_manifest import Resolver

__all__ = ["Prepared", "TimingInterrupted", "plan_timings", "time_jobs"]

_BUSY_JOB_S = 30.0
"""A busy machine yields a figure without a verdict, which is worth no more time than this."""


class TimingInterrupted(KeyboardInterrupt):
    """A person stopped the timing; `timings` are those that were under way or done."""

    def __init__(self, timings: list[Timing]) -> None:
        super().__init__("timing interrupted")
        self.timings = timings


@dataclass
class Prepared:
    """A job that was looked at: its plan and what a first process told, or why it cannot be timed."""

    job: TimingJob
    plan: ChangePlan | None = None
    found: Pilot | None = None
    absence: Absence | None = None

    def timing(self, measured: ChangeMeasurement | Absence, *, duration_s: float = 0.0, **more: Any) -> Timing:
        """The document's entry."""
        workload = self.job.workload if self.plan is None else self.plan.workload
        return Timing(
            id=self.job.id,
            subject=self.job.subject,
            workload=self.job.workload.key,
            run=self.job.run if self.plan is None else self.plan.run,
            window_frames=workload.frames,
            claims=tuple(claim.id for claim in self.job.claims),
            estimate_s=None if self.found is None else round(self.found.first_look_s, 1),
            duration_s=round(duration_s, 2),
            measurement=measured,
            **more,
        )


def plan_timings(
    jobs: list[TimingJob],
    order: GateOrder,
    digest_from: Callable[[str], tuple[Side, ...]],
    repeats: Callable[[str], bool],
    *,
    resolver: Resolver,
    log_dir: Path,
) -> list[Prepared]:
    """Run a first process of each job, and leave out those whose first look does not fit into the budget."""
    prepared, spent = [], 0.0
    for number, job in enumerate(jobs):
        one = _prepared(job, number, order, digest_from(job.subject), repeats(job.subject), resolver, log_dir)
        if one.found is not None:
            if spent + one.found.first_look_s > order.flags.budget_s:
                one.absence = out_of_budget(one.found.first_look_s, order.flags.budget_s - spent)
            else:
                spent += one.found.first_look_s
        prepared.append(one)
    return prepared


def _prepared(  # noqa: PLR0917
    job: TimingJob,
    number: int,
    order: GateOrder,
    digest_from: tuple[Side, ...],
    repeats: bool,
    resolver: Resolver,
    log_dir: Path,
) -> Prepared:
    try:
        plan = ChangePlan(
            subject=job.subject,
            subjects=order.subjects[job.subject],
            builds={"baseline": order.baseline.commit, "candidate": order.candidate.commit},
            workload=job.workload,
            rom=resolver.read(job.workload.rom),
            stream=job.workload.input_stream(lanes=job.run.num_envs, resolver=resolver),
            run=job.run,
            repeats=repeats,
            comparisons=1,
            order_seed=order.flags.order_seed + number,
            deadline_s=math.inf,
            digest_from=digest_from,
            log_dir=log_dir,
        )
        found = pilot(plan)
        if not repeats and found.run_ns > 2 * RUN_NS:
            plan = _shortened(plan, found, resolver)
            found = pilot(plan)
        return Prepared(job, with_passes(plan, found), found)
    except Exception as fault:  # whatever broke this job must not take the others down
        return Prepared(job, absence=failed_measurement("Timing", fault))


def _shortened(plan: ChangePlan, found: Pilot, resolver: Resolver) -> ChangePlan:
    """Of the window so many whole calls as last `RUN_NS`: a slow subject would take an hour over all of it."""
    calls = math.ceil(plan.workload.frames / plan.run.frame_skip * RUN_NS / found.run_ns)
    frames = min(plan.workload.frames, max(1, calls) * plan.run.frame_skip)
    workload = plan.workload.model_copy(update={"frames": frames})
    stream = workload.input_stream(lanes=plan.run.num_envs, resolver=resolver)
    return dataclasses.replace(plan, workload=workload, stream=stream)


def time_jobs(
    prepared: list[Prepared],
    order: GateOrder,
    load: Load,
    *,
    resolver: Resolver,
    progress: Progress,
) -> list[Timing]:
    """Time what was planned; what time a comparison leaves goes to those after it.

    Raises:
        TimingInterrupted: Ctrl-C; what was timed is in its `timings`.
    """
    timed = [one for one in prepared if one.absence is None]
    timings = [one.timing(one.absence) for one in prepared if one.absence is not None]
    ends = time.monotonic() + order.flags.budget_s
    for number, one in enumerate(timed):
        assert one.plan is not None
        busy = load.busy and not load.overridden
        share_s = (ends - time.monotonic()) / (len(timed) - number)
        plan = dataclasses.replace(
            one.plan,
            comparisons=len(timed),
            deadline_s=time.monotonic() + min(share_s, _BUSY_JOB_S if busy else math.inf),
            last_look=LOOKS[0][0] if busy else None,
        )
        one.plan = plan
        try:
            timings.append(_time(one, plan, order, load, resolver, progress))
        except ChangeInterrupted as stopped:
            raise TimingInterrupted([*timings, one.timing(stopped.measurement)]) from None
        except KeyboardInterrupt:
            raise TimingInterrupted(timings) from None
    return timings


def _time(  # noqa: PLR0917
    one: Prepared, plan: ChangePlan, order: GateOrder, load: Load, resolver: Resolver, progress: Progress
) -> Timing:
    progress.begin(one.job.id, None)
    started, before = time.monotonic(), psutil.cpu_times()
    watches = _Watches()
    try:
        expected: dict[Side, ExpectedState] = {}
        for side in SIDES if order.own_references else SIDES[:1]:
            with reference_of(order, side):
                expected[side] = expected_state(plan.workload, plan.rom, lanes=plan.run.num_envs, resolver=resolver)
        measured: ChangeMeasurement | Absence = measure_change(
            plan,
            expected=expected["baseline"],
            expected_of_candidate=expected.get("candidate"),
            load=load,
            on_block=lambda arm, done: progress.advance(_in_words(arm, done)),
            watched=watches.new if one.job.subject == GPU_SUBJECT else None,
        )
    except Exception as fault:  # whatever broke this timing must not take the others down
        measured = failed_measurement("Timing", fault)
    finally:
        progress.end()
    steal = _steal_share(before, psutil.cpu_times())
    return one.timing(measured, duration_s=time.monotonic() - started, steal_share=steal, gpu=tuple(watches.blocks))


def _in_words(arm: Arm, done: Mapping[Arm, int]) -> str:
    return f"{done['ab']} blocks, {done['aa']} of the base against itself, {done['confirmation']} to confirm ({arm})"


def _steal_share(before: Any, after: Any) -> float | None:
    """The share of all processors that the host took in between; None where the system does not say."""
    if not hasattr(after, "steal"):
        return None
    total = sum(after) - sum(before)
    return round(max(0.0, after.steal - before.steal) / total, 4) if total > 0 else None


@dataclass
class _Watches:
    """Watches each block on a GPU, and keeps what was seen."""

    blocks: list[GpuBlock] = field(default_factory=list)

    def new(self) -> BlockWatch:
        return _Watch(self.blocks)


class _Watch:
    def __init__(self, blocks: list[GpuBlock]) -> None:
        self._blocks, self._watch = blocks, GpuWatch()

    def __enter__(self) -> _Watch:
        self._watch.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.__exit__(None, None, None)
        self._blocks.append(GpuBlock(condition=self._watch.condition, was_discarded=self.was_throttled()))

    def was_throttled(self) -> bool:
        condition = self._watch.condition
        return condition is not None and bool(condition.throttle_reasons)
