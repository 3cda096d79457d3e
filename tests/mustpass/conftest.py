"""Invented runs of several subjects over a list of four cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timezone
from typing import Any

import pytest

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.waiver import Waiver
from nesproof.harness.evidence.model import (
    CaseResult,
    ClaimRecord,
    Evidence,
    LeftOut,
    Machine,
    MustPassCase,
    MustPassRecord,
    RomRecord,
    Source,
    SubjectRecord,
    SuiteMeasurement,
    SuiteRun,
)
from nesproof.harness.judge import judge_claim, run_exit_code

DAY = date(2026, 6, 1)
LISTED = ("a1", "a2", "b1", "b2")
MakeRun = Callable[..., SuiteRun]
MakeEvidence = Callable[..., Evidence]


def record_of_the_list() -> MustPassRecord:
    return MustPassRecord(
        name="nes-9.9",
        sha256="e" * 64,
        title="nesproof NES 9.9",
        cases=tuple(MustPassCase(suite="opcodes", case=case, roms={"rom": "a" * 64}) for case in LISTED),
    )


def suite_run(
    subject: str,
    outcomes: Mapping[str, str],
    *,
    cannot_run: Sequence[str] = (),
    suite: str = "opcodes",
    expected: Sequence[str] | None = None,
    frames: bool = False,
    **more: Any,
) -> SuiteRun:
    """`outcomes` are outcome words by case id; a failed case says so in two lines."""
    cases = tuple(
        CaseResult(
            id=case,
            outcome=outcome,  # type: ignore[arg-type]
            message="" if outcome == "passed" else f"Status 03 at $6000.\n\nTest of {case}\nFailed #3",
            frame=f"frames/{subject}-{case}.png" if frames else None,
        )
        for case, outcome in outcomes.items()
    )
    return SuiteRun(
        id=f"{suite}.{subject}",
        suite=suite,
        title=f"The suite {suite}",
        oracle="The test that wrote it.",
        subject=subject,
        expected=tuple(outcomes if expected is None else expected),
        cases=cases,
        cannot_run=tuple(LeftOut(id=case, lacks=("peek",)) for case in cannot_run),
        **more,
    )


def run_evidence(*runs: SuiteRun, waivers: Mapping[str, Waiver] | None = None, **changes: Any) -> Evidence:
    """A consistent document of these runs; a claim about each, with the subject's waiver where one is given."""
    suites = {run.id: run for run in runs}
    records = []
    for run in runs:
        claim = Claim(
            id=f"mine.no-{len(records)}",
            sentence=f"All of {run.suite} passes.",
            kind="exact",
            subject=run.subject,
            suite=run.suite,
            breaks_when="An opcode forgets a flag.",
            waiver=(waivers or {}).get(run.subject),
        )
        measurement = SuiteMeasurement(run=run.id)
        judged = judge_claim(claim, measurement, suites, on=DAY)
        records.append(
            ClaimRecord(
                claim=claim,
                selected=True,
                verdict=judged.verdict,
                reason=judged.reason,
                measured=judged.measured,
                value=judged.value,
                rerun="nesproof verify",
                measurement=measurement,
            )
        )
    subjects = dict.fromkeys(run.subject for run in runs)
    fields: dict[str, Any] = {
        "created_utc": datetime(2026, 6, 1, 12, tzinfo=timezone.utc),
        "duration_s": 1.0,
        "profile": "quick",
        "command": "nesproof verify",
        "source": Source(version="0.1.0", commit="c" * 40, dirty=False, tree_sha256="d" * 64),
        "build": None,
        "machine": Machine(
            os="Linux", kernel="Linux 6", arch="x86_64", cpu_model="A CPU", physical_cores=1, logical_cores=2,
            usable_cores=2, memory_bytes=1, governor=None, virtualised=None,
        ),
        "packages": (),
        "subjects": tuple(SubjectRecord(name=n, version="1.2", python="", capabilities=("ram",)) for n in subjects),
        "roms": (RomRecord(id="rom", sha256="a" * 64, licence="free"),),
        "workloads": (),
        "suites": runs,
        "claims": tuple(records),
        "mustpass": record_of_the_list(),
        "exit_code": run_exit_code(records, interrupted=False, strict=False),
    }  # fmt: skip
    return Evidence(**{**fields, **changes})


@pytest.fixture
def make_run() -> MakeRun:
    return suite_run


@pytest.fixture
def make_evidence() -> MakeEvidence:
    return run_evidence


@pytest.fixture
def waiver() -> Waiver:
    return Waiver(
        reason="The opcode is known to be wrong.",
        settled_by="A test on a console.",
        expires=date(2026, 12, 31),
        cases=("b*",),
    )
