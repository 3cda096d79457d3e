"""The gate's document: one JSON object a comparison, with every raw sample, whose JSON Schema is published.

Like evidence it may come from a stranger, so that sizes are capped and unknown fields are refused; nothing in it is
trusted as markup. `gate.rejudge` derives its verdicts anew.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from pydantic import Field

from nesproof.harness.claims.model import Claim, ClaimKind
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.evidence.fields import Hex, LongText, Moment, Name, Record, Text
from nesproof.harness.evidence.gpu_samples import GpuCondition
from nesproof.harness.evidence.measurements import (
    ChangeMeasurement,
    FailedMeasurement,
    FiguresMeasurement,
    Measurement,
    NoMeasurement,
    RunRecord,
    SuiteRun,
    UnavailableMeasurement,
)
from nesproof.harness.evidence.surroundings import Machine, Package, Source
from nesproof.harness.gate.outcome import GateVerdict

__all__ = [
    "GATE_SCHEMA_ID",
    "GATE_SCHEMA_VERSION",
    "Absence",
    "EndState",
    "Fingerprint",
    "GateClaim",
    "GateDocument",
    "GateFlags",
    "GpuBlock",
    "KernelCode",
    "RevisionRecord",
    "Table",
    "Timing",
    "gate_schema",
]

GATE_SCHEMA_ID: Final = "nesproof.gate"
GATE_SCHEMA_VERSION: Final = 1

Absence = UnavailableMeasurement | FailedMeasurement | NoMeasurement
"""Why there is no measurement."""


class RevisionRecord(Record):
    """One side: what was asked for, which commit that is, and which build was measured."""

    asked: Text
    """The revision as it was given: "main", "HEAD~2"."""
    commit: Hex
    subject: Text
    """The first line of the commit's message."""
    build_key: Hex
    """Names the build: a hash over the sources, the compiler and its flags."""
    build_was_cached: bool
    inputs_sha256: dict[Name, Hex] = Field(default_factory=dict, max_length=20)
    """What a run is made of beside the build: workloads and streams, programs, dependencies."""


class GateFlags(Record):
    """What the gate was asked for."""

    profile: Name
    claim_globs: tuple[Text, ...] = Field(default=(), max_length=200)
    device: Literal["cpu", "cuda"] = "cpu"
    budget_s: float = Field(ge=0)
    force_timing: bool = False
    deterministic: bool = True
    accept_yardstick: bool = False
    allow_busy: bool = False
    allow_dirty: bool = False
    order_seed: int = Field(ge=0)


class KernelCode(Record):
    """The machine code of the compiled kernels for one architecture, with what changes nothing left out of the hash."""

    arch: Name
    sha256: dict[Name, Hex] = Field(max_length=40)
    """By binary."""


class Fingerprint(Record):
    """What of a build decides how it runs, as hashes.

    `files` holds each file of the build: of a compiled one the sections .text, .rodata and .data (without what only
    names the build: its commit and the hash of its sources), of Python the syntax tree, so that comments and layout
    make no difference, of any other its bytes.
    """

    files: dict[Text, dict[Name, Hex]] = Field(max_length=4_000)
    kernels: tuple[KernelCode, ...] = Field(default=(), max_length=40)


class EndState(Record):
    """Where a subject ends a workload's window in either build, beside where the base's reference does."""

    subject: Name
    workload: Name
    expected: Hex
    expected_of_candidate: Hex | None = None
    """Where the head's own reference does; None where the head is held to the base's."""
    baseline: Hex | None
    """None where the subject cannot give our digest."""
    candidate: Hex | None
    clock: Name = "host"
    """By whose clock the subject is timed: the host's, or a GPU's own ("cuda-events")."""


class GpuBlock(Record):
    """One timed block on a GPU, and how the GPU was over it; a block over which it was throttled counts for nothing."""

    condition: GpuCondition | None
    was_discarded: bool


class Timing(Record):
    """One timed comparison, which may answer several claims."""

    id: Name
    subject: Name
    workload: Name
    run: RunRecord
    window_frames: int = Field(ge=1)
    """How many frames of the workload's window were timed: fewer where a slow subject would take too long over it."""
    claims: tuple[Name, ...] = Field(max_length=400)
    estimate_s: float | None = Field(default=None, ge=0)
    """How long the plan thought that its first look would take."""
    duration_s: float = Field(default=0.0, ge=0)
    steal_share: float | None = None
    """What the host of a virtual machine took while it was timed."""
    measurement: ChangeMeasurement | Absence = Field(discriminator="kind")
    gpu: tuple[GpuBlock, ...] = Field(default=(), max_length=4_000)


class Table(Record):
    """Counted figures of both builds."""

    id: Name
    kind: ClaimKind
    subject: Name
    workload: Name | None
    claims: tuple[Name, ...] = Field(max_length=400)
    baseline: FiguresMeasurement | Absence = Field(discriminator="kind")
    candidate: FiguresMeasurement | Absence = Field(discriminator="kind")


class GateClaim(Record):
    """A claim of the base's, how it fares from the base to the head, and what that rests on.

    `timing` and `table` name entries of the document; `measurement` is an exact claim's, on the head's build;
    `measurement_of_base` is the same on the base's, where the head fails it.
    """

    claim: Claim
    verdict: GateVerdict
    reason: LongText
    before: float | None = None
    after: float | None = None
    unit: Name = ""
    """What `before` and `after` are in; empty where there are none."""
    change: float | None = None
    """After over before, minus 1: of times, above 0 is slower; of counted figures, above 0 is more."""
    interval: tuple[float, float] | None = None
    """Of `change`, where it was timed."""
    floor: float | None = None
    """The smallest change that the noise of this job lets be seen, as a share."""
    caveat: Text | None = None
    remedy: Text | None = None
    rerun: Text
    timing: Name | None = None
    table: Name | None = None
    measurement: Measurement | None = None
    measurement_of_base: Measurement | None = None


class GateDocument(Record):
    """One comparison, whole."""

    schema_id: Literal["nesproof.gate"] = GATE_SCHEMA_ID
    schema_version: Literal[1] = GATE_SCHEMA_VERSION
    created_utc: Moment
    duration_s: float = Field(ge=0)
    command: Text
    """The command that was given, without local paths."""
    repeat: Text
    """The command that repeats it in a clone."""
    judge: Text
    """Whose claims, workloads and judge decided."""
    flags: GateFlags
    baseline: RevisionRecord
    candidate: RevisionRecord
    merge_base_of: Name
    """The base as it was asked for: what is compared is where the head's branch left it."""
    yardstick: tuple[Text, ...] = Field(default=(), max_length=2_000)
    """What the head changes of what the project is measured by, a line each. The base's is what counts."""
    own_references: bool = False
    """Each build's runs had to end where its own reference does, since the head changes the reference and that was
    accepted, and the base's claims about the reference were asked of the head's; otherwise, where the base's does."""
    source: Source
    machine: Machine
    packages: tuple[Package, ...]
    plan: tuple[Text, ...] = Field(default=(), max_length=1_000)
    """What was to be measured, as it was said before anything was."""
    on_path: dict[Name, tuple[Text, ...]] = Field(default_factory=dict, max_length=100)
    """By subject (and "kernels"): which files of a build decide how it runs, as patterns; `!` takes out again."""
    baseline_code: Fingerprint | None = None
    candidate_code: Fingerprint | None = None
    end_states: tuple[EndState, ...] = Field(default=(), max_length=200)
    timings: tuple[Timing, ...] = Field(default=(), max_length=400)
    tables: tuple[Table, ...] = Field(default=(), max_length=400)
    suites: tuple[SuiteRun, ...] = Field(default=(), max_length=400)
    suites_of_base: tuple[SuiteRun, ...] = Field(default=(), max_length=400)
    """On the base's build, for the claims that the head fails."""
    claims: tuple[GateClaim, ...] = Field(max_length=2_000)
    interrupted: bool = False
    exit_code: ExitCode

    def counts(self) -> dict[GateVerdict, int]:
        """How many claims fared how; every verdict is a key."""
        return {v: sum(1 for c in self.claims if c.verdict is v) for v in GateVerdict}


def gate_schema() -> str:
    """The JSON Schema of the document."""
    schema: dict[str, Any] = GateDocument.model_json_schema(mode="serialization")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps({"$schema": dialect, **schema, "title": "nesproof gate, version 1"}, indent=2) + "\n"
