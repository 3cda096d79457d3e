"""Frames per second of two subjects, side by side: fresh processes in interleaved blocks, stopped at a look.

Correctness comes first: an untimed run of the reference says where the window must end, and every timed run is held
against it. The timed loop runs inside the worker, so that the protocol's cost is never measured.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.evidence.capture import usable_cores
from nesproof.harness.evidence.model import (
    ExpectedState,
    LaneDigest,
    LanePicture,
    Load,
    RatioMeasurement,
    RunRecord,
    Sample,
    SpotCheck,
)
from nesproof.harness.judge.blocks import MINIMUM_RUNS, effects_of, replicates_of
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.judge.order import BLOCK_REPLICATES, Side, block_order
from nesproof.harness.judge.sequential import Decision, judge_effects, next_look
from nesproof.harness.probes.lanes import WAIT_LIMIT_FRAMES, sampled_lanes
from nesproof.harness.probes.spot_checks import spot_check
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.replies import TimedRun
from nesproof.harness.subjects.timing import TimingOptions
from nesproof.harness.workloads import Workload

__all__ = [
    "Play",
    "ThroughputPlan",
    "TimingInterrupted",
    "measure_throughput",
    "measurement_of",
    "options_of",
    "passes_for",
    "quickest_run_ns",
    "replicate",
    "run_of",
    "time_block",
    "with_passes",
]

_RUN_NS = 160_000_000
"""How long one run of a side that can go over its window several times should last: three times what a verdict asks,
since the machine may have been slower when it was found how often."""
_MOST_PASSES = 10_000


class TimingInterrupted(KeyboardInterrupt):
    """A person stopped the timing; `measurement` holds the whole blocks until then."""

    def __init__(self, measurement: RatioMeasurement) -> None:
        super().__init__("timing interrupted")
        self.measurement = measurement


@dataclass(frozen=True)
class Play:
    """A workload with its cartridge, and its input by number of lanes."""

    workload: Workload
    rom: bytes
    streams: dict[int, bytes]


@dataclass(frozen=True, kw_only=True)
class ThroughputPlan:
    """What to time. `comparisons` is the number of timed claims of the run, fixed before the first sample.

    `deadline_s` is on `time.monotonic()`'s clock; `last_look` caps the blocks, None for no cap. `call_timeout_s`
    bounds one process.
    """

    candidate: str
    baseline: str
    workload: Workload
    rom: bytes
    baseline_play: Play | None = None
    """What the baseline plays where it is another workload."""
    threshold: float
    at_most: bool = False
    """True where the claim promises a ratio of `threshold` at most."""
    comparisons: int
    order_seed: int
    deadline_s: float
    digest_from: tuple[Side, ...]
    streams: dict[int, bytes]
    """The workload's input by number of lanes."""
    candidate_run: RunRecord
    baseline_run: RunRecord
    repeats: tuple[Side, ...] = ()
    """The sides whose subject can go over its window several times in one run."""
    last_look: int | None = None
    most_blocks: int | None = None
    """Where whether the frames are the right ones is all that is asked: end after so many blocks, without a verdict."""
    runs: int = MINIMUM_RUNS
    warmup_runs: int = 0
    """Runs thrown away in each process; the workload's own warm-up frames come before the first run in any case."""
    call_timeout_s: float = 120.0
    log_dir: Path | None = None

    def side(self, side: Side) -> tuple[str, RunRecord]:
        """A side's subject, and how it is run."""
        if side == "candidate":
            return self.candidate, self.candidate_run
        return self.baseline, self.baseline_run

    def play_of(self, side: Side) -> Play:
        """What a side plays."""
        if side == "baseline" and self.baseline_play is not None:
            return self.baseline_play
        return Play(self.workload, self.rom, self.streams)


def run_of(choice: RunChoice, workload: Workload) -> RunRecord:
    """How a side is run: the claim's choice, with the number of cores that may be used here in place of "cores", and
    for the rest the workload's way. One pass; `measure_throughput` finds how many there must be.
    """
    cores = usable_cores()
    return RunRecord(
        draw=choice.drawing(workload.draw),
        num_envs=choice.consoles_on(cores),
        threads=choice.threads_on(cores),
        frame_skip=choice.skipping(workload.draw),
        idle_skipping=choice.idle_skipping,
    )


def options_of(run: RunRecord, workload: Workload) -> TimingOptions:
    """The same in the words of the subject protocol."""
    return TimingOptions(
        passes=run.passes,
        wait_for=workload.wait_for,
        wait_limit_frames=WAIT_LIMIT_FRAMES,
        lanes=run.num_envs,
        threads=run.threads,
        frame_skip=run.frame_skip,
        idle_skipping=run.idle_skipping,
        sample_lanes=sampled_lanes(run.num_envs) if run.num_envs > 1 else (),
    )


def measure_throughput(
    plan: ThroughputPlan,
    *,
    expected: ExpectedState,
    baseline_expected: ExpectedState | None = None,
    load: Load,
    on_block: Callable[[int, int], None] | None = None,
) -> RatioMeasurement:
    """Time blocks until a look decides, the last look is over, or the time is up.

    `baseline_expected` goes with a baseline that plays another workload. `on_block(done, next_look)` hears of each
    whole block.

    Raises:
        TimingInterrupted: Ctrl-C; the whole blocks until then are in its `measurement`.
        SubjectFailed, SubjectUnavailable, NotCapable: a process broke; nothing of the timing is kept.
    """
    plan = with_passes(plan)
    samples: list[Sample] = []
    blocks = 0
    spent_s = 0.0
    exhausted = False

    def measurement(*, interrupted: bool = False) -> RatioMeasurement:
        return measurement_of(
            plan,
            samples,
            expected=expected,
            baseline_expected=baseline_expected,
            load=load,
            budget_exhausted=exhausted,
            interrupted=interrupted,
        )

    try:
        while (look := next_look(blocks, last=plan.last_look)) is not None:
            per_block_s = spent_s / blocks if blocks else 0.0
            if time.monotonic() + per_block_s * (look - blocks) > plan.deadline_s:
                exhausted = True
                break
            started = time.monotonic()
            block = time_block(plan, blocks)
            spent_s += time.monotonic() - started
            samples += block
            blocks += 1
            if on_block is not None:
                on_block(blocks, look)
            if check_correctness(measurement()).wrong_side is not None:
                break
            if blocks == look and _decided(plan, samples):
                break
            if blocks == plan.most_blocks:
                exhausted = True
                break
    except KeyboardInterrupt:
        raise TimingInterrupted(measurement(interrupted=True)) from None
    return measurement()


def time_block(plan: ThroughputPlan, block: int) -> list[Sample]:
    """Time the processes of a block, in the block's order."""
    return [s for position in range(BLOCK_REPLICATES) for s in replicate(plan, block, position)]


def measurement_of(
    plan: ThroughputPlan,
    samples: Sequence[Sample],
    *,
    expected: ExpectedState,
    baseline_expected: ExpectedState | None = None,
    load: Load,
    budget_exhausted: bool,
    interrupted: bool,
) -> RatioMeasurement:
    """What the samples that a plan has given so far are as a measurement."""
    return RatioMeasurement(
        workload=plan.workload.key,
        candidate=plan.candidate,
        baseline=plan.baseline,
        baseline_workload=None if plan.baseline_play is None else plan.baseline_play.workload.key,
        candidate_run=plan.candidate_run,
        baseline_run=plan.baseline_run,
        order_seed=plan.order_seed,
        comparisons=plan.comparisons,
        expected=expected,
        baseline_expected=baseline_expected,
        load=load,
        samples=tuple(samples),
        digest_from=plan.digest_from,
        budget_exhausted=budget_exhausted,
        interrupted=interrupted,
    )


def _decided(plan: ThroughputPlan, samples: list[Sample]) -> bool:
    replicates = replicates_of(samples, order_seed=plan.order_seed)
    effects = effects_of(replicates, threshold=plan.threshold, at_most=plan.at_most)
    return judge_effects(effects, comparisons=plan.comparisons).decision is not Decision.UNDECIDED


def with_passes(plan: ThroughputPlan) -> ThroughputPlan:
    """The plan with as many passes a run as a fast side needs to last long enough, found in a process of its own."""
    for side in plan.repeats:
        _, run = plan.side(side)
        passes = passes_for(quickest_run_ns(plan, side), run_ns=_RUN_NS)
        run = run.model_copy(update={"passes": passes})
        if side == "candidate":
            plan = dataclasses.replace(plan, candidate_run=run)
        else:
            plan = dataclasses.replace(plan, baseline_run=run)
    return plan


def passes_for(window_ns: int, *, run_ns: int) -> int:
    """How often a run must go over a window of `window_ns` to last `run_ns`, within reason."""
    return min(max(1, math.ceil(run_ns / window_ns)), _MOST_PASSES)


def quickest_run_ns(plan: ThroughputPlan, side: Side, *, runs: int = 3) -> int:
    """How long the shortest of a few runs of a side lasts, found in a process of its own."""
    return min(timed.elapsed_ns for timed in _timed(plan, side, runs=runs)[0])


def replicate(plan: ThroughputPlan, block: int, position: int) -> list[Sample]:
    """The samples of one process: the one at that position of that block, in the order that the plan's seed gives."""
    side = block_order(plan.order_seed, block)[position]
    _, run = plan.side(side)
    lanes = sampled_lanes(run.num_envs)
    seed = f"{plan.order_seed}/{block}/{position}"
    runs, spot = _timed(plan, side, runs=plan.runs, warmup_runs=plan.warmup_runs, spot_seed=seed)
    return [
        Sample(
            side=side,
            block=block,
            position=position,
            run=number,
            elapsed_ns=timed.elapsed_ns,
            frames=plan.play_of(side).workload.frames * run.num_envs * run.passes,
            digest=timed.digest,
            ram_sha256=timed.ram_sha256,
            frame_counter=timed.frame_counter,
            lane_digests=tuple(LaneDigest(lane=n, digest=d) for n, d in zip(lanes, timed.lane_digests, strict=False)),
            pictures=tuple(LanePicture(lane=n, picture=p) for n, p in zip(lanes, timed.pictures, strict=False)),
            spot=spot if number == 0 else None,
        )
        for number, timed in enumerate(runs)
    ]


def _timed(
    plan: ThroughputPlan, side: Side, *, runs: int, warmup_runs: int = 0, spot_seed: str | None = None
) -> tuple[list[TimedRun], SpotCheck | None]:
    """The timed runs of one process, and with a seed what a spot check saw where frames are drawn."""
    name, run = plan.side(side)
    play = plan.play_of(side)
    workload = play.workload
    log_path = None if plan.log_dir is None else plan.log_dir / f"timing-{name}.txt"
    with open_subject(name, timeout_s=plan.call_timeout_s, log_path=log_path) as subject:
        timed = subject.time_workload(
            play.rom,
            play.streams[run.num_envs],
            warmup_frames=workload.warmup_frames,
            frames=workload.frames,
            draw=run.draw,
            runs=runs,
            warmup_runs=warmup_runs,
            frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
            options=options_of(run, workload),
        )
        if spot_seed is None or run.draw == "none" or not any(one.pictures for one in timed):
            return timed, None
        return timed, spot_check(
            subject,
            workload=workload,
            rom=play.rom,
            stream=play.streams[run.num_envs],
            run=run,
            options=options_of(run, workload),
            seed=spot_seed,
        )
