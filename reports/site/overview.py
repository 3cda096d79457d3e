"""What the first page shows: the newest run of each machine, and where claims stepped last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nesproof.reports.figures import counted
from nesproof.reports.site.badges import MachineBadges
from nesproof.reports.site.history import ClaimHistory, Series, Step
from nesproof.reports.site.runs import MachineGroup, Run
from nesproof.reports.views.headline import Headline, headline

__all__ = ["MachineCard", "NewStep", "machine_cards", "newest_steps", "totals"]


@dataclass(frozen=True)
class MachineCard:
    """The newest run of one machine."""

    machine: MachineGroup
    run: Run
    headline: Headline
    runs: int
    badges: MachineBadges


@dataclass(frozen=True)
class NewStep:
    """One step with the claim and the series that it belongs to."""

    history: ClaimHistory
    series: Series
    step: Step


def machine_cards(
    machines: Mapping[MachineGroup, tuple[Run, ...]], badges: tuple[MachineBadges, ...]
) -> tuple[MachineCard, ...]:
    """One card a machine, in the order of the machines."""
    return tuple(
        MachineCard(machine, runs[-1], headline(runs[-1].evidence, runs[-1].bundle_id), len(runs), its_badges)
        for (machine, runs), its_badges in zip(machines.items(), badges, strict=True)
    )


def newest_steps(histories: tuple[ClaimHistory, ...]) -> tuple[NewStep, ...]:
    """Every step of every series, newest first; at one moment what became worse comes first."""
    found = [NewStep(h, series, step) for h in histories for series in h.series for step in series.steps]
    found.sort(key=lambda new: (new.step.direction != "worse", new.history.claim.id))
    return tuple(sorted(found, key=lambda new: new.step.after.when, reverse=True))


def totals(machines: Mapping[MachineGroup, tuple[Run, ...]]) -> str:
    """One sentence: how much there is, and what of it was made up."""
    runs = [run for of_machine in machines.values() for run in of_machine]
    if not runs:
        return "No run is published here."
    commits = {run.commit for run in runs if run.commit is not None}
    days = sorted(run.day for run in runs)
    span = f"on {days[0]}" if days[0] == days[-1] else f"from {days[0]} to {days[-1]}"
    where = f"{counted(len(runs), 'run')} on {counted(len(machines), 'machine')}, {span}"
    made_up = sum(1 for run in runs if run.machine.fixture is not None)
    rest = f" Of the runs {made_up} {'was' if made_up == 1 else 'were'} made up, and labelled so." if made_up else ""
    return f"{where}, of {counted(len(commits), 'commit')}.{rest}"
