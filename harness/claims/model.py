"""The shape of a claim: data that says what is promised, how it is measured and what it needs."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.claims.waiver import Waiver

__all__ = ["FIGURE_KINDS", "Claim", "ClaimId", "ClaimKind", "Label", "Profile"]

ClaimKind = Literal["exact", "ratio", "absolute", "memory", "static", "model", "instructions"]
FIGURE_KINDS: tuple[ClaimKind, ...] = ("absolute", "memory", "static", "model", "instructions")
"""Kinds whose measurement is a table of figures, of which the claim names some."""
Profile = Literal["quick", "full"]
Label = str | int | bool
_QUESTION = {
    "kind", "subject", "suite", "cases", "workload", "baseline", "baseline_workload", "candidate_run", "baseline_run",
    "metric", "where", "over",
}  # fmt: skip
ClaimId = Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*(@[a-z0-9][a-z0-9-]*)?$", max_length=180)]
Requirement = Annotated[str, Field(pattern=r"^(subject|roms|vectors|tool|gpu|env|package|cores)(:[A-Za-z0-9._/-]+)?$")]
LabelName = Annotated[str, Field(pattern=r"^[a-z_]+$", max_length=40)]
WorkloadKey = Annotated[str, Field(pattern=r"^[a-z0-9-]+@[0-9]+$")]


class Claim(BaseModel):
    """One promise.

    - `id` is `area.of.promise`; where a run puts another subject in the place of the claim's own, what it measures is
      `id@subject`, which no claims file may call itself.
    - `sentence` is what the README may say; `{value}` in it stands for `at_least` or `at_most`.
    - exact claims name a `suite` and a glob over its case ids (`cases`);
    - ratio claims name `workload` (`id@version`), `subject`, `baseline`, `metric`, and `at_least` or `at_most`;
      `candidate_run` and `baseline_run` say how each side is run, so that one subject can be held against itself.
      `baseline_workload` is what the baseline plays where it is not the same, for want of the board that `workload`
      is about; the sentence says so, since frames of two programs are compared.
    - claims of the other kinds name a `metric` of a table of figures, the rows that count (`where`: a label's value, or
      a list of values that must all be there), and `at_least` or `at_most`, which every such row must keep. With `over`
      each row's figure is divided by that of the row with these labels instead.
    - `max_increase` is by how much, as a share of the base's figure, a change may raise what `at_most` bounds before
      `nesproof gate` fails it.
    - `requires`: `subject:nes-py`, `roms:<collection>`, `vectors`, `tool:<name>`, `gpu` (`gpu:<word of its name>`),
      `package:<import name>`, `cores:<number>`, `env:<variable>`; what is absent makes the claim NOT_APPLICABLE.
    - `killed_by` names the faults that must make it fail; empty means UNPROVEN.
    - `breaks_when` says in one sentence what kind of fault the claim would catch.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: ClaimId
    sentence: str = Field(min_length=10, max_length=400)
    kind: ClaimKind
    subject: str
    profiles: tuple[Profile, ...] = ("quick", "full")
    suite: str | None = None
    cases: str = "*"
    workload: WorkloadKey | None = None
    baseline: str | None = None
    baseline_workload: WorkloadKey | None = None
    candidate_run: RunChoice = RunChoice()
    baseline_run: RunChoice = RunChoice()
    metric: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)] | None = None
    where: dict[LabelName, Label | tuple[Label, ...]] = Field(default_factory=dict, max_length=10)
    over: dict[LabelName, Label] = Field(default_factory=dict, max_length=10)
    at_least: float | None = None
    at_most: float | None = None
    max_increase: float | None = Field(default=None, ge=0, le=1)
    requires: tuple[Requirement, ...] = ()
    killed_by: tuple[str, ...] = ()
    breaks_when: str = Field(min_length=10, max_length=400)
    waiver: Waiver | None = None
    """Where the claim is known to fail and is let through for a while; the report prints it."""

    @model_validator(mode="after")
    def _measurable(self) -> Claim:
        if self.kind == "exact":
            if self.suite is None:
                raise ValueError(f"claim {self.id}: an exact claim names a suite")
        elif self.kind == "ratio":
            missing = [n for n in ("workload", "baseline", "metric") if getattr(self, n) is None]
            if missing:
                raise ValueError(f"claim {self.id}: a ratio claim needs {', '.join(missing)}")
            if self.metric != "frames_per_second":
                raise ValueError(f"claim {self.id}: the metric of a ratio claim is frames_per_second")
            self._require_one_threshold()
            if not (0 < self.threshold < math.inf):
                raise ValueError(f"claim {self.id}: the threshold of a ratio must be a finite number above 0")
        else:
            if self.metric is None:
                raise ValueError(f"claim {self.id}: a claim of kind {self.kind} needs a metric")
            self._require_one_threshold()
            if not math.isfinite(self.threshold):
                raise ValueError(f"claim {self.id}: the threshold must be a finite number")
        if self.baseline_workload is not None and (self.kind != "ratio" or self.baseline_workload == self.workload):
            raise ValueError(f"claim {self.id}: baseline_workload is another workload, of a ratio's baseline")
        if self.max_increase is not None and (self.kind not in FIGURE_KINDS or self.at_most is None):
            raise ValueError(f"claim {self.id}: max_increase goes with at_most of a counted figure")
        if self.waiver is not None and (self.waiver.within is None) != (self.kind == "exact"):
            raise ValueError(f"claim {self.id}: a waiver names cases of an exact claim, and a figure of any other")
        return self

    def _require_one_threshold(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError(f"claim {self.id}: give exactly one of at_least and at_most")

    @property
    def base_id(self) -> str:
        """The id of the claim as it is written, whichever subject stands in."""
        return self.id.partition("@")[0]

    @property
    def compares_itself(self) -> bool:
        """True where both sides of a ratio are one subject, run in two ways or on two workloads."""
        differ = self.candidate_run != self.baseline_run or self.baseline_workload is not None
        return self.subject == self.baseline and differ

    @property
    def workloads(self) -> tuple[str, ...]:
        """What is played, `id@version`: the candidate's, and the baseline's where that is another."""
        return tuple(key for key in (self.workload, self.baseline_workload) if key is not None)

    @property
    def threshold(self) -> float:
        """The number promised; NaN where the claim promises none."""
        value = self.at_least if self.at_least is not None else self.at_most
        return float("nan") if value is None else value

    @property
    def is_unproven(self) -> bool:
        """True while no fault is named that must make this claim fail."""
        return not self.killed_by

    def question(self) -> dict[str, object]:
        """What is measured, without what is promised of it: equal for claims that one measurement could answer.

        The values are those of JSON.
        """
        return self.model_dump(mode="json", include=_QUESTION)

    def spoken(self) -> str:
        """The sentence with its threshold filled in."""
        value = self.at_least if self.at_least is not None else self.at_most
        return self.sentence if value is None else self.sentence.replace("{value}", f"{value:,.10g}")
