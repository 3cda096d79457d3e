"""Parts for tests of the gate: claims, figures and samples without a process behind them."""

from __future__ import annotations

import random
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.builds.isolation import Ended
from nesproof.harness.claims.model import Claim
from nesproof.harness.evidence.model import (
    CaseResult,
    ChangeMeasurement,
    ExpectedState,
    FigureRow,
    FiguresMeasurement,
    Load,
    RunRecord,
    Sample,
    StateCheck,
    SuiteRun,
)
from nesproof.harness.gate.check import contradictions_of
from nesproof.harness.gate.document import (
    Fingerprint,
    GateClaim,
    GateDocument,
    GateFlags,
    RevisionRecord,
    Table,
    Timing,
)
from nesproof.harness.gate.gate import GateRequest, run_gate
from nesproof.harness.gate.inside import compare
from nesproof.harness.gate.order import GateOrder
from nesproof.harness.gate.outcome import GateVerdict, gate_exit_code
from nesproof.harness.gate.verdicts import rejudged
from nesproof.harness.judge.order import block_order
from nesproof.harness.probes.change import ChangePlan, measure_change
from nesproof.harness.runner.interrupts import Interrupts
from nesproof.harness.runner.progress import Progress
from nesproof.harness.workloads import Workload

WORKLOAD = "busy@2"
EXPECTED = ExpectedState(digest="ab" * 8, ram_sha256="0" * 64, frame_counter=180)
QUIET = Load(load_average_1min=0.1, other_cpu_share=0.0, steal_share=0.0, waited_s=0.0, busy=False)
RUN = RunRecord(draw="none", frame_skip=4, passes=10)


def gated(root: Path, **flags: Any) -> GateDocument:
    """What `nesproof gate HEAD~1` says in this process; the document agrees with itself."""
    request = GateRequest(
        repository=root,
        base="HEAD~1",
        head="HEAD",
        flags=GateFlags.model_validate({"profile": "quick", "order_seed": 5, **flags}),
        command="nesproof gate HEAD~1",
        quiet_wait_s=0,
    )
    document = run_gate(request, progress=Progress(), on_yardstick=lambda _lines: None)
    assert contradictions_of(document) == []
    return document


def claim(kind: str = "ratio", **fields: Any) -> Claim:
    common = {
        "id": f"toy.{kind}",
        "sentence": "The toy is as good as it was before.",
        "kind": kind,
        "subject": "toy",
        "breaks_when": "Something in it becomes worse.",
    }
    kinds: dict[str, dict[str, Any]] = {
        "ratio": {
            "baseline": "reference",
            "workload": WORKLOAD,
            "metric": "frames_per_second",
            "at_least": 1,
            "candidate_run": {"draw": "none"},
        },
        "exact": {"suite": "determinism"},
        "instructions": {
            "workload": WORKLOAD,
            "metric": "instructions_per_frame",
            "where": {"draw": "none", "idle_skipping": True},
            "at_most": 1_000_000,
        },
        "memory": {"workload": WORKLOAD, "metric": "bytes", "where": {"part": "declared"}, "at_most": 10_000},
        "static": {
            "workload": WORKLOAD,
            "metric": "spill_bytes",
            "where": {"part": "all", "arch": ["sm_80", "sm_90"]},
            "at_most": 0,
        },
    }
    return Claim.model_validate({**common, **kinds[kind], **fields})


def figures(of: str, rows: list[tuple[dict[str, Any], dict[str, float]]], *, found: str = "aa") -> FiguresMeasurement:
    return FiguresMeasurement(
        of=of,
        subject="toy",
        workload=WORKLOAD,
        rows=tuple(FigureRow(labels=labels, figures=numbers) for labels, numbers in rows),
        checks=(StateCheck(what="the run", expected="aa", found=found),),
    )


def instructions(count: float) -> FiguresMeasurement:
    return figures("instructions", [({"draw": "none", "idle_skipping": True}, {"instructions_per_frame": count})])


def spills(**by_arch: float) -> FiguresMeasurement:
    return figures("static", [({"arch": arch, "part": "all"}, {"spill_bytes": n}) for arch, n in by_arch.items()])


def memory(count: float) -> FiguresMeasurement:
    return figures("memory", [({"part": "declared"}, {"bytes": count})])


class FakeProcesses:
    """In the place of `probes.change.replicate`: what a process of each subject would have told, with 0.3 % of noise.

    `slower` is by how much of the time the candidate is; `digests` what each side's runs end in.
    """

    def __init__(
        self, *, slower: float = 0.0, noise: float = 0.003, wrong: str = "", interrupt_at: int = 10**9
    ) -> None:
        self.slower, self.noise, self.wrong, self.interrupt_at = slower, noise, wrong, interrupt_at
        self.random = random.Random(7)
        self.processes = 0

    def __call__(self, plan: Any, block: int, position: int) -> list[Sample]:
        self.processes += 1
        if self.processes > self.interrupt_at:
            raise KeyboardInterrupt
        side = block_order(plan.order_seed, block)[position]
        name, run = plan.side(side)
        is_candidate = name.endswith("candidate")
        factor = (1 + self.slower if is_candidate else 1) * (1 + abs(self.random.gauss(0, self.noise)))
        digest = "cd" * 8 if self.wrong and name.endswith(self.wrong) else EXPECTED.digest
        return [
            Sample(
                side=side,
                block=block,
                position=position,
                run=number,
                elapsed_ns=int(80e6 * factor) + self.random.randrange(1000) + number,
                frames=plan.workload.frames * run.num_envs * run.passes,
                digest=digest,
                ram_sha256=EXPECTED.ram_sha256,
                frame_counter=EXPECTED.frame_counter,
            )
            for number in range(plan.runs)
        ]


def workload() -> Workload:
    return Workload(
        id="busy", version=2, title="busy", rom="house/busy", buttons="none", warmup_frames=60, frames=120,
        frame_counter_address=16,
    )  # fmt: skip


def change(monkeypatch: Any, fake: FakeProcesses, **fields: Any) -> ChangeMeasurement:
    """The measurement that such processes add up to."""
    monkeypatch.setattr("nesproof.harness.probes.change.replicate", fake)
    plan = ChangePlan(
        subject="toy",
        subjects={"baseline": "toy-baseline", "candidate": "toy-candidate"},
        builds={"baseline": "a" * 40, "candidate": "b" * 40},
        workload=workload(),
        rom=b"",
        stream=bytes(180),
        run=RUN,
        repeats=True,
        comparisons=1,
        order_seed=3,
        deadline_s=fields.pop("deadline_s", float("inf")),
    )
    return measure_change(plan, expected=EXPECTED, load=fields.pop("load", QUIET), **fields)


def timing(measurement: Any, *claims: str) -> Timing:
    return Timing(
        id="toy, busy@2, draw none",
        subject="toy",
        workload=WORKLOAD,
        run=RUN,
        window_frames=120,
        claims=claims or ("toy.ratio",),
        measurement=measurement,
    )


def table(kind: Any, baseline: Any, candidate: Any) -> Table:
    return Table(
        id=f"{kind} of toy",
        kind=kind,
        subject="toy",
        workload=WORKLOAD,
        claims=(f"toy.{kind}",),
        baseline=baseline,
        candidate=candidate,
    )


def suite(name: str = "determinism on toy", problem: str | None = None, **outcomes: str) -> SuiteRun:
    """A run of a suite: each case by its outcome; "missing" has no result."""
    cases = [CaseResult(id=case, outcome=outcome) for case, outcome in outcomes.items() if outcome != "missing"]  # type: ignore[arg-type]
    return SuiteRun(
        id=name, suite="determinism", title="A suite", oracle="Somebody who knows.", subject="toy",
        expected=tuple(outcomes), cases=tuple(cases), problem=problem,
    )  # fmt: skip


def revision(letter: str, *, subject: str = "Change it", **fields: Any) -> RevisionRecord:
    return RevisionRecord(
        asked="main",
        commit=letter * 40,
        subject=subject,
        build_key=fields.pop("key", letter * 40),
        build_was_cached=True,
        inputs_sha256=fields.pop("inputs", {"the workloads": "1", "the dependencies": "2"}),
    )


CODE = Fingerprint(files={"libtoy.so": {".text": "1", ".rodata": "2", ".data": "3"}, "adapter.py": {"syntax": "4"}})


def record(one: Claim, **fields: Any) -> GateClaim:
    return GateClaim(
        claim=one,
        verdict=GateVerdict.NOT_MEASURED,
        reason="Nothing was measured.",
        rerun=f"nesproof gate main --claim {one.id}",
        **fields,
    )


def document(records: list[GateClaim], *, day: str = "2026-03-01", **fields: Any) -> GateDocument:
    """A document whose verdicts are judged from what it holds."""
    from nesproof.harness.evidence.capture import capture_machine, capture_source

    bare = GateDocument(
        created_utc=datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=timezone.utc),
        duration_s=1.5,
        command="nesproof gate main",
        repeat=fields.pop("repeat", f"nesproof gate {'a' * 40} {'b' * 40}"),
        judge="claims, workloads and judge of the base",
        flags=fields.pop("flags", GateFlags(profile="quick", budget_s=600, order_seed=3)),
        baseline=fields.pop("baseline", revision("a")),
        candidate=fields.pop("candidate", revision("b")),
        merge_base_of="a" * 40,
        source=capture_source(),
        machine=capture_machine(),
        packages=(),
        on_path={"toy": ("*",), "kernels": ("*",)},
        baseline_code=fields.pop("baseline_code", CODE),
        candidate_code=fields.pop("candidate_code", CODE.model_copy(update={"files": {}})),
        claims=tuple(records),
        exit_code=6,
        **fields,
    )
    claims = rejudged(bare)
    code = gate_exit_code((c.verdict for c in claims), interrupted=bare.interrupted)
    return bare.model_copy(update={"claims": claims, "exit_code": code})


def judged_here(_rooms: Any, plan: Path, result: Path, *, environment: dict[str, str], **_: Any) -> Ended:
    """In the place of `under_base.run_under_base`: the measuring process's work, in this one."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        order = GateOrder.model_validate_json(plan.read_bytes())
        document = compare(order, interrupts=Interrupts(), progress=Progress())
        result.write_text(document.model_dump_json())
    return Ended(0, "")


def written(one: GateDocument, folder: Path) -> Path:
    """The document as a file."""
    from nesproof.reports.gate import gate_json

    path = folder / "gate.json"
    path.write_bytes(gate_json(one))
    return path
