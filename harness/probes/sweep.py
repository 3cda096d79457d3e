"""Frames per second by number of consoles: the sweep with its knee, and where a device overtakes one CPU core."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.claims.runs import Draw, RunChoice
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.gpu_samples import GpuSample
from nesproof.harness.evidence.model import (
    ExpectedState,
    FigureRow,
    FiguresMeasurement,
    RunRecord,
    SpotCheck,
    StateCheck,
)
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.probes.gpu_runs import watched_runs
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.spot_checks import spot_check
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.subjects.errors import SubjectRefused
from nesproof.harness.subjects.replies import TimedRun
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

__all__ = ["KNEE_SHARE", "SWEEP", "knee_of", "measure_sweep"]

SWEEP = (1, 2, 4, 8, 16, 32, 128, 512, 2048, 8192, 32768, 131072)
"""Numbers of consoles."""
KNEE_SHARE = 0.9
"""The knee is the smallest number of consoles that reaches this share of the best speed."""
_ONE_CORE = "core"
_RUNS = 5
_RUN_NS = 60_000_000
_CALL_S = 300.0


@dataclass(frozen=True)
class _Sweep:
    workload: Workload
    rom: bytes
    resolver: Resolver
    log: Path


def measure_sweep(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """Time every number of consoles, decorrelated lanes, not drawing and drawing the last of 4 frames.

    What runs on a GPU is timed by the GPU's own clock, one run at a time; around and during each, its clocks, heat,
    power and throttle reasons are read. A throttled run is kept as a sample and counts for no figure; it is made up
    for, within limits. Where too many are, that number of consoles has no row, and that way to draw no summary.

    Rows are labelled `num_envs` and `draw`; a number that does not fit into the device's memory has no row. Beside them
    `part` = `best`, `knee` and `overtakes-one-core` (for each `draw`) name the row with the most frames per second, the
    knee, and the smallest number of consoles that is faster than one console of the subject `core` on one CPU core. A
    figure is the median of five runs; every run's digests of a sample of lanes are held against the reference.
    """
    if plan.workload is None:
        raise ConfigurationError("A claim about absolute speed names a workload.")
    workload = plan.workload
    log = work_dir / "logs" / f"sweep-{plan.subject}.txt"
    sweep = _Sweep(workload, resolver.read(workload.rom), resolver, log)
    rows: list[FigureRow] = []
    checks: list[StateCheck] = []
    draws: tuple[Draw, ...] = ("none", "last-of-4")
    sizes = [int(n) for n in plan.wanted("num_envs") if not isinstance(n, str)] or list(SWEEP)
    speeds: dict[Draw, dict[int, float]] = {draw: {} for draw in draws}
    samples: list[GpuSample] = []
    throttled: set[Draw] = set()
    for lanes in sizes:
        expected = expected_state(workload, sweep.rom, lanes=lanes, resolver=resolver)
        for draw in draws:
            run = run_of(RunChoice(draw=draw, num_envs=lanes), workload)
            try:
                timed, passes, memory, seen, spot = _timed(
                    plan.subject, run, sweep, labels={"num_envs": lanes, "draw": draw}
                )
            except SubjectRefused:
                on_step(f"{lanes} consoles do not fit")
                continue
            samples += seen
            if not timed:
                throttled.add(draw)
                on_step(f"{lanes} consoles, draw {draw}: the GPU was throttled too often")
                continue
            checks += _checks(timed, expected, f"{lanes} consoles, draw {draw}", spot)
            speed = lanes * workload.frames * passes * 1e9 / statistics.median(run.elapsed_ns for run in timed)
            speeds[draw][lanes] = speed
            figures: dict[str, float] = {
                "frames_per_second": round(speed),
                "env_steps_per_second": round(speed / run.frame_skip),
                "bytes_a_console": memory,
                "passes": passes,
            }
            if cold := [run.cold_ns for run in timed if run.cold_ns is not None]:
                figures["cold_call_microseconds"] = round(statistics.median(cold) / 1e3, 1)
            rows.append(FigureRow(labels={"num_envs": lanes, "draw": draw}, figures=figures))
            on_step(f"{lanes} consoles, draw {draw}: {speed:,.0f} frames/s")
    for draw in draws:
        one = run_of(RunChoice(draw=draw), workload)
        if draw in throttled:
            continue
        timed, passes, *_ = _timed(_ONE_CORE, one, sweep, labels={})
        one_core = workload.frames * passes * 1e9 / statistics.median(run.elapsed_ns for run in timed)
        rows += _summary(draw, speeds[draw], one_core)
    return FiguresMeasurement(
        of="absolute",
        subject=plan.subject,
        workload=workload.key,
        settings={
            "frame_skip": 4,
            "runs": _RUNS,
            "distinct_lanes": workload.distinct_lanes,
            "idle_skipping": True,
            **({"throttled_runs": sum(sample.was_discarded for sample in samples)} if samples else {}),
        },
        rows=tuple(rows),
        checks=tuple(checks),
        gpu_samples=tuple(samples),
    )


def knee_of(speeds: dict[int, float]) -> int:
    """The smallest number of consoles that reaches nine tenths of the best speed."""
    best = max(speeds.values())
    return min(lanes for lanes, speed in speeds.items() if speed >= KNEE_SHARE * best)


def _summary(draw: Draw, speeds: dict[int, float], one_core: float) -> list[FigureRow]:
    if not speeds:
        return []
    best = max(speeds, key=lambda lanes: speeds[lanes])
    named: list[tuple[str, int, float]] = [
        ("best", best, speeds[best]),
        ("knee", (knee := knee_of(speeds)), speeds[knee]),
    ]
    overtaking = [lanes for lanes, speed in speeds.items() if speed > one_core]
    if overtaking:
        named.append(("overtakes-one-core", min(overtaking), one_core))
    return [
        FigureRow(labels={"part": part, "draw": draw}, figures={"num_envs": lanes, "frames_per_second": round(speed)})
        for part, lanes, speed in named
    ]


def _timed(
    name: str, run: RunRecord, sweep: _Sweep, *, labels: dict[str, str | int | bool]
) -> tuple[list[TimedRun], int, int, list[GpuSample], SpotCheck | None]:
    """The timed runs, their passes, the bytes that a console takes, where a GPU worked each run and how it was,
    and where frames are drawn a spot check.

    There are no runs where a GPU was throttled in too many.
    """
    workload = sweep.workload
    buttons = workload.input_stream(lanes=run.num_envs, resolver=sweep.resolver)
    with open_subject(name, timeout_s=_CALL_S, log_path=sweep.log) as subject:

        def time(run: RunRecord, runs: int) -> list[TimedRun]:
            return subject.time_workload(
                sweep.rom,
                buttons,
                warmup_frames=workload.warmup_frames,
                frames=workload.frames,
                draw=run.draw,
                runs=runs,
                warmup_runs=0,
                frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
                options=options_of(run, workload),
            )

        tried = time(run, 2)
        passes = max(1, math.ceil(_RUN_NS / min(timed.elapsed_ns for timed in tried)))
        run = run.model_copy(update={"passes": passes})
        samples: list[GpuSample] = []
        if tried[0].clock == "host":
            timed = time(run, _RUNS)
        else:
            timed, samples = watched_runs(lambda: time(run, 1)[0], runs=_RUNS, labels=labels)
        memory = subject.batch_memory()
        spot = _spot(subject, run, sweep, buttons)
    bytes_ = memory.state + memory.prg_ram + memory.chr_ram + memory.draw_log + memory.frame_buffer
    return timed, passes, bytes_, samples, spot


def _spot(subject: Subject, run: RunRecord, sweep: _Sweep, buttons: bytes) -> SpotCheck | None:
    if run.draw == "none":
        return None
    return spot_check(
        subject,
        workload=sweep.workload,
        rom=sweep.rom,
        stream=buttons,
        run=run,
        options=options_of(run, sweep.workload),
        seed=f"{run.draw}/{run.num_envs}",
    )


def _checks(timed: Sequence[TimedRun], expected: ExpectedState, what: str, spot: SpotCheck | None) -> list[StateCheck]:
    """One check a sampled lane; of several runs, the first that ended elsewhere is the one that is told of. Where
    frames are drawn, as many of the last pictures, and the spot check's.
    """
    wanted = {0: expected.digest, **{entry.lane: entry.digest for entry in expected.lane_digests}}
    lanes = [entry.lane for entry in expected.lane_digests]
    checks = []
    for lane, right in wanted.items():
        ends = [
            (run.digest or "0") if not lanes else dict(zip(lanes, run.lane_digests, strict=False)).get(lane, "0")
            for run in timed
        ]
        found = next((end for end in ends if end != right), right)
        checks.append(StateCheck(what=f"{what}, lane {lane}", expected=right, found=found))
    if spot is None:
        return checks
    if expected.first_pictures:
        right = expected.first_pictures[spot.frames - 1]
        checks.append(StateCheck(what=f"{what}, after {spot.frames} frames", expected=right, found=spot.picture or "0"))
    for place, entry in enumerate(expected.pictures):
        shown = [run.pictures[place] if place < len(run.pictures) else "0" for run in timed]
        found = next((picture for picture in shown if picture != entry.picture), entry.picture)
        checks.append(StateCheck(what=f"{what}, picture of lane {entry.lane}", expected=entry.picture, found=found))
    return checks
