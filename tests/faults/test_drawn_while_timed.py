"""What a timed process says that it drew: right of the console, wrong where the timed loop leaves drawing out."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from nesproof.harness.evidence.falsification import faulty_name
from nesproof.harness.evidence.model import ExpectedState, RunRecord
from nesproof.harness.judge.pictures import check_pictures
from nesproof.harness.probes.lanes import expected_state
from nesproof.harness.probes.throughput import ThroughputPlan, replicate
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import Resolver

pytestmark = pytest.mark.skipif(
    any(find_spec(f"nesproof.emulator.{name}") is None for name in ("_reference", "_core")),
    reason="the consoles are not built",
)
WORKLOAD = load_workload("scroller-random-buttons")
RUN = RunRecord(draw="last-of-4", frame_skip=4, passes=3)


@pytest.fixture(scope="module")
def expected() -> ExpectedState:
    return expected_state(WORKLOAD, Resolver().read(WORKLOAD.rom))


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (None, None),
        ("draws-the-last-frame-alone", "frames of the window"),
        ("draws-nothing-while-timed", "shows another picture"),
    ],
)
def test_the_timed_loop_draws(
    fault: str | None, complaint: str | None, expected: ExpectedState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "core"
    if fault is not None:
        name = faulty_name("core", fault)
        definition = tmp_path / "subjects.toml"
        definition.write_text(f'[[subject]]\nname = "{name}"\nvariant_of = "core"\nfault = "{fault}"\n')
        monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(definition))
    plan = ThroughputPlan(
        candidate=name, baseline=name, workload=WORKLOAD, rom=Resolver().read(WORKLOAD.rom), threshold=1.0,
        comparisons=1, order_seed=3, deadline_s=time.monotonic() + 300, digest_from=("candidate", "baseline"),
        streams={1: WORKLOAD.input_stream()}, candidate_run=RUN, baseline_run=RUN, runs=2,
    )  # fmt: skip
    samples = replicate(plan, 0, 0)
    assert all(sample.digest == expected.digest for sample in samples), "the state is right in any case"
    found = check_pictures(samples, expected, RUN, gives_digest=True)
    assert found is None if complaint is None else complaint in str(found)
