"""Developer benches of batches: by number of consoles, threads and device. A diagnostic, never a claim.

``python -m pytest benchmarks/bench_batch.py --benchmark-only``
"""

from __future__ import annotations

from typing import Any

import pytest

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.status import subject_status
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

pytest.importorskip("pytest_benchmark", reason="pytest-benchmark is not installed")

ROUNDS = 5
FRAMES_A_ROUND = 200_000
WORKLOAD = "scroller-random-buttons"


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lanes", [1, 8, 64, 512])
@pytest.mark.parametrize("name", ["core", "core-hostsim", "core-cuda"])
def test_batch(benchmark: Any, name: str, lanes: int, threads: int) -> None:
    """One round steps the workload's window on every lane, decorrelated, not drawing, as often as fills it."""
    if not subject_status(name).available:
        pytest.skip(f"condition: {name} is not available here")
    if threads > lanes or (threads > 1 and name == "core-cuda"):
        pytest.skip("condition: there are no more threads than lanes, and none on a GPU")
    workload, resolver = load_workload(WORKLOAD), Resolver()
    rom, streams = resolver.read(workload.rom), workload.input_stream(lanes=lanes)
    passes = max(1, FRAMES_A_ROUND // (lanes * workload.frames))
    chosen = RunChoice(draw="none", num_envs=lanes, threads=threads)
    run = run_of(chosen, workload).model_copy(update={"passes": passes})
    right = expected_state(workload, rom, lanes=lanes)
    with open_subject(name, timeout_s=600) as subject:
        rounds: list[tuple[int, str | None, list[str]]] = []

        def timed() -> None:
            (one,) = subject.time_workload(
                rom,
                streams,
                warmup_frames=workload.warmup_frames,
                frames=workload.frames,
                draw=run.draw,
                runs=1,
                warmup_runs=0,
                frame_counter=(workload.frame_counter_address, workload.frame_counter_bytes),
                options=options_of(run, workload),
            )
            rounds.append((one.elapsed_ns, one.digest, one.lane_digests))

        benchmark.pedantic(timed, rounds=ROUNDS, warmup_rounds=1)
    wanted = [entry.digest for entry in right.lane_digests]
    assert all(digest == right.digest and lanes_ == wanted for _, digest, lanes_ in rounds), "a lane ended elsewhere"
    speed = workload.frames * lanes * passes * 1e9 / min(elapsed for elapsed, *_ in rounds)
    benchmark.extra_info["frames_per_second"] = speed
    benchmark.extra_info["env_steps_per_second"] = speed / run.frame_skip
