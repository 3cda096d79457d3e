"""What the evidence document holds of measuring: suite runs, timed samples, or why there is nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nesproof.harness.evidence.fields import BundlePath, Hex, LongText, Name, Record, Sha256, Text

__all__ = [
    "CaseOutcome",
    "CaseResult",
    "ExpectedState",
    "FailedMeasurement",
    "Load",
    "Measurement",
    "NoMeasurement",
    "RatioMeasurement",
    "Sample",
    "SuiteMeasurement",
    "SuiteRun",
    "UnavailableMeasurement",
]

CaseOutcome = Literal["passed", "failed", "error", "skipped"]


class CaseResult(Record):
    """What one case of a suite did."""

    id: Annotated[str, Field(max_length=300)]
    outcome: CaseOutcome
    message: LongText = ""
    """Why it did not pass; empty where it passed."""
    duration_s: float = Field(default=0.0, ge=0)
    details: dict[Name, int | float | str | bool] = Field(default_factory=dict, max_length=100)
    """Figures that the case printed: instructions, cycles, frames, the text on screen."""
    frame: BundlePath | None = None
    """The final frame as a PNG of the bundle; where two subjects part, both frames and their difference."""
    reproduction: BundlePath | None = None
    """A file of the bundle that shows again what did not pass: a state and inputs, in the suite's own form."""


class SuiteRun(Record):
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


class Sample(Record):
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


class ExpectedState(Record):
    """Where an untimed run of the reference ends: what a timed run must reproduce before its speed counts."""

    digest: Hex
    ram_sha256: Sha256
    frame_counter: int


class Load(Record):
    """How busy the machine was before timing began. `overridden` makes the timing diagnostic."""

    load_average_1min: float | None
    other_cpu_share: float | None
    steal_share: float | None
    waited_s: float
    busy: bool
    overridden: bool = False


class SuiteMeasurement(Record):
    """An exact claim's measurement: a run in `Evidence.suites`."""

    kind: Literal["suite"] = "suite"
    run: Name


class RatioMeasurement(Record):
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


class UnavailableMeasurement(Record):
    """What the claim requires is not here."""

    kind: Literal["unavailable"] = "unavailable"
    missing: Name
    reason: Text
    remedy: Text | None
    """One command, or None where nothing on this machine would help."""


class FailedMeasurement(Record):
    """The measurement broke: a subject died, hung, answered nonsense, could not be started."""

    kind: Literal["failed"] = "failed"
    stage: Name
    reason: LongText
    log: BundlePath | None = None


class NoMeasurement(Record):
    """The measurement never came about: interrupted before it, or outside the budget."""

    kind: Literal["none"] = "none"
    reason: Text


Measurement = Annotated[
    SuiteMeasurement | RatioMeasurement | UnavailableMeasurement | FailedMeasurement | NoMeasurement,
    Field(discriminator="kind"),
]
