"""Developer benches of the reference console over the shipped workloads: a diagnostic, never a claim.

``python -m pytest benchmarks/bench_reference.py --benchmark-only``
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import load_workload, workload_ids
from nesproof.roms_manifest.resolver import Resolver

pytest.importorskip("pytest_benchmark", reason="pytest-benchmark is not installed")

ROUNDS = 3


@pytest.mark.parametrize("workload_id", workload_ids())
def test_reference(benchmark: Any, workload_id: str) -> None:
    """One round is the workload's window, stepped in one call after power-on and warm-up."""
    workload = load_workload(workload_id)
    stream = np.frombuffer(workload.input_stream(), np.uint8)
    warm_up, window = stream[: workload.warmup_frames], stream[workload.warmup_frames :]
    digests: set[str] = set()
    with open_subject("reference", timeout_s=600) as subject:
        subject.load(Resolver().read(workload.rom))

        def before() -> None:
            subject.power_on()
            subject.step(warm_up)

        def run() -> None:
            subject.step(window)

        def after() -> None:
            digests.add(subject.digest())

        benchmark.pedantic(run, setup=before, teardown=after, rounds=ROUNDS)
    assert len(digests) == 1, "rounds of one workload ended in different states"
    seconds = benchmark.stats.stats.min
    benchmark.extra_info["frames_per_second"] = workload.frames / seconds
