"""The evidence document: one JSON object a run, whose JSON Schema is published.

Everything in it may come from a stranger: sizes are capped, unknown fields are refused, and nothing in it is trusted
as markup or as a path outside the bundle.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode, Verdict

__all__ = [
    "SCHEMA_ID",
    "SCHEMA_VERSION",
    "Build",
    "CaseOutcome",
    "CaseResult",
    "ClaimRecord",
    "Evidence",
    "ExpectedState",
    "FailedMeasurement",
    "Gpu",
    "Load",
    "Machine",
    "Measurement",
    "NoMeasurement",
    "Package",
    "RatioMeasurement",
    "RomRecord",
    "Sample",
    "Source",
    "SubjectRecord",
    "SuiteMeasurement",
    "SuiteRun",
    "UnavailableMeasurement",
    "WorkloadRecord",
]

SCHEMA_ID: Final = "nesproof.evidence"
SCHEMA_VERSION: Final = 1

Text = Annotated[str, Field(max_length=4_000)]
LongText = Annotated[str, Field(max_length=64_000)]
Name = Annotated[str, Field(max_length=200)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{1,128}$")]
BundlePath = Annotated[str, Field(pattern=r"^[a-z]+/[A-Za-z0-9._-]{1,150}$")]
"""A file of the bundle, one folder deep: `frames/x.png`, `logs/y.txt`."""


def _in_utc(when: datetime) -> datetime:
    try:
        when.astimezone(timezone.utc)
    except (OverflowError, OSError, ValueError):
        raise ValueError("it is no moment that UTC has a date for") from None
    return when


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A moment; views show it in UTC."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, ser_json_inf_nan="null", allow_inf_nan=False)


# --- What ran, and where ---------------------------------------------------------------------------------------------


class Source(_Record):
    """Which nesproof ran. `commit` and `dirty` are None where it was installed from a wheel built outside git."""

    version: Name
    commit: Hex | None
    dirty: bool | None
    tree_sha256: Sha256
    """SHA-256 over the installed package's own files, so that two dirty trees can be told apart."""


class Build(_Record):
    """How the emulator's native code was built."""

    compiler: Name
    compiler_version: Name
    flags: Text
    build_type: Name
    extension_sha256: Sha256 | None


class Gpu(_Record):
    """One GPU, as its driver describes it."""

    name: Name
    driver: Name
    memory_bytes: int = Field(ge=0)
    compute_capability: Name
    sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None


class Machine(_Record):
    """The machine, without anything that names its owner."""

    os: Name
    kernel: Name
    arch: Name
    cpu_model: Name
    physical_cores: int | None
    logical_cores: int
    usable_cores: int
    memory_bytes: int
    governor: Name | None
    virtualised: bool | None
    gpus: tuple[Gpu, ...] = ()


class Package(_Record):
    """One installed Python package."""

    name: Name
    version: Name


class SubjectRecord(_Record):
    """A subject as it introduced itself."""

    name: Name
    version: Name
    python: Name
    capabilities: tuple[Name, ...]
    packages: tuple[Package, ...] = ()


class RomRecord(_Record):
    """A ROM that the run used, by hash; never its bytes."""

    id: Name
    sha256: Sha256
    licence: Name


class WorkloadRecord(_Record):
    """A workload that the run used."""

    key: Name
    title: Text
    rom: Name
    warmup_frames: int
    frames: int
    draw: Name
    identity_sha256: Sha256


# --- Suites ----------------------------------------------------------------------------------------------------------

CaseOutcome = Literal["passed", "failed", "error", "skipped"]


class CaseResult(_Record):
    """What one case of a suite did."""

    id: Annotated[str, Field(max_length=300)]
    outcome: CaseOutcome
    message: LongText = ""
    """Why it did not pass; empty where it passed."""
    duration_s: float = Field(default=0.0, ge=0)
    details: dict[Name, int | float | str | bool] = Field(default_factory=dict, max_length=100)
    """Figures that the case printed: instructions, cycles, frames, the text on screen."""
    frame: BundlePath | None = None
    """The final frame as a PNG of the bundle."""


class SuiteRun(_Record):
    """One run of one suite on one subject.

    `expected` is the list of case ids that was fixed before anything ran; a case of it without a result never counts
    as passed.
    """

    id: Name
    suite: Name
    title: Text
    oracle: Text
    subject: Name
    expected: tuple[Annotated[str, Field(max_length=300)], ...]
    cases: tuple[CaseResult, ...]
    problem: LongText | None = None
    """Set where the run itself broke: pytest died, hung, was interrupted."""
    duration_s: float = Field(default=0.0, ge=0)
    log: BundlePath | None = None


# --- Measurements ----------------------------------------------------------------------------------------------------


class Sample(_Record):
    """One timed run of a workload's window in one process. A process (block, position) is the replicate."""

    side: Literal["candidate", "baseline"]
    block: int = Field(ge=0)
    position: int = Field(ge=0, le=3)
    run: int = Field(ge=0)
    elapsed_ns: int = Field(gt=0)
    frames: int = Field(gt=0)
    digest: Hex | None
    """Digest of the console's state at the end of the window, where the subject can give ours."""
    ram_sha256: Sha256
    """SHA-256 of the 2 KiB of RAM at the end of the window."""
    frame_counter: int
    """The game's own frame counter at the end of the window."""


class ExpectedState(_Record):
    """Where an untimed run of the reference ends: what a timed run must reproduce before its speed counts."""

    digest: Hex
    ram_sha256: Sha256
    frame_counter: int


class Load(_Record):
    """How busy the machine was before timing began. `overridden` makes the timing diagnostic."""

    load_average_1min: float | None
    other_cpu_share: float | None
    steal_share: float | None
    waited_s: float
    busy: bool
    overridden: bool = False


class SuiteMeasurement(_Record):
    """An exact claim's measurement: a run in `Evidence.suites`."""

    kind: Literal["suite"] = "suite"
    run: Name


class RatioMeasurement(_Record):
    """A ratio claim's measurement: samples of two subjects, interleaved by process."""

    kind: Literal["ratio"] = "ratio"
    workload: Name
    candidate: Name
    baseline: Name
    order_seed: int
    comparisons: int = Field(ge=1)
    """How many timed claims share the error budget of this run (m), fixed before the first sample."""
    expected: ExpectedState
    load: Load
    samples: tuple[Sample, ...]
    digest_from: tuple[Literal["candidate", "baseline"], ...] = ()
    """The sides whose subject declares that it can give our digest, and so must give it with every sample."""
    budget_exhausted: bool = False
    """True where the time ran out before a verdict, so that the blocks may end between two looks."""
    interrupted: bool = False
    """True where a person stopped the timing; the blocks may end between two looks."""


class UnavailableMeasurement(_Record):
    """What the claim requires is not here."""

    kind: Literal["unavailable"] = "unavailable"
    missing: Name
    reason: Text
    remedy: Text | None
    """One command, or None where nothing on this machine would help."""


class FailedMeasurement(_Record):
    """The measurement broke: a subject died, hung, answered nonsense, could not be started."""

    kind: Literal["failed"] = "failed"
    stage: Name
    reason: LongText
    log: BundlePath | None = None


class NoMeasurement(_Record):
    """The measurement never came about: interrupted before it, or outside the budget."""

    kind: Literal["none"] = "none"
    reason: Text


Measurement = Annotated[
    SuiteMeasurement | RatioMeasurement | UnavailableMeasurement | FailedMeasurement | NoMeasurement,
    Field(discriminator="kind"),
]


class ClaimRecord(_Record):
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


class Evidence(_Record):
    """One run, whole. `to_frame()` gives its samples as a table."""

    schema_id: Literal["nesproof.evidence"] = SCHEMA_ID
    schema_version: Literal[1] = SCHEMA_VERSION
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
    interrupted: bool = False
    strict: bool = False
    """True where claims without a `killed_by` fail the run."""
    exit_code: ExitCode

    def counts(self) -> dict[Verdict, int]:
        """How many claims fared how; every verdict is a key, so that a headline can name all counts."""
        return {v: sum(1 for c in self.claims if c.verdict is v) for v in Verdict}

    def unproven(self) -> int:
        """How many claims, selected or not, no known fault is named for."""
        return sum(1 for c in self.claims if c.claim.is_unproven)

    def to_frame(self) -> Any:
        """Every raw sample as a tidy `pandas.DataFrame`, one row a sample.

        Columns: claim, workload, side, subject, block, position, run, elapsed_ns, frames, frames_per_second,
        digest, ram_sha256, frame_counter.
        """
        import pandas as pd

        columns = ["claim", "workload", "side", "subject", "block", "position", "run", "elapsed_ns", "frames",
                   "frames_per_second", "digest", "ram_sha256", "frame_counter"]  # fmt: skip
        rows = [
            {
                "claim": record.claim.id,
                "workload": m.workload,
                "subject": m.candidate if sample.side == "candidate" else m.baseline,
                "frames_per_second": sample.frames * 1e9 / sample.elapsed_ns,
                **sample.model_dump(),
            }
            for record in self.claims
            if isinstance(m := record.measurement, RatioMeasurement)
            for sample in m.samples
        ]
        return pd.DataFrame(rows, columns=columns)
