"""Frames per second of two subjects, side by side: fresh processes in interleaved blocks, stopped at a look.

Correctness comes first: an untimed run of the reference says where the window must end, and every timed run is held
against it. The timed loop runs inside the worker, so that the protocol's cost is never measured.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nesproof.harness.evidence.model import ExpectedState, Load, RatioMeasurement, Sample
from nesproof.harness.judge.blocks import MINIMUM_RUNS, effects_of, replicates_of
from nesproof.harness.judge.correctness import check_correctness
from nesproof.harness.judge.order import BLOCK_REPLICATES, Side, block_order
from nesproof.harness.judge.sequential import Decision, judge_effects, next_look
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import Workload

__all__ = ["REFERENCE", "ThroughputPlan", "TimingInterrupted", "expected_state", "measure_throughput"]

REFERENCE = "reference"
"""The subject that says where a window must end."""


class TimingInterrupted(KeyboardInterrupt):
    """A person stopped the timing; `measurement` holds the whole blocks until then."""

    def __init__(self, measurement: RatioMeasurement) -> None:
        super().__init__("timing interrupted")
        self.measurement = measurement


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
    threshold: float
    at_most: bool = False
    """True where the claim promises a ratio of `threshold` at most."""
    comparisons: int
    order_seed: int
    deadline_s: float
    digest_from: tuple[Side, ...]
    last_look: int | None = None
    runs: int = MINIMUM_RUNS
    warmup_runs: int = 0
    """Runs thrown away in each process; the workload's own warm-up frames come before the first run in any case."""
    call_timeout_s: float = 120.0
    log_dir: Path | None = None


def expected_state(workload: Workload, rom: bytes, *, log_path: Path | None = None) -> ExpectedState:
    """Where an untimed run of the reference stands at the end of the workload's window.

    Raises:
        SubjectFailed, SubjectUnavailable: the reference did not run.
    """
    with open_subject(REFERENCE, log_path=log_path) as subject:
        subject.load(rom)
        subject.power_on()
        subject.step(np.frombuffer(workload.input_stream(), np.uint8))
        ram = subject.read_ram()
        first = workload.frame_counter_address
        counter = int.from_bytes(ram[first : first + workload.frame_counter_bytes].tobytes(), "little")
        return ExpectedState(
            digest=subject.digest(), ram_sha256=hashlib.sha256(ram.tobytes()).hexdigest(), frame_counter=counter
        )


def measure_throughput(
    plan: ThroughputPlan,
    *,
    expected: ExpectedState,
    load: Load,
    on_block: Callable[[int, int], None] | None = None,
) -> RatioMeasurement:
    """Time blocks until a look decides, the last look is over, or the time is up.

    `on_block(done, next_look)` hears of each whole block.

    Raises:
        TimingInterrupted: Ctrl-C; the whole blocks until then are in its `measurement`.
        SubjectFailed, SubjectUnavailable, NotCapable: a process broke; nothing of the timing is kept.
    """
    samples: list[Sample] = []
    blocks = 0
    spent_s = 0.0
    exhausted = False

    def measurement(*, interrupted: bool = False) -> RatioMeasurement:
        return RatioMeasurement(
            workload=plan.workload.key,
            candidate=plan.candidate,
            baseline=plan.baseline,
            order_seed=plan.order_seed,
            comparisons=plan.comparisons,
            expected=expected,
            load=load,
            samples=tuple(samples),
            digest_from=plan.digest_from,
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
            block = [s for position in range(BLOCK_REPLICATES) for s in _replicate(plan, blocks, position)]
            spent_s += time.monotonic() - started
            samples += block
            blocks += 1
            if on_block is not None:
                on_block(blocks, look)
            if check_correctness(measurement()).wrong_side is not None:
                break
            if blocks == look and _decided(plan, samples):
                break
    except KeyboardInterrupt:
        raise TimingInterrupted(measurement(interrupted=True)) from None
    return measurement()


def _decided(plan: ThroughputPlan, samples: list[Sample]) -> bool:
    replicates = replicates_of(samples, order_seed=plan.order_seed)
    effects = effects_of(replicates, threshold=plan.threshold, at_most=plan.at_most)
    return judge_effects(effects, comparisons=plan.comparisons).decision is not Decision.UNDECIDED


def _replicate(plan: ThroughputPlan, block: int, position: int) -> list[Sample]:
    side = block_order(plan.order_seed, block)[position]
    name = plan.candidate if side == "candidate" else plan.baseline
    log_path = None if plan.log_dir is None else plan.log_dir / f"timing-{name}.txt"
    workload = plan.workload
    with open_subject(name, timeout_s=plan.call_timeout_s, log_path=log_path) as subject:
        timed = subject.time_workload(
            plan.rom,
            workload.input_stream(),
            warmup_frames=workload.warmup_frames,
            frames=workload.frames,
            draw=workload.draw,
            runs=plan.runs,
            warmup_runs=plan.warmup_runs,
            frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
        )
    return [
        Sample(
            side=side,
            block=block,
            position=position,
            run=number,
            elapsed_ns=run.elapsed_ns,
            frames=workload.frames,
            digest=run.digest,
            ram_sha256=run.ram_sha256,
            frame_counter=run.frame_counter,
        )
        for number, run in enumerate(timed)
    ]
