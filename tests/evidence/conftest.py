"""A small document with a suite and a timing, and the bundle that holds it."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.bundle import ID_PLACEHOLDER, Bundle, seal
from nesproof.harness.evidence.model import (
    CaseResult,
    ClaimRecord,
    Evidence,
    ExpectedState,
    Load,
    Machine,
    Measurement,
    RatioMeasurement,
    Sample,
    Source,
    SubjectRecord,
    SuiteMeasurement,
    SuiteRun,
    WorkloadRecord,
)
from nesproof.harness.judge import judge_claim, run_exit_code
from nesproof.harness.judge.order import BLOCK_REPLICATES, block_order

SUITE = Claim(
    id="cpu.test", sentence="Every opcode does what it should.", kind="exact", subject="reference", suite="opcodes",
    breaks_when="An opcode forgets a flag.",
)  # fmt: skip
RATIO = Claim(
    id="speed.test", sentence="It runs at least {value} times as fast.", kind="ratio", subject="reference",
    baseline="peer", workload="play@1", metric="frames_per_second", at_least=0.5, breaks_when="It becomes slow.",
)  # fmt: skip
OTHER = SUITE.model_copy(update={"id": "cpu.other"})


def _samples() -> tuple[Sample, ...]:
    return tuple(
        Sample(
            side=(side := block_order(5, block)[position]),
            block=block,
            position=position,
            run=run,
            elapsed_ns=round(1e8 * (1 if side == "candidate" else math.exp(0.3 + 0.01 * block)) * (1 + run / 100))
            + (97 * (4 * block + position) if run else 0),  # no two processes take the same times
            frames=100,
            digest="ab" * 8 if side == "candidate" else None,
            ram_sha256="c" * 64,
            frame_counter=110,
        )
        for block in range(10)
        for position in range(BLOCK_REPLICATES)
        for run in range(5)
    )


def _record(claim: Claim, measurement: Measurement, suites: dict[str, SuiteRun]) -> ClaimRecord:
    judged = judge_claim(claim, measurement, suites)
    return ClaimRecord(
        claim=claim,
        selected=True,
        verdict=judged.verdict,
        reason=judged.reason,
        measured=judged.measured,
        value=judged.value,
        interval=judged.interval,
        caveat=judged.caveat,
        rerun=f"nesproof verify --claim {claim.id}",
        measurement=measurement,
    )


def _evidence() -> Evidence:
    run = SuiteRun(
        id="opcodes.reference",
        suite="opcodes",
        title="Opcodes",
        oracle="Somebody who knows.",
        subject="reference",
        expected=("a", "b"),
        cases=(CaseResult(id="a", outcome="passed"), CaseResult(id="b", outcome="passed")),
        log="logs/suite.txt",
    )
    timing = RatioMeasurement(
        workload="play@1",
        candidate="reference",
        baseline="peer",
        order_seed=5,
        comparisons=1,
        expected=ExpectedState(digest="ab" * 8, ram_sha256="c" * 64, frame_counter=110),
        load=Load(load_average_1min=0.1, other_cpu_share=0.0, steal_share=0.0, waited_s=0.0, busy=False),
        samples=_samples(),
        digest_from=("candidate",),
    )
    suites = {run.id: run}
    records = (
        _record(SUITE, SuiteMeasurement(run=run.id), suites),
        _record(RATIO, timing, suites),
        ClaimRecord(
            claim=OTHER,
            selected=False,
            verdict=Verdict.NOT_SELECTED,
            reason="Outside the set.",
            rerun="nesproof verify",
        ),
    )
    return Evidence(
        created_utc=datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
        duration_s=1.5,
        profile="quick",
        command="nesproof verify",
        source=Source(version="0.1.0", commit=None, dirty=None, tree_sha256="d" * 64),
        build=None,
        machine=Machine(
            os="Linux", kernel="Linux 6", arch="x86_64", cpu_model="A CPU", physical_cores=1, logical_cores=2,
            usable_cores=2, memory_bytes=1, governor=None, virtualised=None,
        ),
        packages=(),
        subjects=(
            SubjectRecord(name="reference", version="1", python="3.12", capabilities=("digest",)),
            SubjectRecord(name="peer", version="1", python="3.12", capabilities=()),
        ),
        roms=(),
        workloads=(
            WorkloadRecord(
                key="play@1", title="Play", rom="house/scroller", warmup_frames=10, frames=100, draw="every",
                identity_sha256="e" * 64,
            ),
        ),
        suites=(run,),
        claims=records,
        exit_code=run_exit_code(records, interrupted=False, strict=False),
    )  # fmt: skip


def _write(bundle: Bundle, folder: Path) -> Path:
    for name, data in bundle.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.fixture
def evidence() -> Evidence:
    return _evidence()


@pytest.fixture
def sealed(evidence: Evidence) -> Bundle:
    reports = {"report.html": f"<p>{ID_PLACEHOLDER}</p>".encode(), "junit.xml": b"<testsuites/>"}
    return seal(evidence, attachments={"logs/suite.txt": b"2 passed"}, reports=reports)


@pytest.fixture
def write_bundle() -> Callable[[Bundle, Path], Path]:
    return _write


@pytest.fixture
def folder(sealed: Bundle, tmp_path: Path) -> Path:
    """A good bundle on disk."""
    return _write(sealed, tmp_path / "bundle")


@pytest.fixture
def reseal(tmp_path: Path) -> Callable[..., Path]:
    """Writes a bundle of a changed document with a manifest to match: what a forger would hand in."""

    def write(evidence: Evidence | dict[str, Any]) -> Path:
        document = evidence if isinstance(evidence, Evidence) else Evidence.model_validate(evidence)
        return _write(seal(document, attachments={"logs/suite.txt": b"2 passed"}, reports={}), tmp_path / "forged")

    return write
