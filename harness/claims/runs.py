"""How one side of a timing is run: what is drawn, how many consoles and threads, frames a call, what is skipped."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Draw", "RunChoice"]

Draw = Literal["none", "every", "last-of-4"]
"""What is drawn: no frame, every frame, the last frame of each four."""

_FRAME_SKIP: dict[Draw, int] = {"none": 4, "every": 1, "last-of-4": 4}

_CORES = "cores"

Consoles = Annotated[int, Field(ge=1, le=1 << 24)] | Annotated[str, Field(pattern=r"^([1-9][0-9]{0,3}\*)?cores$")]
"""A number, or "cores" (one for each core that may be used here), or "32*cores" (so many for each)."""
Threads = Annotated[int, Field(ge=1, le=4096)] | Literal["cores"]
"""A number, or "cores": as many as there are cores that may be used here."""


class RunChoice(BaseModel):
    """What a claim chooses for one side of a timing; what it leaves out is the workload's, or as written here.

    `frame_skip` is the number of frames of one call, which is one env-step: 4 where nothing or the last of 4 frames is
    drawn, 1 where every frame is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    draw: Draw | None = None
    num_envs: Consoles = 1
    threads: Threads = 1
    frame_skip: int | None = Field(default=None, ge=1, le=3600)
    idle_skipping: bool = True

    def drawing(self, of_workload: Draw) -> Draw:
        """What is drawn."""
        return self.draw or of_workload

    def skipping(self, of_workload: Draw) -> int:
        """The frames of one call."""
        return self.frame_skip or _FRAME_SKIP[self.drawing(of_workload)]

    @property
    def consoles_a_core(self) -> int | None:
        """How many consoles there are for each core; None where their number is given."""
        return None if isinstance(self.num_envs, int) else int(self.num_envs.removesuffix(_CORES).rstrip("*") or 1)

    @property
    def counts_cores(self) -> bool:
        """True where a number hangs on how many cores the machine lets be used."""
        return self.consoles_a_core is not None or self.threads == _CORES

    def consoles_on(self, cores: int) -> int:
        """How many consoles there are on a machine with so many cores that may be used."""
        return self.num_envs if isinstance(self.num_envs, int) else cores * (self.consoles_a_core or 1)

    def threads_on(self, cores: int) -> int:
        """How many threads step them there."""
        return self.threads if isinstance(self.threads, int) else cores

    def cores_behind(self, *, consoles: int, threads: int) -> int | None:
        """On how many cores this choice comes to these numbers; 1 where it counts none, None where it never does."""
        cores = threads if self.threads == _CORES else consoles // (self.consoles_a_core or consoles)
        fits = cores >= 1 and (self.consoles_on(cores), self.threads_on(cores)) == (consoles, threads)
        return cores if fits else None
