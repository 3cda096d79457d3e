"""Developer benches of the fast console, one console: the timed loop that claims time. A diagnostic, never a claim.

``python -m pytest benchmarks/bench_core.py --benchmark-only``
"""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.runs import Draw, RunChoice
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.workloads import load_workload, workload_ids
from nesproof.roms_manifest import Resolver

pytest.importorskip("pytest_benchmark", reason="pytest-benchmark is not installed")

ROUNDS = 5
PASSES = 50
"""Passes over the window in one round, so that a round is long enough to be timed."""


@pytest.mark.parametrize("idle_skipping", [True, False], ids=["idle-skipping", "every-instruction"])
@pytest.mark.parametrize("draw", ["none", "every", "last-of-4"])
@pytest.mark.parametrize("workload_id", workload_ids())
def test_core(benchmark: Any, workload_id: str, draw: Draw, idle_skipping: bool) -> None:
    """One round is the timed loop of `throughput.core.*`, run and timed inside the subject's process.

    What pytest-benchmark times is the whole request; `frames_per_second` is of the loop alone.
    """
    workload, resolver = load_workload(workload_id), Resolver()
    if any(resolver.find(name) is None for name in workload.needed_files):
        pytest.skip(f"condition: {workload.rom} is not at hand")
    rom, stream = resolver.read(workload.rom), workload.input_stream(resolver=resolver)
    run = run_of(RunChoice(draw=draw, idle_skipping=idle_skipping), workload).model_copy(update={"passes": PASSES})
    right = expected_state(workload, rom, resolver=resolver).digest
    with open_subject("core", timeout_s=600) as subject:

        def timed() -> tuple[int, str | None]:
            (one,) = subject.time_workload(
                rom,
                stream,
                warmup_frames=workload.warmup_frames,
                frames=workload.frames,
                draw=run.draw,
                runs=1,
                warmup_runs=0,
                frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
                options=options_of(run, workload),
            )
            return one.elapsed_ns, one.digest

        rounds: list[tuple[int, str | None]] = []
        benchmark.pedantic(lambda: rounds.append(timed()), rounds=ROUNDS, warmup_rounds=1)
    assert {digest for _, digest in rounds} == {right}, "a round ended in another state than the reference"
    frames = workload.frames * PASSES
    benchmark.extra_info["frames_per_second"] = frames * 1e9 / min(elapsed for elapsed, _ in rounds)
