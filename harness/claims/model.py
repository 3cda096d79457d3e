"""The shape of a claim: data that says what is promised, how it is measured and what it needs."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Claim", "ClaimKind", "Profile"]

ClaimKind = Literal["exact", "ratio", "absolute", "memory", "static"]
Profile = Literal["quick", "full"]
ClaimId = Annotated[str, Field(pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$", max_length=100)]
Requirement = Annotated[str, Field(pattern=r"^(subject|roms|vectors|tool|gpu|env)(:[A-Za-z0-9._/-]+)?$")]


class Claim(BaseModel):
    """One promise.

    - `sentence` is what the README may say; `{value}` in it stands for `at_least` or `at_most`.
    - exact claims name a `suite` and a glob over its case ids (`cases`);
    - ratio claims name `workload` (`id@version`), `subject`, `baseline`, `metric`, and `at_least` or `at_most`.
    - `requires`: `subject:nes-py`, `roms:<collection>`, `vectors`, `tool:<name>`, `gpu`, `env:<variable>`; what is
      absent makes the claim NOT_APPLICABLE.
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
    workload: Annotated[str, Field(pattern=r"^[a-z0-9-]+@[0-9]+$")] | None = None
    baseline: str | None = None
    metric: Literal["frames_per_second"] | None = None
    at_least: float | None = None
    at_most: float | None = None
    requires: tuple[Requirement, ...] = ()
    killed_by: tuple[str, ...] = ()
    breaks_when: str = Field(min_length=10, max_length=400)

    @model_validator(mode="after")
    def _measurable(self) -> Claim:
        if self.kind == "exact":
            if self.suite is None:
                raise ValueError(f"claim {self.id}: an exact claim names a suite")
        elif self.kind == "ratio":
            missing = [n for n in ("workload", "baseline", "metric") if getattr(self, n) is None]
            if missing:
                raise ValueError(f"claim {self.id}: a ratio claim needs {', '.join(missing)}")
            if (self.at_least is None) == (self.at_most is None):
                raise ValueError(f"claim {self.id}: give exactly one of at_least and at_most")
            if not (0 < self.threshold < math.inf):
                raise ValueError(f"claim {self.id}: the threshold of a ratio must be a finite number above 0")
        return self

    @property
    def threshold(self) -> float:
        """The number promised; NaN where the claim promises none."""
        value = self.at_least if self.at_least is not None else self.at_most
        return float("nan") if value is None else value

    @property
    def is_unproven(self) -> bool:
        """True while no fault is named that must make this claim fail."""
        return not self.killed_by

    def spoken(self) -> str:
        """The sentence with its threshold filled in."""
        value = self.at_least if self.at_least is not None else self.at_most
        return self.sentence if value is None else self.sentence.replace("{value}", f"{value:g}")
