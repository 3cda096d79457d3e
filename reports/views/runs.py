"""How a timed side was run, in words: what every speed must state beside itself."""

from __future__ import annotations

from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.evidence.model import RunRecord
from nesproof.reports.figures import counted

__all__ = ["DRAWN", "choice_words", "drawing_words", "run_words"]

DRAWN = {"none": "nothing", "every": "every frame", "last-of-4": "last of 4"}
"""What is drawn, for a cell of a table."""
_DRAWING = {"none": "draws nothing", "every": "draws every frame", "last-of-4": "draws the last of 4 frames"}


def drawing_words(draw: str) -> str:
    """What is drawn."""
    return _DRAWING[draw]


def run_words(run: RunRecord) -> str:
    """All that a run's figure hangs on, on one line."""
    parts = [
        drawing_words(run.draw),
        counted(run.num_envs, "console"),
        counted(run.threads, "thread"),
        counted(run.frame_skip, "frame") + " a step",
        f"idle skipping {'on' if run.idle_skipping else 'off'}",
    ]
    if run.passes > 1:
        parts.append(f"{run.passes} passes a run")
    if run.observation:
        parts.append(f"a frame is {run.observation}")
    return ", ".join(parts)


def choice_words(choice: RunChoice) -> str:
    """What a claim chooses for a side, on one line; empty where it chooses nothing."""
    parts = []
    if choice.draw is not None:
        parts.append(drawing_words(choice.draw))
    if choice.consoles_a_core is not None:
        parts.append(f"{counted(choice.consoles_a_core, 'console')} a core")
    elif choice.num_envs != 1:
        parts.append(counted(choice.consoles_on(1), "console"))
    if choice.threads == "cores":
        parts.append("a thread a core")
    elif choice.num_envs != 1 or choice.threads != 1:
        parts.append(counted(choice.threads, "thread"))
    if not choice.idle_skipping:
        parts.append("idle skipping off")
    return ", ".join(parts)
