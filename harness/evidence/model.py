"""The evidence document: one JSON object a run, whose JSON Schema is published.

Everything in it may come from a stranger: sizes are capped, unknown fields are refused, and nothing in it is trusted
as markup or as a path outside the bundle. Its parts are in `surroundings.py` and `measurements.py`; they are taken from
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from pydantic import Field

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode, Verdict
from nesproof.harness.evidence.comparison import Comparison
from nesproof.harness.evidence.falsification import Falsification
from nesproof.harness.evidence.fields import LongText, Moment, Name, Record, Text
from nesproof.harness.evidence.measurements import (
    CaseOutcome,
    CaseResult,
    ChangeMeasurement,
    ExpectedState,
    FailedMeasurement,
    FigureRow,
    FiguresMeasurement,
    LaneDigest,
    LanePicture,
    LeftOut,
    Load,
    Measurement,
    NoMeasurement,
    RatioMeasurement,
    RunRecord,
    Sample,
    SpotCheck,
    StateCheck,
    SuiteMeasurement,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.evidence.mustpass import MustPassCase, MustPassRecord
from nesproof.harness.evidence.surroundings import (
    Build,
    Gpu,
    Machine,
    Package,
    RomRecord,
    Source,
    SubjectRecord,
    WorkloadRecord,
)

__all__ = [
    "SCHEMA_ID",
    "SCHEMA_VERSION",
    "SCHEMA_VERSIONS_READ",
    "Build",
    "CaseOutcome",
    "CaseResult",
    "ChangeMeasurement",
    "ClaimRecord",
    "Comparison",
    "Evidence",
    "ExpectedState",
    "FailedMeasurement",
    "Falsification",
    "FigureRow",
    "FiguresMeasurement",
    "Gpu",
    "LaneDigest",
    "LanePicture",
    "LeftOut",
    "Load",
    "Machine",
    "Measurement",
    "MustPassCase",
    "MustPassRecord",
    "NoMeasurement",
    "Package",
    "RatioMeasurement",
    "RomRecord",
    "RunRecord",
    "Sample",
    "Source",
    "SpotCheck",
    "StateCheck",
    "SubjectRecord",
    "SuiteMeasurement",
    "SuiteRun",
    "UnavailableMeasurement",
    "WorkloadRecord",
]

SCHEMA_ID: Final = "nesproof.evidence"
SCHEMA_VERSION: Final = 2
SCHEMA_VERSIONS_READ: Final = (1, 2)
"""Version 2 adds comparisons, the list of must-pass cases and the word of a fixture; a document of version 1 lacks
them, and is read as it is."""


class ClaimRecord(Record):
    """A claim, what was measured for it, and the verdict that follows."""

    claim: Claim
    selected: bool
    verdict: Verdict
    reason: LongText
    """One or two sentences: why this verdict."""
    measured: Text | None = None
    """What was measured, for people: "81 of 81 cases", "1.32 x (1.29 to 1.35)"."""
    value: float | None = None
    """The figure itself, where there is one."""
    interval: tuple[float, float] | None = None
    caveat: Text | None = None
    """Said beside the verdict: "weaker check: RAM and frame counter"."""
    remedy: Text | None = None
    rerun: Text
    """The command that measures this claim alone."""
    measurement: Measurement | None = None


class Evidence(Record):
    """One run, whole. `to_frame()` gives its samples as a table."""

    schema_id: Literal["nesproof.evidence"] = SCHEMA_ID
    schema_version: Literal[1, 2] = SCHEMA_VERSION
    created_utc: Moment
    duration_s: float = Field(ge=0)
    profile: Name
    command: Text
    """The command that was given, without local paths."""
    source: Source
    build: Build | None
    machine: Machine
    packages: tuple[Package, ...]
    subjects: tuple[SubjectRecord, ...]
    roms: tuple[RomRecord, ...]
    workloads: tuple[WorkloadRecord, ...]
    suites: tuple[SuiteRun, ...]
    claims: tuple[ClaimRecord, ...]
    comparisons: tuple[Comparison, ...] = Field(default=(), max_length=1_000)
    """Subjects held beside each other without a promise."""
    mustpass: MustPassRecord | None = None
    fixture: Text | None = None
    """Set where nothing was measured: what the document was made up for, said beside everything that is shown of it."""
    falsification: Falsification | None = None
    """Faults planted on purpose, where the run was asked for them."""
    interrupted: bool = False
    strict: bool = False
    """True where claims without a `killed_by` fail the run."""
    exit_code: ExitCode

    def counts(self) -> dict[Verdict, int]:
        """How many claims fared how; every verdict is a key, so that a headline can name all counts."""
        return {v: sum(1 for c in self.claims if c.verdict is v) for v in Verdict}

    def unproven_claims(self) -> frozenset[str]:
        """Ids of the claims, selected or not, that no known fault is named for, or whose faults this run planted in
        vain."""
        in_vain = frozenset() if self.falsification is None else self.falsification.unkilled_claims()
        return in_vain | {c.claim.id for c in self.claims if c.claim.is_unproven}

    def unproven(self) -> int:
        """How many claims are unproven."""
        return len(self.unproven_claims())

    def measurements(self) -> Iterator[tuple[str, Measurement | None]]:
        """What was measured of each claim, then of each comparison, with the id of either; None where nothing was."""
        yield from ((record.claim.id, record.measurement) for record in self.claims)
        yield from ((comparison.id, comparison.measurement) for comparison in self.comparisons)

    def version_of(self, subject: str) -> str:
        """The version that the subject said of itself; empty where the document has none."""
        return next((record.version for record in self.subjects if record.name == subject), "")

    def to_frame(self) -> Any:
        """Every raw sample as a tidy `pandas.DataFrame`, one row a sample.

        Columns: claim (the comparison's id, where it is one's), workload, side, subject, those of `RunRecord`, block,
        position, run, elapsed_ns, frames, frames_per_second, env_steps_per_second, digest, ram_sha256, frame_counter.
        """
        import pandas as pd

        columns = ["claim", "workload", "side", "subject", *RunRecord.model_fields, "block", "position", "run",
                   "elapsed_ns", "frames", "frames_per_second", "env_steps_per_second", "digest", "ram_sha256",
                   "frame_counter"]  # fmt: skip
        rows = []
        for id_, m in self.measurements():
            if not isinstance(m, RatioMeasurement):
                continue
            for sample in m.samples:
                run, subject = m.side(sample.side)
                speed = sample.frames * 1e9 / sample.elapsed_ns
                row = {"claim": id_, "workload": m.workload_of(sample.side), "subject": subject, **run.model_dump()}
                row |= {"frames_per_second": speed, "env_steps_per_second": speed / run.frame_skip}
                rows.append({**row, **sample.model_dump(exclude={"lane_digests", "pictures", "spot"})})
        return pd.DataFrame(rows, columns=columns)
