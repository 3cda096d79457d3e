"""Claims of the tests' own, and evidence documents that measured them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest

from nesproof.harness.claims import Claim, ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import ClaimRecord, Machine, Source

SPEED = Claim(
    id="mine.speed", sentence="It runs at least {value} times as fast as before.", kind="ratio", subject="core",
    baseline="reference", workload="busy@2", metric="frames_per_second", at_least=12.5, killed_by=("skips-frames",),
    breaks_when="It becomes slow, or leaves out frames.",
)  # fmt: skip
SUITE = Claim(
    id="mine.suite", sentence="Every opcode does what it should.", kind="exact", subject="core", suite="nestest",
    breaks_when="An opcode forgets a flag.",
)  # fmt: skip
MACHINE = Machine(
    os="Linux", kernel="6.1", arch="x86_64", cpu_model="Test CPU", physical_cores=2, logical_cores=2, usable_cores=2,
    memory_bytes=8 << 30, governor=None, virtualised=False,
)  # fmt: skip


@pytest.fixture
def registry() -> dict[str, Claim]:
    return {claim.id: claim for claim in (SPEED, SUITE)}


def _record(
    claim: Claim, verdict: Verdict = Verdict.PASS, measured: str | None = "13 x (12.9 to 13.1)", **more: Any
) -> Any:
    rerun = f"nesproof verify --claim {claim.id}"
    return ClaimRecord(
        claim=claim, selected=True, verdict=verdict, reason="So.", measured=measured, rerun=rerun, **more
    )


def _document(*records: ClaimRecord, day: int = 30, commit: str = "5f674aa0c1d2e3f4", **more: Any) -> Evidence:
    source = Source(version="1.0", commit=commit, dirty=False, tree_sha256="0" * 64)
    fields: dict[str, Any] = {
        "created_utc": datetime(2026, 11, day, 12, tzinfo=timezone.utc), "duration_s": 1.0, "profile": "full",
        "command": "nesproof verify", "source": source, "build": None, "machine": MACHINE, "packages": (),
        "subjects": (), "roms": (), "workloads": (), "suites": (), "claims": records, "exit_code": ExitCode.OK,
    }  # fmt: skip
    return Evidence(**{**fields, **more})


@pytest.fixture
def record() -> Callable[..., ClaimRecord]:
    """`record(claim, verdict, measured, **fields)`: what a document says of a claim."""
    return _record


@pytest.fixture
def document() -> Callable[..., Evidence]:
    """`document(*records, day=…, commit=…, **fields)`: a document of that day in November."""
    return _document
