"""The kernels' schedules on a CPU, counted: how many lanes of a warp are active, and which memory they touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nesproof.harness.claims.model import Label
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.model import FigureRow, FiguresMeasurement
from nesproof.harness.probes.figures import FiguresPlan
from nesproof.harness.probes.lanes import wait_for_game
from nesproof.harness.subjects.client import Subject, open_subject
from nesproof.harness.workloads import Workload, load_workload
from nesproof.roms_manifest import Resolver

__all__ = ["FRAME_SKIP", "LANES", "SCHEDULES", "lane_sets", "measure_warp_model"]

SCHEDULES = ("smallest-key", "largest-group", "free-running")
LANES = 512
"""Lanes of the model: sixteen warps."""
FRAMES, FRAME_SKIP = 8, 4
_ARCH = "sm_90"
_OF_MACHINE_CODE = {"issue_slots", "machine_instructions_a_step"}
_RANDOM_PLAY = "scroller-random-buttons"
_START = 0x08
_TITLE_FRAMES = 60
"""The random streams hold no button for so long, for the title of the game that they were made for."""
_DRIFT_FRAMES = 60
"""How long lanes that begin in one state have played on their own when the counting begins."""


def measure_warp_model(
    plan: FiguresPlan, *, resolver: Resolver, work_dir: Path, on_step: Callable[[str], None]
) -> FiguresMeasurement:
    """Count the schedules on sets of lanes.

    Rows are labelled `schedule` and `set`: `decorrelated` lanes have played on their own since power-on (or since the
    game's first frame of play, for a workload with a movie); `correlated` ones were one console until 60 frames ago;
    `movie` ones stand at different points of one movie. The counted window is 8 frames, in steps of 4. Where a claim
    asks for figures of machine code, they are of sm_90's.
    """
    if plan.workload is None:
        raise ConfigurationError("A claim about the kernels' schedule names a workload.")
    workload, rom = plan.workload, resolver.read(plan.workload.rom)
    log = work_dir / "logs" / f"model-{plan.subject}.txt"
    arch = _ARCH if any(claim.metric in _OF_MACHINE_CODE for claim in plan.claims) else None
    rows = []
    with open_subject(plan.subject, timeout_s=300, log_path=log) as subject:
        sets = dict(lane_sets(subject, workload, rom, resolver))
        for name, (states, buttons) in sets.items():
            for schedule in SCHEDULES:
                figures = subject.model_warps(rom, states, buttons, schedule=schedule, frame_skip=FRAME_SKIP, arch=arch)
                labels: dict[str, Label] = {"schedule": schedule, "set": name}
                rows.append(FigureRow(labels=labels, figures=figures))
                on_step(f"{name}, {schedule}")
    return FiguresMeasurement(
        of="model",
        subject=plan.subject,
        workload=workload.key,
        settings={"lanes": LANES, "frames": FRAMES, "frame_skip": FRAME_SKIP, "machine_code": arch or "not counted"},
        rows=tuple(rows),
    )


def lane_sets(
    subject: Subject, workload: Workload, rom: bytes, resolver: Resolver
) -> list[tuple[str, tuple[list[bytes], NDArray[np.uint8]]]]:
    """The sets of lanes that `measure_warp_model` counts: by name, snapshots and buttons, uint8 [lanes, F]."""
    streams = _streams(workload, resolver)
    start = _start_of_play(subject, workload, rom, resolver) if workload.movie else None
    batch = subject.open_batch(rom, lanes=LANES)

    def played(states: Sequence[bytes] | None, buttons: NDArray[np.uint8]) -> list[bytes]:
        batch.power_on()
        if states is not None:
            batch.load_states(states)
        batch.step(buttons)
        return batch.save_states()

    warm = streams.shape[1] - _DRIFT_FRAMES - FRAMES
    decorrelated = played(None if start is None else [start] * LANES, streams[:, :warm])
    correlated = played([decorrelated[0]] * LANES, streams[:, warm : warm + _DRIFT_FRAMES])
    sets = [
        ("decorrelated", (decorrelated, streams[:, warm : warm + FRAMES])),
        ("correlated", (correlated, streams[:, warm + _DRIFT_FRAMES :])),
    ]
    if start is not None:
        sets.append(("movie", _points_of_movie(subject, workload, rom, start, resolver)))
    return sets


def _streams(workload: Workload, resolver: Resolver) -> NDArray[np.uint8]:
    """Random play for every lane, uint8 [lanes, F]. In a game that plays a movie, Start would pause it."""
    source = load_workload(_RANDOM_PLAY) if workload.movie else workload
    rows = np.frombuffer(source.input_stream(lanes=LANES, resolver=resolver), np.uint8).reshape(LANES, -1)
    return rows[:, _TITLE_FRAMES:] & ~np.uint8(_START) if workload.movie else rows


def _start_of_play(subject: Subject, workload: Workload, rom: bytes, resolver: Resolver) -> bytes:
    stream = np.frombuffer(workload.input_stream(resolver=resolver), np.uint8)
    batch = subject.open_batch(rom, lanes=1)
    batch.step(stream[np.newaxis, : workload.warmup_frames])
    nothing = np.zeros((1, 1), np.uint8)
    wait_for_game(workload, read_ram=lambda: batch.read_ram()[0], step=lambda: batch.step(nothing))
    return batch.save_states()[0]


def _points_of_movie(
    subject: Subject, workload: Workload, rom: bytes, start: bytes, resolver: Resolver
) -> tuple[list[bytes], NDArray[np.uint8]]:
    """Every lane at a point of the movie of its own, in an order that puts distant points into one warp."""
    assert workload.movie is not None
    movie = np.frombuffer(resolver.read(workload.movie), np.uint8)
    last = len(movie) - FRAMES
    points = np.random.default_rng(1).permutation(np.linspace(1, last, LANES).astype(np.int64))
    batch = subject.open_batch(rom, lanes=1)
    batch.load_states([start])
    states: dict[int, bytes] = {}
    done = 0
    for point in sorted(set(points.tolist())):
        batch.step(movie[np.newaxis, done:point])
        states[point], done = batch.save_states()[0], point
    return [states[int(p)] for p in points], np.stack([movie[p : p + FRAMES] for p in points])
