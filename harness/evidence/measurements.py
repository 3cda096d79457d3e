"""What the evidence document holds of measuring: suite runs, timed samples, or why there is nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from nesproof.harness.claims.runs import Draw
from nesproof.harness.evidence.fields import BundlePath, Hex, LongText, Name, Record, Sha256, Text
from nesproof.harness.evidence.gpu_samples import GpuSample

__all__ = [
    "CaseOutcome",
    "CaseResult",
    "ChangeMeasurement",
    "ExpectedState",
    "FailedMeasurement",
    "FigureRow",
    "FiguresMeasurement",
    "LaneDigest",
    "LanePicture",
    "LeftOut",
    "Load",
    "Measurement",
    "NoMeasurement",
    "RatioMeasurement",
    "RunRecord",
    "Sample",
    "SpotCheck",
    "StateCheck",
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


class LeftOut(Record):
    """A case that the subject cannot be asked: what it declares is not enough, as `lacks` says in the words of the
    protocol ("peek", "mapper:4"; "peek or frame" where either would do)."""

    id: Annotated[str, Field(max_length=300)]
    lacks: tuple[Name, ...] = Field(min_length=1, max_length=40)


class SuiteRun(Record):
    """One run of one suite on one subject.

    `expected` is the list of case ids that was fixed before anything ran; a case of it without a result never counts
    as passed. `cannot_run` are the cases that were wanted and could not be asked of this subject: they count neither as
    passed nor as failed, and no claim about them passes.
    """

    id: Name
    suite: Name
    title: Text
    oracle: Text
    subject: Name
    expected: tuple[Annotated[str, Field(max_length=300)], ...]
    cases: tuple[CaseResult, ...]
    cannot_run: tuple[LeftOut, ...] = Field(default=(), max_length=20_000)
    problem: LongText | None = None
    """Set where the run itself broke: pytest died, hung, was interrupted."""
    duration_s: float = Field(default=0.0, ge=0)
    log: BundlePath | None = None


# --- Measurements ----------------------------------------------------------------------------------------------------


class LaneDigest(Record):
    """Where one console of a batch stands."""

    lane: int = Field(ge=0)
    digest: Hex


class LanePicture(Record):
    """What one console's last drawn frame shows: 8 bytes of BLAKE2b over its palette indices, or over its RGB where
    the subject shows no indices.
    """

    lane: int = Field(ge=0)
    picture: Hex


class SpotCheck(Record):
    """The picture after the first `frames` frames of the window, drawn by the timed loop in a process's untimed run.

    The number differs from process to process, so that drawing the window's last frame alone is not enough.
    """

    frames: int = Field(gt=0)
    picture: Hex | None


class RunRecord(Record):
    """How one side was run.

    `frame_skip` is frames of one call, which is one env-step; `passes` is how often a run goes over the window, each
    time from the same state. Between passes, and before the first one, nothing is on the clock.
    """

    draw: Draw = "every"
    num_envs: int = Field(default=1, ge=1)
    threads: int = Field(default=1, ge=1)
    frame_skip: int = Field(default=1, ge=1)
    idle_skipping: bool = True
    passes: int = Field(default=1, ge=1)
    observation: Text = ""
    """What a drawn frame is and where it lies, in the subject's own words; empty where nothing is drawn."""


class Sample(Record):
    """One timed run of a workload's window in one process. A process (block, position) is the replicate.

    `frames` are those that all consoles made on the clock: window times `num_envs` times `passes` of the side.
    """

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
    lane_digests: tuple[LaneDigest, ...] = Field(default=(), max_length=64)
    """Of several consoles: the digests of the sampled ones. The other fields are the first console's."""
    pictures: tuple[LanePicture, ...] = Field(default=(), max_length=64)
    """Where frames were drawn and the subject can show them: what the timed loop drew last, of the sampled consoles."""
    spot: SpotCheck | None = None
    """With the first run of a process that draws."""


class ExpectedState(Record):
    """Where an untimed run of the reference ends: what a timed run must reproduce before its speed counts."""

    digest: Hex
    ram_sha256: Sha256
    frame_counter: int
    lane_digests: tuple[LaneDigest, ...] = Field(default=(), max_length=64)
    """Where the sampled consoles of a batch end; the other fields are the first console's."""
    pictures: tuple[LanePicture, ...] = Field(default=(), max_length=64)
    """What the sampled consoles' last frames show; empty where nothing is drawn."""
    first_pictures: tuple[Hex, ...] = Field(default=(), max_length=64)
    """What the first frames of the first console's window show, in their order."""


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
    """A ratio claim's measurement: samples of two subjects, interleaved by process.

    `baseline_workload` and `baseline_expected` are set where the baseline plays another workload than the candidate,
    and say which, and where it must end.
    """

    kind: Literal["ratio"] = "ratio"
    workload: Name
    candidate: Name
    baseline: Name
    baseline_workload: Name | None = None
    candidate_run: RunRecord = RunRecord()
    baseline_run: RunRecord = RunRecord()
    order_seed: int
    comparisons: int = Field(ge=1)
    """How many timed claims share the error budget of this run (m), fixed before the first sample."""
    expected: ExpectedState
    baseline_expected: ExpectedState | None = None
    load: Load
    samples: tuple[Sample, ...]
    digest_from: tuple[Literal["candidate", "baseline"], ...] = ()
    """The sides whose subject declares that it can give our digest, and so must give it with every sample."""
    budget_exhausted: bool = False
    """True where the time ran out before a verdict, so that the blocks may end between two looks."""
    interrupted: bool = False
    """True where a person stopped the timing; the blocks may end between two looks."""

    def side(self, side: Literal["candidate", "baseline"]) -> tuple[RunRecord, str]:
        """How a side was run, and its subject."""
        if side == "candidate":
            return self.candidate_run, self.candidate
        return self.baseline_run, self.baseline

    @model_validator(mode="after")
    def _knows_where_the_baseline_ends(self) -> RatioMeasurement:
        if (self.baseline_workload is None) != (self.baseline_expected is None):
            raise ValueError("baseline_workload and baseline_expected go together")
        return self

    def workload_of(self, side: Literal["candidate", "baseline"]) -> str:
        """What a side plays."""
        return self.workload if side == "candidate" else self.baseline_workload or self.workload

    @property
    def played(self) -> str:
        """What is played, for people: one workload, or each side's."""
        ours, theirs = self.workload_of("candidate"), self.workload_of("baseline")
        return ours if ours == theirs else f"{ours} against {theirs}"

    def expected_of(self, side: Literal["candidate", "baseline"]) -> ExpectedState:
        """Where a side must end."""
        return self.expected if side == "candidate" else self.baseline_expected or self.expected


class ChangeMeasurement(Record):
    """A before/after: one subject in two builds, timed in interleaved processes of one workload.

    Three arms of blocks, each numbered from block 0 and in the order that the seed gives that arm
    (`judge.order.arm_order`): `samples` holds the baseline against the candidate; `aa_samples` the baseline's build
    against itself, which shows how noisy the job was; `confirmation_samples` fresh blocks of baseline against
    candidate, timed where the first ones accuse the candidate of being slower. What is timed next is what
    `judge.procedure.next_block` says.
    """

    kind: Literal["change"] = "change"
    workload: Name
    subject: Name
    run: RunRecord = RunRecord()
    """How both sides are run; one number of passes for both, so that all runs of the measurement cover equal frames."""
    baseline: Name
    """Which build the baseline is (a revision); in the A/A arm it is both sides."""
    candidate: Name
    order_seed: int
    comparisons: int = Field(ge=1)
    """How many timed claims share the error budget of this run (m), fixed before the first sample."""
    delta: float = Field(gt=0, lt=1)
    """From which effect on, in natural logarithms of time, a candidate counts as slower. Policy, never noise."""
    expected: ExpectedState
    expected_of_candidate: ExpectedState | None = None
    """Of the candidate's runs alone, where it is held to another reference than the baseline."""
    load: Load
    samples: tuple[Sample, ...] = Field(default=(), max_length=20_000)
    aa_samples: tuple[Sample, ...] = Field(default=(), max_length=20_000)
    confirmation_samples: tuple[Sample, ...] = Field(default=(), max_length=20_000)
    digest_from: tuple[Literal["candidate", "baseline"], ...] = ("candidate", "baseline")
    """The sides whose subject declares that it can give our digest, and so must give it with every sample."""
    budget_exhausted: bool = False
    """True where the time ran out before a verdict, so that the arms may end anywhere."""
    interrupted: bool = False
    """True where a person stopped the timing."""


class FigureRow(Record):
    """One row of a table of figures: what it is about, and the figures."""

    labels: dict[Name, str | int | bool] = Field(max_length=20)
    figures: dict[Name, float] = Field(max_length=60)


class StateCheck(Record):
    """A digest that a counted or timed run must have ended in, and the one that it did end in."""

    what: Name
    expected: Hex
    found: Hex


class FiguresMeasurement(Record):
    """What was counted: a table of figures, and how it came about.

    `checks` are states that the counted runs had to reach; a table whose runs went elsewhere is worth nothing.
    """

    kind: Literal["figures"] = "figures"
    of: Name
    """The kind of claim that it answers."""
    subject: Name
    workload: Name | None = None
    settings: dict[Name, str | int | float | bool] = Field(default_factory=dict, max_length=40)
    rows: tuple[FigureRow, ...] = Field(max_length=4_000)
    checks: tuple[StateCheck, ...] = Field(default=(), max_length=400)
    gpu_samples: tuple[GpuSample, ...] = Field(default=(), max_length=2_000)
    """Of figures that were timed on a GPU: each run, and how the GPU was over it."""


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
    SuiteMeasurement
    | RatioMeasurement
    | ChangeMeasurement
    | FiguresMeasurement
    | UnavailableMeasurement
    | FailedMeasurement
    | NoMeasurement,
    Field(discriminator="kind"),
]
