"""The planted cases: measurements whose verdict is known, each as data that any judge can be held to.

`planted/README.md` describes the format. A case is read, written out into the evidence's own records, and judged.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.errors import ConfigurationError, first_fault
from nesproof.harness.evidence.model import (
    ChangeMeasurement,
    Measurement,
    Sample,
    SuiteRun,
)
from nesproof.harness.judge import change as change_judge
from nesproof.harness.judge import claim as claim_judge

__all__ = ["PLANTED_FILES", "Arm", "Block", "PlantedCase", "judge_planted", "parse_planted", "planted_cases"]

PLANTED_FILES = ("timing.json", "suites.json", "figures.json", "changes.json")
_ARMS = {"samples": "ab", "aa_samples": "aa", "confirmation_samples": "confirmation"}
_FILLED_IN = {"sentence": "A promise whose verdict is known.", "breaks_when": "The judge is broken."}


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Block(_Data):
    """One block: which side ran at each position (A the baseline, B the candidate), and each process's runs."""

    order: Annotated[str, Field(pattern=r"^[AB]{1,4}$")]
    elapsed_ns: tuple[tuple[int, ...], ...]


class Spot(_Data):
    """What is shown after the first `frames` frames of the window."""

    frames: int
    picture: str


class EndState(_Data):
    """Where the runs of a side end, and what they show where frames are drawn and held against expected pictures."""

    digest: str | None
    ram_sha256: str
    frame_counter: int
    picture: str | None = None
    spot: Spot | None = None

    def sample(self, run: int) -> dict[str, Any]:
        """The fields of a sample; the spot check comes with a process's first run."""
        found = self.model_dump(exclude={"picture", "spot"})
        if self.picture is not None:
            found["pictures"] = [{"lane": 0, "picture": self.picture}]
        return {**found, "spot": self.spot.model_dump()} if self.spot is not None and run == 0 else found


class Stray(_Data):
    """A run that differs from its side's others: what of its sample is different."""

    block: int
    position: int
    run: int
    sample: dict[str, Any]


class Arm(_Data):
    """Timed blocks, written short."""

    frames: int = 600
    blocks: tuple[Block, ...] = ()
    ends: dict[Literal["A", "B"], EndState]
    exceptions: tuple[Stray, ...] = ()

    def samples(self) -> list[dict[str, Any]]:
        """One record a run, as the evidence has them."""
        changed = {(e.block, e.position, e.run): e.sample for e in self.exceptions}
        rows: list[dict[str, Any]] = []
        for number, block in enumerate(self.blocks):
            for position, runs in enumerate(block.elapsed_ns):
                letter: Literal["A", "B"] = "A" if block.order[position] == "A" else "B"
                for run, elapsed_ns in enumerate(runs):
                    row = {
                        "side": "baseline" if letter == "A" else "candidate",
                        "block": number,
                        "position": position,
                        "run": run,
                        "elapsed_ns": elapsed_ns,
                        "frames": self.frames,
                        **self.ends[letter].sample(run),
                    }
                    rows.append({**row, **changed.get((number, position, run), {})})
        return rows


class PlantedCase(_Data):
    """One case: what is judged, when, and (in the files) the verdict that it must get and why."""

    id: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9-]+$", max_length=100)]
    why: str = Field(min_length=10, max_length=400)
    verdict: Verdict | None = None
    """None where the judge is asked."""
    on: date = date(2026, 6, 1)
    claim: dict[str, Any] | None = None
    """Fields of a claim; none for a before/after, which has no claim."""
    measurement: dict[str, Any] | None = None
    """Fields of a measurement, its samples left out."""
    arms: dict[Literal["samples", "aa_samples", "confirmation_samples"], Arm] = {}
    suites: tuple[dict[str, Any], ...] = ()

    def asked(self) -> PlantedCase:
        """The case without its verdict: what a judge under test is given."""
        return self.model_copy(update={"verdict": None, "why": "What is the verdict?"})


_MEASUREMENT: TypeAdapter[Measurement] = TypeAdapter(Measurement)


def parse_planted(data: bytes, *, origin: str) -> list[PlantedCase]:
    """The cases of one JSON file.

    Raises:
        ConfigurationError: it is not that.
    """
    try:
        return TypeAdapter(list[PlantedCase]).validate_json(data)
    except ValidationError as fault:
        raise ConfigurationError(f"The planted cases of {origin} are malformed: {first_fault(fault)}.") from fault


@cache
def planted_cases() -> dict[str, PlantedCase]:
    """Every planted case by id, in the order of the files.

    Raises:
        ConfigurationError: a file is malformed, two cases have one id, or a case has no verdict.
    """
    found: dict[str, PlantedCase] = {}
    folder = files("nesproof.harness.judge") / "planted"
    for name in PLANTED_FILES:
        for case in parse_planted((folder / name).read_bytes(), origin=name):
            if case.id in found or case.verdict is None:
                raise ConfigurationError(f"The planted case {case.id} is there twice, or has no verdict.")
            found[case.id] = case
    return found


def judge_planted(case: PlantedCase) -> tuple[Verdict, str]:
    """The judge's verdict on a planted case, and its reason.

    Raises:
        ValueError: the case is malformed: what it holds is no claim, measurement or suite run.
    """
    measurement = None if case.measurement is None else _MEASUREMENT.validate_python(_written_out(case))
    if case.claim is None:
        if not isinstance(measurement, ChangeMeasurement):
            raise ValueError("a case without a claim is a before/after")
        change = change_judge.judge_change(measurement)
        return change.verdict, change.reason
    suites = {run.id: run for run in (SuiteRun.model_validate(s) for s in case.suites)}
    claim = Claim.model_validate({"id": "planted", **_FILLED_IN, **case.claim})
    judged = claim_judge.judge_claim(claim, measurement, suites, on=case.on)
    return judged.verdict, judged.reason


def _written_out(case: PlantedCase) -> dict[str, Any]:
    written: dict[str, Any] = dict(case.measurement or {})
    for name, arm in case.arms.items():
        written[name] = tuple(Sample.model_validate(sample) for sample in arm.samples())
    return written
