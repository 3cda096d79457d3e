"""How each side of a comparison is run: as it was asked for, as far as the subject declares that it can."""

from __future__ import annotations

from nesproof.harness.claims.runs import Draw, RunChoice
from nesproof.harness.evidence.model import RunRecord, UnavailableMeasurement
from nesproof.harness.probes.throughput import options_of, run_of
from nesproof.harness.subjects.registry import find_subject
from nesproof.harness.workloads import Workload

__all__ = ["lacking_for", "nearest_run"]

_NEXT_BEST: dict[Draw, tuple[Draw, ...]] = {
    "none": ("none", "last-of-4", "every"),
    "every": ("every", "last-of-4", "none"),
    "last-of-4": ("last-of-4", "every", "none"),
}
"""What a subject is asked for that cannot draw as wanted, the nearest first."""


def nearest_run(subject: str, choice: RunChoice, workload: Workload, capabilities: frozenset[str]) -> RunRecord:
    """The run that comes nearest to the choice; what it is stands in the record, and so beside the figure.

    A subject that holds one console only runs one; one that steps a frame at a time is called once a frame.
    """
    draws = (d for d in _NEXT_BEST[choice.drawing(workload.draw)] if d in workload.draws)
    draw = next((d for d in draws if f"draw:{d}" in capabilities), choice.drawing(workload.draw))
    changes: dict[str, object] = {"draw": draw}
    if "batch" not in capabilities:
        changes |= {"num_envs": 1, "threads": 1}
        if draw != "last-of-4":
            changes["frame_skip"] = 1
    if "threads" not in capabilities:
        changes["threads"] = 1
    if "idle-skipping" not in capabilities:
        changes["idle_skipping"] = True
    run = run_of(choice.model_copy(update=changes), workload)
    observation = find_subject(subject).draws if draw != "none" else ""
    return run.model_copy(update={"observation": observation})


def lacking_for(
    subject: str, run: RunRecord, workload: Workload, capabilities: frozenset[str]
) -> UnavailableMeasurement | None:
    """What the subject cannot do that the run needs: another program, something it does not declare; or None."""
    only = find_subject(subject).only_program
    if only not in {None, workload.rom}:
        reason = f"{subject} runs no program but {only}, and {workload.key} is of {workload.rom}."
        return UnavailableMeasurement(missing=f"program:{workload.rom}"[:200], reason=reason, remedy=None)
    needed = options_of(run, workload).needed(holds_batches="batch" in capabilities)
    lacking = [c for c in ("timing", "ram", f"draw:{run.draw}", *needed) if c not in capabilities]
    if not lacking:
        return None
    return UnavailableMeasurement(
        missing=f"capability:{lacking[0]}", reason=f"{subject} does not offer: {', '.join(lacking)}.", remedy=None
    )
