"""What the driver asks the measuring process for, and what that answers with where it cannot measure at all.

The driver knows git, builds and reports; the process that measures and judges runs with the base's rooms
(`under_base.py`) and knows neither. Between the two lies this file, as JSON.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from nesproof.harness.gate.document import GateFlags, RevisionRecord
from nesproof.harness.judge.order import Side

__all__ = ["GateOrder", "GateRefusal"]


class GateOrder(BaseModel):
    """One comparison to be measured and judged.

    `folders` are the builds'; `subjects` gives the names of a subject in either build, by its own name; `claim_files`
    are the base's claims, or empty where those of the rooms count. `own_references`: each build is held to its own
    reference, not both to the base's.

    It is written without what is at its default, so that a base whose gate is older than a field reads it all the same.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    is_own: bool
    command: str
    repeat: str
    rerun: str
    """The command that repeats it for one claim: `{claim}` stands for the claim's id."""
    judge: str
    flags: GateFlags
    baseline: RevisionRecord
    candidate: RevisionRecord
    merge_base_of: str
    yardstick: tuple[str, ...] = ()
    folders: dict[Side, str]
    subjects: dict[str, dict[Side, str]]
    claim_files: tuple[str, ...] = ()
    own_references: bool = False
    work_dir: str
    jobs: int = Field(ge=1)
    quiet_wait_s: float = Field(ge=0)


class GateRefusal(BaseModel):
    """Why nothing was measured: one sentence, and the exit code."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["refusal"] = "refusal"
    sentence: str
    exit_code: int
