"""Spot checks: the timed loop run untimed over the window's first frames alone, and what it drew last."""

from __future__ import annotations

import dataclasses
import zlib

import numpy as np

from nesproof.harness.evidence.model import RunRecord, SpotCheck
from nesproof.harness.probes.lanes import FIRST_PICTURES
from nesproof.harness.subjects.client import Subject
from nesproof.harness.subjects.timing import TimingOptions
from nesproof.harness.workloads import Workload

__all__ = ["spot_check"]


def spot_check(
    subject: Subject,
    *,
    workload: Workload,
    rom: bytes,
    stream: bytes,
    run: RunRecord,
    options: TimingOptions,
    seed: str,
) -> SpotCheck:
    """What the first console shows after a number of frames that the seed chooses, whole calls and at most
    `FIRST_PICTURES`.

    `stream` holds the buttons of warm-up and window, lane after lane. A loop that draws the window's last frame and no
    other shows the right picture there; here it would have to know where it is going to be asked.
    """
    calls = max(1, min(FIRST_PICTURES, workload.frames) // run.frame_skip)
    frames = min(workload.frames, run.frame_skip * (1 + zlib.crc32(seed.encode()) % calls))
    rows = np.frombuffer(stream, np.uint8).reshape(run.num_envs, -1)
    (timed,) = subject.time_workload(
        rom,
        np.ascontiguousarray(rows[:, : workload.warmup_frames + frames]).tobytes(),
        warmup_frames=workload.warmup_frames,
        frames=frames,
        draw=run.draw,
        runs=1,
        warmup_runs=0,
        frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
        options=dataclasses.replace(options, passes=1),
    )
    return SpotCheck(frames=frames, picture=timed.pictures[0] if timed.pictures else None)
