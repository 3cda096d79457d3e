"""Which run of the gate has ended, as GitHub's event says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gate_comment.errors import Refused

__all__ = ["GateRun", "gate_run"]

Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
Repository = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$")]


class GateRun(BaseModel):
    """A run of the workflow `gate`: GitHub wrote all of this, though the branch's name is the author's choice."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    repository: Repository
    id: int = Field(gt=0)
    head_sha: Sha
    head_owner: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,100}$")]
    head_branch: Annotated[str, Field(min_length=1, max_length=300)]
    conclusion: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]

    @property
    def path(self) -> str:
        """Its place under the repository's page."""
        return f"{self.repository}/actions/runs/{self.id}"


def gate_run(event_file: Path) -> GateRun:
    """The run that the event of `workflow_run` is about.

    Raises:
        Refused: it is not the end of a run that a pull request started.
    """
    event: dict[str, Any] = json.loads(event_file.read_bytes())
    try:
        run = event["workflow_run"]
        if run["event"] != "pull_request":
            raise Refused("The run that has ended was not started by a pull request.")
        head = run["head_repository"]
        if head is None:
            raise Refused("The repository that the pull request came from is gone.")
        return GateRun(
            repository=event["repository"]["full_name"],
            id=run["id"],
            head_sha=run["head_sha"],
            head_owner=head["owner"]["login"],
            head_branch=run["head_branch"],
            conclusion=run["conclusion"],
        )
    except (KeyError, TypeError, ValidationError):
        raise Refused("The event is not one of workflow_run as it is known.") from None
