"""Invented inputs of a site: runs of three commits on one machine, one of a machine with a GPU that is labelled as a
fixture, a gate and a bisection. Every verdict in them is the judge's own, from samples that a seed gives.

Other test folders load this file by its path. `inputs()` gives the documents, `write_all(folder)` bundles and documents
in a folder as `nesproof publish` takes them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import random
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from PIL import Image

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.bisection import Bisection
from nesproof.harness.evidence.bundle import ID_PLACEHOLDER, Bundle, seal
from nesproof.harness.evidence.comparison import BehaviourMatch, RamDifference
from nesproof.harness.evidence.model import (
    Build,
    CaseResult,
    ClaimRecord,
    Comparison,
    ExpectedState,
    FigureRow,
    FiguresMeasurement,
    Gpu,
    LaneDigest,
    LeftOut,
    Load,
    Machine,
    Measurement,
    MustPassCase,
    MustPassRecord,
    Package,
    RatioMeasurement,
    RomRecord,
    RunRecord,
    Sample,
    Source,
    StateCheck,
    SubjectRecord,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
    WorkloadRecord,
)
from nesproof.harness.gate.document import GateDocument
from nesproof.harness.judge import judge_claim, run_exit_code
from nesproof.harness.judge.comparison import judge_comparison
from nesproof.harness.judge.order import block_order
from nesproof.reports.site import RunInput, SiteInputs

COMMITS = ("1f0c7d2a" * 5, "2b9e4a61" * 5, "3c5d8f07" * 5)
"""Good; then slower and with a failing case; then with the case mended."""
WORKLOAD = "scroller-random-buttons@1"
FIXTURE = "a machine with a GPU, so that the site can be looked at without one"
CPU = Machine(
    os="Linux", kernel="6.8.0", arch="x86_64", cpu_model="AMD EPYC 9R14", physical_cores=2, logical_cores=2,
    usable_cores=2, memory_bytes=8_242_860_032, governor=None, virtualised=True,
)  # fmt: skip
GPU = Machine(
    os="Linux", kernel="6.8.0", arch="x86_64", cpu_model="Intel Xeon Platinum 8480+", physical_cores=8,
    logical_cores=16, usable_cores=16, memory_bytes=135_291_469_824, governor="performance", virtualised=True,
    gpus=(Gpu(name="NVIDIA H200", driver="570.1", memory_bytes=150_754_820_096, compute_capability="9.0"),),
)  # fmt: skip
FRAMES, WARMUP = 600, 300
_BASELINE_FPS = 900.0


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


STATE = ExpectedState(
    digest=sha("state")[:16],
    ram_sha256=sha("ram"),
    frame_counter=900,
    lane_digests=(LaneDigest(lane=0, digest=sha("state")[:16]), LaneDigest(lane=1, digest=sha("lane 1")[:16])),
)
SUBJECTS = {
    "core": ("batch", "digest", "idle-skipping", "ram", "timing"),
    "reference": ("digest", "peek", "ram", "timing"),
    "nes-py": ("ram", "timing"),
}


def claim(claim_id: str, sentence: str, kind: str, **fields: Any) -> Claim:
    base = {"subject": "core", "killed_by": ["skips-frames"], "breaks_when": "a change breaks what is promised here"}
    return Claim.model_validate({"id": claim_id, "sentence": sentence, "kind": kind, **base, **fields})


CLAIMS: Mapping[str, Claim] = {
    one.id: one
    for one in (
        claim("core.hardware", "Every hardware test passes on the fast console.", "exact", suite="hardware_roms"),
        claim("core.klaus", "The CPU passes the 6502 functional test.", "exact", suite="klaus"),
        claim("throughput.core.vs-nes-py", "Not drawing, one core makes at least {value} times the frames of nes-py.",
              "ratio", workload=WORKLOAD, baseline="nes-py", metric="frames_per_second", at_least=100,
              candidate_run={"draw": "none"}),
        claim("instructions.core", "A frame costs at most {value} machine instructions.", "instructions",
              workload=WORKLOAD, metric="instructions_per_frame", where={"draw": "none"}, at_most=40_000),
        claim("memory.core", "A console takes at most {value} bytes.", "memory", workload=WORKLOAD, metric="bytes",
              where={"part": "state"}, at_most=8192),
        claim("cuda.frames-per-second", "An H200 makes at least {value} frames per second.", "absolute",
              subject="core-cuda", workload=WORKLOAD, metric="frames_per_second", at_least=100e6,
              where={"part": "best", "draw": "none"}, requires=["gpu:H200"]),
        claim("core.hardware@nes-py", "Every hardware test passes on the fast console.", "exact", subject="nes-py",
              suite="hardware_roms"),
        claim("kernel.spills", "The kernels spill nothing.", "static", metric="spill_bytes", at_most=0),
    )
}  # fmt: skip
CASES = ("cpu/branches", "cpu/interrupts", "ppu/vbl_nmi", "ppu/sprite_hit", "apu/len_ctr", "mapper/mmc3")


def timed(
    candidate: str, baseline: str, ratio: float, *, seed: int, comparisons: int, consoles: int = 1,
    noise: float = 0.004, at: float = _BASELINE_FPS,
) -> RatioMeasurement:  # fmt: skip
    """Ten blocks of four processes, five runs each; the baseline makes `at` frames a second and draws each of them."""
    rng = random.Random(seed)
    runs = {
        "candidate": RunRecord(draw="none", frame_skip=4, num_envs=consoles, passes=max(1, int(ratio * at / 8_000))),
        "baseline": RunRecord(draw="every"),
    }
    samples = []
    for block in range(10):
        for position, side in enumerate(block_order(seed, block)):
            frames = FRAMES * runs[side].num_envs * runs[side].passes
            subject = candidate if side == "candidate" else baseline
            gives_digest = "digest" in SUBJECTS[subject]
            speed = at * (ratio if side == "candidate" else 1) * (1 + rng.gauss(0, noise))
            samples += [
                Sample(
                    side=side, block=block, position=position, run=number, frames=frames,
                    elapsed_ns=round(frames * 1e9 / speed * (1 + abs(rng.gauss(0, noise)))),
                    digest=STATE.digest if gives_digest else None, ram_sha256=STATE.ram_sha256,
                    frame_counter=STATE.frame_counter,
                    lane_digests=STATE.lane_digests if gives_digest and runs[side].num_envs > 1 else (),
                )
                for number in range(5)
            ]  # fmt: skip
    return RatioMeasurement(
        workload=WORKLOAD, candidate=candidate, baseline=baseline, candidate_run=runs["candidate"],
        baseline_run=runs["baseline"], order_seed=seed, comparisons=comparisons, expected=STATE, samples=tuple(samples),
        load=Load(load_average_1min=0.1, other_cpu_share=0.01, steal_share=0.0, waited_s=0.5, busy=False),
        digest_from=tuple(s for s, n in (("candidate", candidate), ("baseline", baseline)) if "digest" in SUBJECTS[n]),
    )  # fmt: skip


def table(of: str, subject: str, rows: Sequence[tuple[dict[str, Any], dict[str, float]]]) -> FiguresMeasurement:
    return FiguresMeasurement(
        of=of, subject=subject, workload=None if of == "static" else WORKLOAD,
        rows=tuple(FigureRow(labels=labels, figures=figures) for labels, figures in rows),
        checks=(StateCheck(what="lane 0", expected="ab", found="ab"),),
    )  # fmt: skip


def sweep() -> FiguresMeasurement:
    """Two curves that bend, with the memory of a console; the best of each is named."""
    rows: list[tuple[dict[str, Any], dict[str, float]]] = []
    for draw, best in (("none", 131_000_000.0), ("last-of-4", 48_000_000.0)):
        speeds = {}
        for power in range(0, 18, 2):
            speeds[1 << power] = round(best * (1 - 2 ** (-(1 << power) / 16_384)) + 1_500 * (1 << power) ** 0.5)
            figures = {"frames_per_second": speeds[1 << power], "bytes_a_console": 5_120 + 900_000 / (1 << power)}
            rows.append(({"num_envs": 1 << power, "draw": draw}, figures))
        most = max(speeds, key=lambda n: speeds[n])
        rows.append(({"part": "best", "draw": draw}, {"num_envs": most, "frames_per_second": speeds[most]}))
    return table("absolute", "core-cuda", rows)


def suite(name: str, subject: str, *, failing: Sequence[str] = (), cannot: Sequence[str] = ()) -> SuiteRun:
    cases = ("6502",) if name == "klaus" else CASES
    asked = [case for case in cases if case not in cannot]
    return SuiteRun(
        id=f"{name}-{subject}", suite=name, title={"klaus": "6502 functional test"}.get(name, "Hardware test ROMs"),
        oracle="The program judges the console itself.", subject=subject, expected=tuple(asked), duration_s=2.5,
        cases=tuple(
            CaseResult(id=case, outcome="failed", message="$6000 reads 03\n\nFailed: vbl too late",
                       frame=_frame_name(subject, case), duration_s=0.4)
            if case in failing
            else CaseResult(id=case, outcome="passed", frame=_frame_name(subject, case), duration_s=0.3)
            for case in asked
        ),
        cannot_run=tuple(LeftOut(id=case, lacks=("mapper:4",)) for case in cannot),
    )  # fmt: skip


def _frame_name(subject: str, case: str) -> str:
    return f"frames/{subject}-{case.replace('/', '-')}.png"


def picture(seed: str) -> bytes:
    """A PNG of 256 by 240 in four colours, another for each seed."""
    number = int(sha(seed)[:4], 16)
    y, x = np.mgrid[0:240, 0:256]
    palette = np.array([(0, 0, 0), (60, 188, 252), (248, 216, 120), (216, 40, 0)], np.uint8)
    out = io.BytesIO()
    Image.fromarray(palette[(x // (8 + number % 9) * 3 + y // (8 + number % 7) * 5) % 4]).save(out, format="PNG")
    return out.getvalue()


def frames_of(evidence: Evidence) -> dict[str, bytes]:
    """Every picture that the document names, by its path in a bundle."""
    named = [case.frame for run in evidence.suites for case in run.cases if case.frame is not None]
    return {path: picture(path) for path in named}


def comparison(candidate: str, baseline: str, ratio: float, *, seed: int, consoles: int, differs: bool) -> Comparison:
    measurement = timed(candidate, baseline, ratio, seed=seed, comparisons=1, consoles=consoles)
    both_give = all("digest" in SUBJECTS[name] for name in (candidate, baseline))
    all_frames = WARMUP + FRAMES
    behaviour = BehaviourMatch(
        frames=all_frames, ram="differs" if differs else "equal",
        ram_frames_equal=12 if differs else all_frames,
        ram_sha256=(sha("one"), sha("other")) if differs else (sha("one"), sha("one")),
        first_ram=RamDifference(frame=12, bytes_differing=3, address=0x10, candidate=12, baseline=13)
        if differs
        else None,
        pictures="not-shown", states="equal" if both_give else "not-shown", counter_ahead_frames=0,
        frame_counters="equal", **_further(differs=differs, consoles=consoles),
    )  # fmt: skip
    judged = judge_comparison(
        candidate=candidate, baseline=baseline, workload=WORKLOAD, behaviour=behaviour, measurement=measurement
    )
    return Comparison(
        id=f"{candidate}-{consoles}.{baseline}", workload=WORKLOAD, candidate=candidate, baseline=baseline,
        behaviour=behaviour, measurement=measurement, outcome=judged.outcome, ratio=judged.ratio,
        interval=judged.interval, candidate_fps=judged.candidate_fps, baseline_fps=judged.baseline_fps,
        words=judged.words, rerun=f"nesproof compare {candidate} {baseline} --workload {WORKLOAD}",
    )  # fmt: skip


def _further(*, differs: bool, consoles: int) -> dict[str, Any]:
    """What this version of the document wants to know of how two play, by the names that it knows."""
    known = {
        "ram_beside_stack": "differs" if differs else "equal",
        "batch_checked": ("candidate",) if consoles > 1 else (),
    }
    return {name: value for name, value in known.items() if name in BehaviourMatch.model_fields}


def record(one: Claim, measurement: Measurement, suites: Sequence[SuiteRun], *, day: datetime) -> ClaimRecord:
    """What the judge makes of it."""
    judged = judge_claim(one, measurement, {run.id: run for run in suites}, on=day.date())
    return ClaimRecord(
        claim=one, selected=True, verdict=judged.verdict, reason=judged.reason, measured=judged.measured,
        value=judged.value, interval=judged.interval, caveat=judged.caveat, measurement=measurement,
        remedy=measurement.remedy if isinstance(measurement, UnavailableMeasurement) else None,
        rerun=f"nesproof verify --claim {one.id}",
    )  # fmt: skip


def evidence(
    commit: str, *, day: int, ratio: float = 120.0, instructions: float = 36_000.0, failing: Sequence[str] = (),
    machine: Machine = CPU, fixture: str | None = None, with_comparisons: bool = True,
) -> Evidence:  # fmt: skip
    """One run, whole, and consistent with its own samples."""
    when = datetime(2026, 8, day, 12, 30, tzinfo=timezone.utc)
    suites = (
        suite("hardware_roms", "core", failing=failing),
        suite("klaus", "core"),
        suite("hardware_roms", "reference"),
        suite("hardware_roms", "nes-py", failing=("ppu/vbl_nmi", "apu/len_ctr"), cannot=("mapper/mmc3",)),
    )
    measured: dict[str, Measurement] = {
        "core.hardware": SuiteMeasurement(run="hardware_roms-core"),
        "core.klaus": SuiteMeasurement(run="klaus-core"),
        "throughput.core.vs-nes-py": timed("core", "nes-py", ratio, seed=day, comparisons=1),
        "instructions.core": table(
            "instructions", "core", [({"draw": "none"}, {"instructions_per_frame": instructions})]
        ),
        "memory.core": table(
            "memory", "core", [({"part": part}, {"bytes": size}) for part, size in (("state", 4800.0), ("log", 1936.0))]
        ),
        "cuda.frames-per-second": sweep()
        if machine.gpus
        else UnavailableMeasurement(missing="gpu:H200", reason="There is no GPU on this machine.", remedy=None),
        "core.hardware@nes-py": SuiteMeasurement(run="hardware_roms-nes-py"),
    }
    records = [record(CLAIMS[name], measurement, suites, day=when) for name, measurement in measured.items()]
    records.append(
        ClaimRecord(
            claim=CLAIMS["kernel.spills"], selected=False, verdict=Verdict.NOT_SELECTED,
            reason="Profile quick does not select it.", rerun="nesproof verify --claim kernel.spills",
        )
    )  # fmt: skip
    comparisons = (
        comparison("reference", "nes-py", 0.45, seed=day, consoles=1, differs=True),
        *(
            comparison("core", "reference", at * ratio / 2, seed=day + n, consoles=n, differs=False)
            for n, at in ((1, 1.0), (8, 1.25), (64, 1.4))
        ),
    )
    packages = tuple(Package(name=n, version=v) for n, v in (("numpy", "2.3.5"), ("scipy", "1.17.0")))
    roms = tuple(RomRecord(id=f"tests/{case}", sha256=sha(case), licence="MIT") for case in (*CASES, "6502"))
    return Evidence(
        created_utc=when, duration_s=97.3, profile="quick", command="nesproof verify --profile quick",
        source=Source(version="0.1.0", commit=commit, dirty=False, tree_sha256=sha(commit)),
        build=Build(compiler="GNU", compiler_version="13.3.0", flags="-O3", build_type="Release", commit=commit,
                    sources_sha256=sha("sources"), extension_sha256=sha("extension")),
        machine=machine, packages=packages,
        subjects=tuple(
            SubjectRecord(name=name, version={"nes-py": "8.2.1"}.get(name, "0.1.0"), python="3.11.9", capabilities=can)
            for name, can in SUBJECTS.items()
        ),
        roms=roms,
        workloads=(
            WorkloadRecord(key=WORKLOAD, title="scroller, random buttons from a recorded stream", rom="house/scroller",
                           warmup_frames=WARMUP, frames=FRAMES, draw="every", identity_sha256=sha("workload")),
        ),
        suites=suites, claims=tuple(records), comparisons=comparisons if with_comparisons else (),
        mustpass=MustPassRecord(
            name="nes-1.0", sha256=sha("list"), title="nesproof NES 1.0",
            cases=tuple(
                MustPassCase(suite="hardware_roms", case=c, roms={f"tests/{c}": sha(c)}) for c in CASES
            ),
        ),
        fixture=fixture, exit_code=run_exit_code(records, interrupted=False, strict=False),
    )  # fmt: skip


@cache
def runs() -> tuple[Evidence, ...]:
    """Three of one machine, oldest first, and the one that is a fixture."""
    return (
        evidence(COMMITS[0], day=1),
        evidence(COMMITS[1], day=2, ratio=96.0, instructions=37_200.0, failing=("ppu/vbl_nmi",)),
        evidence(COMMITS[2], day=3, ratio=97.0, instructions=37_200.0),
        evidence(COMMITS[2], day=4, ratio=140.0, machine=GPU, fixture=FIXTURE, with_comparisons=False),
    )


def _loaded(area: str, name: str) -> ModuleType:
    path = Path(__file__).parents[1] / area / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"site_{area}_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def gate() -> GateDocument:
    """A change that costs instructions and breaks nothing else."""
    parts = _loaded("gate", "parts")
    claims = [
        parts.record(parts.claim("instructions"), table="instructions of toy"),
        parts.record(
            parts.claim("exact"),
            measurement=UnavailableMeasurement(missing="roms", reason="The programs are not here.", remedy=None),
        ),
    ]
    tables = (parts.table("instructions", parts.instructions(900_000), parts.instructions(960_000)),)
    made: GateDocument = parts.document(claims, tables=tables)
    source = Source(version="0.1.0", commit=COMMITS[0], dirty=False, tree_sha256=sha("tree"))
    return made.model_copy(update={"machine": CPU, "source": source})


@cache
def bisection() -> Bisection:
    """A culprit among two dozen commits, confirmed."""
    from nesproof.harness.bisect.run import bisect

    written = _loaded("bisect", "written")
    made: Bisection = bisect(
        written.document(24), written.Written(broken=lambda n: n >= 17, silent={11, 12}), keep=lambda _: None
    )
    return made


def inputs() -> SiteInputs:
    """All of it."""
    return SiteInputs(
        runs=tuple(
            RunInput(evidence=one, bundle_id=sha(f"bundle {n}"), frames=_bare(frames_of(one)))
            for n, one in enumerate(runs())
        ),
        gates=(gate(),),
        bisections=(bisection(),),
    )


def _bare(frames: Mapping[str, bytes]) -> dict[str, bytes]:
    return {path.removeprefix("frames/"): data for path, data in frames.items()}


def bundle(one: Evidence) -> Bundle:
    """A bundle of the run, with its pictures and a report in few words."""
    return seal(one, attachments=frames_of(one), reports={"report.md": f"bundle {ID_PLACEHOLDER}\n".encode()})


def write_bundle(one: Evidence, folder: Path) -> Path:
    """The bundle as a folder."""
    for path, data in bundle(one).files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def write_all(folder: Path) -> Path:
    """Bundles, a gate's document and a bisection's in one folder, as `nesproof publish FOLDER` takes them."""
    for number, one in enumerate(runs(), start=1):
        write_bundle(one, folder / f"run-{number}")
    (folder / "gate").mkdir(parents=True, exist_ok=True)
    (folder / "gate" / "gate.json").write_text(gate().model_dump_json(), encoding="utf-8")
    (folder / "bisect.json").write_text(bisection().model_dump_json(), encoding="utf-8")
    return folder
