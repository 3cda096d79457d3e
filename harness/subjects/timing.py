"""What a timed run is asked for beside its window: how much is stepped at once, by how many, and what is skipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["PLAIN", "TimingOptions"]


@dataclass(frozen=True, kw_only=True)
class TimingOptions:
    """The options of `Subject.time_workload`; what differs from the defaults needs the capability in brackets.

    - `passes`: how often the window is run within one timed run, each time from the same state ["timing-passes"];
    - `wait_for`: (address, value) pairs that RAM must hold before the window begins; after the warm-up, frames
      without a button are stepped until it does, at most `wait_limit_frames` ["timing-wait"];
    - `lanes`, `threads`: consoles side by side, on that many threads ["batch", "threads" for more than one];
    - `frame_skip`: frames of one call ["batch"];
    - `idle_skipping`: False to execute every instruction ["idle-skipping"];
    - `sample_lanes`: the lanes whose digests are reported ["batch"].
    """

    passes: int = 1
    wait_for: tuple[tuple[int, int], ...] = ()
    wait_limit_frames: int = 600
    lanes: int = 1
    threads: int = 1
    frame_skip: int = 1
    idle_skipping: bool = True
    sample_lanes: tuple[int, ...] = ()

    def needed(self, *, holds_batches: bool) -> list[str]:
        """The capabilities that these options ask for."""
        needed = []
        if self.passes != 1:
            needed.append("timing-passes")
        if self.wait_for:
            needed.append("timing-wait")
        if self.lanes != 1 or (self.frame_skip != 1 and not holds_batches):
            needed.append("batch")
        if self.threads != 1:
            needed.append("threads")
        if not self.idle_skipping:
            needed.append("idle-skipping")
        return needed

    def args(self, *, capabilities: frozenset[str]) -> dict[str, Any]:
        """The request's arguments: what the subject knows nothing of is left out."""
        args: dict[str, Any] = {}
        if "timing-passes" in capabilities:
            args["passes"] = self.passes
        if self.wait_for:
            args["wait_for"] = {
                "values": [list(pair) for pair in self.wait_for],
                "limit_frames": self.wait_limit_frames,
            }
        if "batch" in capabilities:
            args.update(
                lanes=self.lanes,
                threads=self.threads,
                frame_skip=self.frame_skip,
                sample_lanes=list(self.sample_lanes),
            )
        if "idle-skipping" in capabilities:
            args["idle_skipping"] = self.idle_skipping
        return args


PLAIN = TimingOptions()
"""One console, one window, one frame a call."""
