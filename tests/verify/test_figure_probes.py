"""The probes that count, on a core that is made of reference consoles or answers as its options say."""

from __future__ import annotations

import functools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import nesproof
from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.errors import HarnessError
from nesproof.harness.evidence.model import FiguresMeasurement
from nesproof.harness.judge import judge_claim
from nesproof.harness.probes import sweep, warp_model
from nesproof.harness.probes.figures import FiguresPlan, measure_figures
from nesproof.harness.probes.gpu_runs import watched_runs
from nesproof.harness.probes.gpu_watch import GpuWatch, Reading
from nesproof.harness.probes.instructions import total_instructions
from nesproof.harness.probes.sweep import knee_of
from nesproof.harness.workloads import Workload
from nesproof.roms_manifest import Resolver

FAKES = Path(__file__).parents[1] / "subjects" / "fakes"
SHORT = Workload(
    id="play", version=1, title="Play", rom="house/scroller", buttons="scroller-random.buttons", stream_frames=3600,
    lane_buttons="scroller-random-lanes.buttons", lane_stream_frames=400, warmup_frames=4, frames=8,
    frame_counter_address=0x10,
)  # fmt: skip

FIGURES = """
class Adapter:
    name, version, packages, build = "counts", "1.0", [], None
    capabilities = ["kernel", "warp-model"]

    def __init__(self, options):
        self.options = options

    def compile_kernels(self, rom, arch):
        if arch == "sm_1":
            raise ValueError("NVRTC does not know sm_1")
        spills = self.options.get("spills", 0)
        one = {"is_kernel": True, "stack_bytes": 16, "spill_load_bytes": 0, "code_bytes": 1000}
        kernels = [
            {**one, "name": "step", "registers": int(arch[3:]), "spill_store_bytes": 0},
            {**one, "name": "draw", "registers": 40, "spill_store_bytes": spills},
            {**one, "name": "helper", "is_kernel": False, "registers": None, "spill_store_bytes": 0},
        ]
        return {"compiler": "13.0", "compile_seconds": 12.5, "was_cached": True, "functions": kernels}


def make_adapter(options):
    return Adapter(options)
"""


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Define a subject over an adapter file; returns its name."""
    text: list[str] = []

    def define(name: str, adapter: Path, **options: Any) -> str:
        command = json.dumps(["{python}", "-I", "{worker}", str(adapter), json.dumps({"name": name, **options})])
        text.append(f'[[subject]]\nname = "{name}"\ncommand = {command}\n')
        (tmp_path / "subjects.toml").write_text("\n".join(text))
        monkeypatch.setenv("NESPROOF_SUBJECT_FILE", str(tmp_path / "subjects.toml"))
        return name

    return define


@pytest.fixture
def fake(add: Any) -> str:
    return add("fake-core", FAKES / "core_fake.py", namespace=list(nesproof.__path__))


@pytest.fixture
def counts(add: Any, tmp_path: Path) -> Any:
    (tmp_path / "figures_adapter.py").write_text(FIGURES)
    return lambda **options: add("counts", tmp_path / "figures_adapter.py", **options)


def claim(kind: str, subject: str, **changes: Any) -> Claim:
    fields = {
        "id": "fake.figure", "sentence": "The figure is within {value}.", "kind": kind, "subject": subject,
        "workload": SHORT.key, "breaks_when": "The test breaks it.", **changes,
    }  # fmt: skip
    return Claim.model_validate(fields)


def measured(promise: Claim, tmp_path: Path) -> FiguresMeasurement:
    (tmp_path / "logs").mkdir(exist_ok=True)
    plan = FiguresPlan(promise.kind, promise.subject, SHORT, [promise])
    return measure_figures(plan, resolver=Resolver(), work_dir=tmp_path, on_step=lambda _: None)


def figure(measurement: FiguresMeasurement, name: str, **labels: Any) -> float:
    (row,) = [r for r in measurement.rows if labels.items() <= r.labels.items()]
    return row.figures[name]


# --- Memory ----------------------------------------------------------------------------------------------------------


def test_memory_is_declared_and_then_looked_at(fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.probes import memory

    monkeypatch.setattr(memory, "_MANY", 192)
    promise = claim("memory", fake, metric="bytes", where={"part": "state"}, at_most=8192)
    table = measured(promise, tmp_path)
    assert judge_claim(promise, table, {}).verdict is Verdict.PASS
    assert figure(table, "bytes", part="frame_buffer") == 61440
    # Reference consoles hold a picture each: far more than the fake declares, and the process shows it.
    honest = claim("memory", fake, metric="bytes", where={"part": "resident"}, over={"part": "declared"}, at_most=1.1)
    assert figure(table, "bytes", part="resident") > 1.5 * figure(table, "bytes", part="declared")
    assert judge_claim(honest, table, {}).verdict is Verdict.FAIL


# --- Kernels ---------------------------------------------------------------------------------------------------------


def test_every_architecture_that_is_named_is_compiled(counts: Any, tmp_path: Path) -> None:
    where = {"part": "all", "arch": ["sm_80", "sm_120"]}
    registers = claim("static", counts(), metric="registers", where=where, at_most=128)
    table = measured(registers, tmp_path)
    assert (figure(table, "registers", arch="sm_80", part="all"), table.settings["compiler"]) == (80, "13.0")
    assert judge_claim(registers, table, {}).value == 120
    tight = registers.model_copy(update={"at_most": 119.0})
    assert judge_claim(tight, table, {}).verdict is Verdict.FAIL
    assert figure(table, "code_bytes", arch="sm_80", part="all") == 3000


def test_a_claim_may_list_cartridges(counts: Any, tmp_path: Path) -> None:
    where = {"part": "all", "arch": "sm_90", "rom": ["house/busy", "house/scroller"]}
    several = claim("static", counts(), metric="registers", where=where, at_most=128)
    other = several.model_copy(update={"id": "fake.other", "where": {"part": "all", "arch": "sm_80"}})
    (tmp_path / "logs").mkdir()
    plan = FiguresPlan("static", several.subject, SHORT, [several, other])
    table = measure_figures(plan, resolver=Resolver(), work_dir=tmp_path, on_step=lambda _: None)
    whole = [(row.labels["rom"], row.labels["arch"]) for row in table.rows if row.labels["part"] == "all"]
    assert whole == [("house/busy", "sm_90"), ("house/scroller", "sm_90"), ("house/scroller", "sm_80")]
    assert {row.labels["rom"] for row in table.rows if row.labels["part"] != "all"} == {SHORT.rom}
    assert judge_claim(several, table, {}).verdict is Verdict.PASS
    lacking = several.model_copy(update={"where": {**where, "rom": ["house/busy", "house/cards/nrom"]}})
    assert judge_claim(lacking, table, {}).verdict is Verdict.NOT_MEASURED


def test_a_spill_anywhere_counts(counts: Any, tmp_path: Path) -> None:
    spills = claim("static", counts(spills=8), metric="spill_bytes", where={"part": "all", "arch": "sm_90"}, at_most=0)
    assert judge_claim(spills, measured(spills, tmp_path), {}).verdict is Verdict.FAIL


def test_an_unknown_architecture_is_no_figure(counts: Any, tmp_path: Path) -> None:
    promise = claim("static", counts(), metric="registers", where={"part": "all", "arch": "sm_1"}, at_most=128)
    with pytest.raises(HarnessError, match="does not know sm_1"):
        measured(promise, tmp_path)


# --- The sweep -------------------------------------------------------------------------------------------------------


def test_a_sweep_names_best_knee_and_crossing(fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "_ONE_CORE", fake)
    monkeypatch.setattr(sweep, "SWEEP", (1, 3))
    monkeypatch.setattr(sweep, "_RUN_NS", 1)
    monkeypatch.setattr(sweep, "_RUNS", 1)
    promise = claim(
        "absolute", fake, metric="frames_per_second", where={"part": "best", "draw": "none"}, at_least=1.0
    )  # fmt: skip
    table = measured(promise, tmp_path)
    assert judge_claim(promise, table, {}).verdict is Verdict.PASS
    # Digests, pictures of those that draw, and of each drawing run one picture from the middle of the window.
    assert len(table.checks) == 2 * (1 + 3) + (1 + 3) + 2
    best, knee = (figure(table, "num_envs", part=part, draw="none") for part in ("best", "knee"))
    assert {best, knee} <= {1, 3}
    assert knee <= best
    speed, steps = (
        figure(table, name, num_envs=3, draw="none") for name in ("frames_per_second", "env_steps_per_second")
    )
    assert speed == pytest.approx(4 * steps, abs=4)


def test_a_sweep_over_lanes_that_copy_each_other_fails(
    add: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = add("copies", FAKES / "core_fake.py", namespace=list(nesproof.__path__), fault="lanes-share-buttons")
    for name, value in (("_ONE_CORE", fake), ("SWEEP", (3,)), ("_RUN_NS", 1), ("_RUNS", 1)):
        monkeypatch.setattr(sweep, name, value)
    promise = claim("absolute", fake, metric="frames_per_second", where={"part": "best", "draw": "none"}, at_least=1)
    monkeypatch.setitem(globals(), "SHORT", SHORT.model_copy(update={"warmup_frames": 200, "frames": 60}))
    assert judge_claim(promise, measured(promise, tmp_path), {}).verdict is Verdict.FAIL


@pytest.mark.parametrize("hot", [False, True])
def test_a_sweep_on_a_gpu_keeps_each_run_and_counts_no_throttled_one(
    add: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hot: bool
) -> None:
    fake = add("on-a-gpu", FAKES / "core_fake.py", namespace=list(nesproof.__path__), gpu=True)
    reading = Reading(sm_clock_mhz=1980, reasons=0x40 if hot else 0)
    for name, value in (("_ONE_CORE", fake), ("SWEEP", (1,)), ("_RUN_NS", 1), ("_RUNS", 1)):
        monkeypatch.setattr(sweep, name, value)
    watch = functools.partial(watched_runs, watch=lambda: GpuWatch(lambda: [reading]))
    monkeypatch.setattr(sweep, "watched_runs", watch)
    promise = claim("absolute", fake, metric="frames_per_second", where={"part": "best", "draw": "none"}, at_least=1.0)
    table = measured(promise, tmp_path)
    assert {sample.was_discarded for sample in table.gpu_samples} == {hot}
    assert {sample.clock for sample in table.gpu_samples} == {"cuda-events"}
    throttled = len(table.gpu_samples) if hot else 0
    assert table.settings["throttled_runs"] == throttled
    assert judge_claim(promise, table, {}).verdict is (Verdict.NOT_MEASURED if hot else Verdict.PASS)
    if not hot:
        assert figure(table, "cold_call_microseconds", num_envs=1, draw="none") == 50


def test_the_knee_is_the_smallest_that_is_nearly_best() -> None:
    assert knee_of({1: 10, 8: 80, 64: 91, 512: 100, 4096: 97}) == 64
    assert knee_of({1: 10}) == 1


# --- Instructions ----------------------------------------------------------------------------------------------------


def test_cachegrinds_total_is_read(tmp_path: Path) -> None:
    out = tmp_path / "cg.out"
    out.write_text("events: Ir\nfn=main\n1 20\nsummary: 123456789\n")
    assert total_instructions(out) == 123456789
    out.write_text("events: Ir\n")
    with pytest.raises(HarnessError, match="no count"):
        total_instructions(out)
    with pytest.raises(HarnessError, match="no count"):
        total_instructions(tmp_path / "absent")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="condition: valgrind is not on the PATH")
def test_instructions_are_counted_by_frame(fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.probes import instructions

    monkeypatch.setattr(instructions, "_PASSES", 1)
    where = {"draw": "none", "idle_skipping": True}
    promise = claim("instructions", fake, metric="instructions_per_frame", where=where, at_most=1e9)
    table = measured(promise, tmp_path)
    assert judge_claim(promise, table, {}).verdict is Verdict.PASS
    assert 100_000 < figure(table, "instructions_per_frame", draw="none") < 1e9
    assert [check.expected == check.found for check in table.checks] == [True, True]


# --- The warp model --------------------------------------------------------------------------------------------------


def test_sets_of_lanes_hold_what_their_names_say(fake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nesproof.harness.subjects.client import open_subject

    monkeypatch.setattr(warp_model, "LANES", 4)
    workload = SHORT.model_copy(update={"warmup_frames": 280, "frames": 40})
    with open_subject(fake, timeout_s=300) as subject:
        rom = Resolver().read(workload.rom)
        sets = dict(warp_model.lane_sets(subject, workload, rom, Resolver()))
    assert set(sets) == {"decorrelated", "correlated"}
    for states, buttons in sets.values():
        assert len(set(states)) == 4
        assert buttons.shape == (4, warp_model.FRAMES)
