"""The document of a bisection: its commits, what was asked in which order, the raw measurements, the answer.

It is also what is kept while a bisection goes on, so that one that was killed goes on from it. Everything in it may
come from a stranger's history: sizes are capped and unknown fields refused.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import ExitCode, Verdict
from nesproof.harness.evidence.fields import Hex, LongText, Moment, Name, Record, Text
from nesproof.harness.evidence.measurements import ChangeMeasurement, Measurement, SuiteRun
from nesproof.harness.evidence.surroundings import Machine, Source

__all__ = [
    "BISECTION_SCHEMA_ID",
    "Bisection",
    "BisectionCommit",
    "BisectionMethod",
    "BisectionResult",
    "BisectionStep",
    "BuildOrigin",
    "StepAnswer",
    "StepRole",
]

BISECTION_SCHEMA_ID: Final = "nesproof.bisect"

StepAnswer = Literal["good", "bad", "unknown", "skip"]
StepRole = Literal["good end", "bad end", "probe", "parent", "culprit"]
"""Why a commit was asked: to prove an end, to narrow the search, to confirm what it found."""
BuildOrigin = Literal["made", "cached", "failed", "none"]
"""Whether the commit's build was made for this step, was there already, did not come about, or was not needed."""


class BisectionCommit(Record):
    """One commit of the path. `parents` are those on the path, and the good end."""

    sha: Hex
    subject: Annotated[str, Field(max_length=300)]
    """The first line of its message, made plain."""
    parents: Annotated[tuple[Hex, ...], Field(max_length=100)]
    content: Hex
    """Over what its build is made of: a commit whose content is a parent's cannot be the first bad one."""


class BisectionMethod(Record):
    """How commits are told apart.

    - `verdict`: the claim's own verdict on each commit.
    - `figure`: `judged` is a claim about the figure, whose threshold lies where good and bad part.
    - `timing`: each commit's build is timed against the good end's, in interleaved processes.
    """

    kind: Literal["verdict", "figure", "timing"]
    sentence: Text
    """Why this way, for people."""
    judged: Claim
    """The claim that is judged on each commit: the one asked about, or the one about the figure that moved."""
    figure: Name | None = None
    """What the figure is called."""
    good_figure: float | None = None
    bad_figure: float | None = None
    limit: float | None = None
    """Of `figure`: on this side of it a commit is good."""


class BisectionStep(Record):
    """One commit asked. `measurement` is judged by `judged` of the method, or by the claim where that is None."""

    role: StepRole
    sha: Hex
    answer: StepAnswer
    reason: LongText
    verdict: Verdict | None = None
    measured: Text | None = None
    """The figure for people, as the judge puts it."""
    figure: float | None = None
    """The figure that was found; of a timing by how much the time changed (0.05 is 5 % slower)."""
    build: BuildOrigin
    against: Hex | None = None
    """Of a timing: the commit that it was timed against."""
    judged: Claim | None = None
    """The claim whose verdict this is; None where nothing was judged (it did not build, or equals another commit)."""
    measurement: Measurement | None = None
    suites: tuple[SuiteRun, ...] = ()
    candidates: int | None = Field(default=None, ge=1)
    """Of a probe: how many commits could be the first bad one when it was asked; the oldest and youngest of them."""
    oldest_candidate: Hex | None = None
    youngest_candidate: Hex | None = None
    duration_s: float = Field(default=0.0, ge=0)


class BisectionResult(Record):
    """What came of it. `commits` is the culprit alone, or the range that holds it, oldest first."""

    kind: Literal["culprit", "range"]
    confirmed: bool
    commits: Annotated[tuple[Hex, ...], Field(max_length=100_000)]
    sentence: LongText
    before: Text | None = None
    """What was measured on the culprit's parent when it was confirmed."""
    after: Text | None = None


class Bisection(Record):
    """One bisection, whole or under way (`result` is None, `exit_code` too)."""

    schema_id: Literal["nesproof.bisect"] = BISECTION_SCHEMA_ID
    schema_version: Literal[1] = 1
    created_utc: Moment
    source: Source
    machine: Machine
    surroundings_sha256: Hex
    """Over the harness, the compiler and the machine: a bisection does not go on under others."""
    command: Text
    claim: Claim
    good: BisectionCommit
    bad: BisectionCommit
    first_parent: bool
    commits: Annotated[tuple[BisectionCommit, ...], Field(max_length=100_000)]
    """Those after the good end up to and with the bad one, each after its parents."""
    method: BisectionMethod | None = None
    steps: Annotated[tuple[BisectionStep, ...], Field(max_length=10_000)] = ()
    resumed: int = Field(default=0, ge=0)
    """How often it was taken up again."""
    result: BisectionResult | None = None
    exit_code: ExitCode | None = None

    def is_diagnostic(self) -> bool:
        """True where something was timed on a busy machine all the same."""
        timed = (step.measurement for step in self.steps if isinstance(step.measurement, ChangeMeasurement))
        return any(measurement.load.overridden for measurement in timed)

    def builds(self) -> dict[str, int]:
        """How many builds were made, taken from the cache, or failed."""
        return {origin: sum(1 for s in self.steps if s.build == origin) for origin in ("made", "cached", "failed")}
