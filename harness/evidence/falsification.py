"""What the evidence document holds of planted faults: each fault beside each claim that names it, and what came of it.

A pair's outcome follows from its measurement as a claim's verdict does: `nesproof evidence verify` derives it anew.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.evidence.fields import LongText, Name, Record, Sha256, Text
from nesproof.harness.evidence.measurements import Measurement, SuiteRun

__all__ = [
    "BuildKind",
    "Control",
    "Falsification",
    "FaultRecord",
    "HookBuild",
    "PairOutcome",
    "PairRecord",
    "SoleKiller",
    "faulty_name",
]

PairOutcome = Literal["killed", "survived", "broken", "not-tried"]
"""Killed: the claim failed by its own assertion. Survived: it did not. Broken: the trial ended in a crash, a timeout or
a refusal, which says nothing and counts as a survivor. Not tried: it could not be, or was not reached."""

BuildKind = Literal["installed", "hooks"]


def faulty_name(subject: str, fault: str) -> str:
    """The name under which a subject runs with the fault in it."""
    return f"{subject}-with-{fault}"


class HookBuild(Record):
    """The second build of the consoles, with a hook at every place where a fault can be turned on."""

    key: Annotated[str, Field(pattern=r"^[0-9a-f]{8,64}$")]
    """Over sources, compiler and Python: what the build is kept under."""
    sources_sha256: Sha256
    """Over the path and the bytes of each source file, in order."""
    was_cached: bool


class FaultRecord(Record):
    """A fault as the catalogue of this run described it."""

    id: Name
    sentence: Text
    area: Name
    means: Name
    only_suite: Name | None = None


class Control(Record):
    """How a claim fares with no fault on, in the build that its faults are planted in.

    `measurement` is None where the claim's own record is the control.
    """

    claim: Name
    build: BuildKind
    """Of the suites' claims all run in one build; hooks are built in where a fault of the run is a hook."""
    verdict: Verdict
    reason: LongText
    holds: bool
    """True where a fault that makes the claim fail can be told from a claim that fails anyway."""
    measurement: Measurement | None = None


class PairRecord(Record):
    """One fault tried on one claim that names it.

    `case` and `assertion` are the first case that failed and what it said (of a broken trial: the first that broke);
    for a claim about a figure or a timing the judge's `reason` is the assertion.
    """

    fault: Name
    claim: Name
    outcome: PairOutcome
    verdict: Verdict | None = None
    reason: LongText
    case: Name | None = None
    assertion: LongText | None = None
    duration_s: float = Field(default=0.0, ge=0)
    measurement: Measurement | None = None


class SoleKiller(Record):
    """Whether no other suite sees a fault, where the catalogue says so: `also` are the claims that failed as well."""

    fault: Name
    suite: Name
    tried: tuple[Name, ...]
    also: tuple[Name, ...]
    holds: bool


class Falsification(Record):
    """Every fault of the run on every claim that names it.

    Pairs are those of the run's claims with their `killed_by`, as far as `fault_globs` choose them (none: all).
    `states_only` are claims about a ratio of speeds whose correctness alone was tried: nothing was timed for a verdict.
    """

    fault_globs: tuple[Name, ...] = Field(default=(), max_length=100)
    hooks: HookBuild | None = None
    hooks_missing: Text | None = None
    """Why there is no build with hooks, with the remedy, where one was wanted."""
    faults: tuple[FaultRecord, ...] = Field(max_length=1_000)
    states_only: tuple[Name, ...] = Field(default=(), max_length=1_000)
    controls: tuple[Control, ...] = Field(default=(), max_length=2_000)
    pairs: tuple[PairRecord, ...] = Field(max_length=20_000)
    sole: tuple[SoleKiller, ...] = Field(default=(), max_length=1_000)
    suites: tuple[SuiteRun, ...] = Field(default=(), max_length=20_000)
    """The runs with a fault on; a passed case keeps its name and time alone."""
    duration_s: float = Field(default=0.0, ge=0)

    def counts(self) -> dict[PairOutcome, int]:
        """How many pairs came out how; every outcome is a key."""
        outcomes: tuple[PairOutcome, ...] = ("killed", "survived", "broken", "not-tried")
        return {outcome: sum(1 for pair in self.pairs if pair.outcome == outcome) for outcome in outcomes}

    def planted(self) -> frozenset[str]:
        """The faults that were turned on at all."""
        return frozenset(pair.fault for pair in self.pairs if pair.outcome != "not-tried")

    def survivors(self) -> frozenset[str]:
        """The faults that a claim which names them did not kill."""
        return frozenset(pair.fault for pair in self.pairs if pair.outcome in {"survived", "broken"})

    def in_short(self) -> str:
        """The headline: "31 faults planted, 30 killed, 1 survived (88 of 90 pairs with claims killed, 4 not tried)"."""
        planted, survived, counts = len(self.planted()), len(self.survivors()), self.counts()
        tried = len(self.pairs) - counts["not-tried"]
        faults = "1 fault" if planted == 1 else f"{planted} faults"
        pairs = "1 pair with a claim" if tried == 1 else f"{tried} pairs with claims"
        return (
            f"{faults} planted, {planted - survived} killed, {survived} survived "
            f"({counts['killed']} of {pairs} killed, {counts['not-tried']} not tried)"
        )

    def unkilled_claims(self) -> frozenset[str]:
        """The claims on which faults were tried and none was killed."""
        tried = {pair.claim for pair in self.pairs if pair.outcome != "not-tried"}
        return frozenset(tried - {pair.claim for pair in self.pairs if pair.outcome == "killed"})

    @property
    def has_survivors(self) -> bool:
        """True where a fault was on and a claim that names it did not fail by its own assertion, or where a fault that
        one suite alone should see was seen by another."""
        bad = any(pair.outcome in {"survived", "broken"} for pair in self.pairs)
        return bad or any(not statement.holds for statement in self.sole)
