"""How one side of a timing is run: what is drawn, how many consoles and threads, frames a call, what is skipped."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Draw", "RunChoice"]

Draw = Literal["none", "every", "last-of-4"]
"""What is drawn: no frame, every frame, the last frame of each four."""

_FRAME_SKIP: dict[Draw, int] = {"none": 4, "every": 1, "last-of-4": 4}


class RunChoice(BaseModel):
    """What a claim chooses for one side of a timing; what it leaves out is the workload's, or as written here.

    `frame_skip` is the number of frames of one call, which is one env-step: 4 where nothing or the last of 4 frames is
    drawn, 1 where every frame is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    draw: Draw | None = None
    num_envs: int = Field(default=1, ge=1, le=1 << 24)
    threads: int = Field(default=1, ge=1, le=4096)
    frame_skip: int | None = Field(default=None, ge=1, le=3600)
    idle_skipping: bool = True

    def drawing(self, of_workload: Draw) -> Draw:
        """What is drawn."""
        return self.draw or of_workload

    def skipping(self, of_workload: Draw) -> int:
        """The frames of one call."""
        return self.frame_skip or _FRAME_SKIP[self.drawing(of_workload)]
