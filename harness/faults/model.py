"""The shape of a fault: a named way to break what is verified."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Area", "Fault", "Means"]

Area = Literal["cpu", "ppu", "apu", "dma", "board", "batch", "kernel", "state", "drawing", "speed", "harness"]
Means = Literal["hook", "adapter", "judge"]
"""How it is planted: a hook in the second build of the consoles; a subject whose adapter does the wrong thing; a break
of the judge, in the worker that is asked for verdicts."""


class Fault(BaseModel):
    """One fault.

    - `sentence` says what is wrong with the emulator, or with the harness, when it is on.
    - `shows_in` narrows, for a suite, the cases in which it shows (a glob or several over case ids): a claim is tried
      on those of its own cases that match, and on all of its cases where the suite is not named.
    - `only_suite` says that no other suite sees it; a full run tries the other suites and holds it to that.
    - `only_slower` says that no state, picture or figure but time is other than it should be.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=50)]
    sentence: str = Field(min_length=10, max_length=300)
    area: Area
    means: Means
    shows_in: dict[str, str | tuple[str, ...]] = Field(default_factory=dict, max_length=20)
    only_suite: str | None = None
    only_slower: bool = False

    @property
    def shows_in_time_alone(self) -> bool:
        """True for work that a hook adds, and for what says so: no state and no picture is other than it should be."""
        return self.only_slower or (self.area == "speed" and self.means == "hook")
