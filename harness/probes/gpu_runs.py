"""Runs on a GPU until enough of them were not throttled."""

from __future__ import annotations

from collections.abc import Callable

from nesproof.harness.evidence.gpu_samples import GpuSample
from nesproof.harness.probes.gpu_watch import GpuWatch
from nesproof.harness.subjects.replies import TimedRun

__all__ = ["watched_runs"]

_TRIES = 3
"""At most so many times the runs that are wanted."""


def watched_runs(
    time: Callable[[], TimedRun],
    *,
    runs: int,
    labels: dict[str, str | int | bool],
    watch: Callable[[], GpuWatch] = GpuWatch,
) -> tuple[list[TimedRun], list[GpuSample]]:
    """Time until `runs` runs were not throttled: these, and every run as a sample.

    The first list is empty where that took too many tries: a few lucky runs of a hot GPU would be no fair sample.
    """
    kept: list[TimedRun] = []
    samples: list[GpuSample] = []
    watching = watch()
    try:
        while len(kept) < runs and len(samples) < _TRIES * runs:
            with watching:
                timed = time()
            condition = watching.condition
            is_throttled = condition is not None and bool(condition.throttle_reasons)
            samples.append(
                GpuSample(
                    labels=labels,
                    elapsed_ns=timed.elapsed_ns,
                    clock=timed.clock,
                    cold_ns=timed.cold_ns,
                    condition=condition,
                    was_discarded=is_throttled,
                )
            )
            if not is_throttled:
                kept.append(timed)
    finally:
        watching.close()
    return (kept if len(kept) == runs else []), samples
