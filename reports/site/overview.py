"""What the first page shows: the newest run of each machine, and where claims stepped last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from nesproof.reports.figures import counted
from nesproof.reports.site.badges import MachineBadges
from nesproof.reports.site.history import ClaimHistory, Series, Step
from nesproof.reports.site.runs import MachineGroup, Run, headline_run
from nesproof.reports.views.headline import Headline, headline
from nesproof.reports.wording import BY_URGENCY, VERDICT_WORDS

__all__ = ["MachineCard", "NewStep", "machine_cards", "newest_steps", "totals"]


@dataclass(frozen=True)
class MachineCard:
    """The newest run of one machine."""

    machine: MachineGroup
    run: Run
    headline: Headline
    runs: int
    badges: MachineBadges
    newest_answers: str
    """What all runs of the machine say together: the newest answer of each claim, counted."""


@dataclass(frozen=True)
class NewStep:
    """One step with the claim and the series that it belongs to."""

    history: ClaimHistory
    series: Series
    step: Step


def machine_cards(
    machines: Mapping[MachineGroup, tuple[Run, ...]],
    badges: tuple[MachineBadges, ...],
    histories: tuple[ClaimHistory, ...],
) -> tuple[MachineCard, ...]:
    """One card a machine, in the order of the machines."""
    cards = []
    for (machine, runs), its_badges in zip(machines.items(), badges, strict=True):
        run = headline_run(runs)
        shown = headline(run.evidence, run.bundle_id)
        cards.append(MachineCard(machine, run, shown, len(runs), its_badges, _newest_answers(machine, histories)))
    return tuple(cards)


def _newest_answers(machine: MachineGroup, histories: tuple[ClaimHistory, ...]) -> str:
    counts = Counter(history.newest[machine].record.verdict for history in histories if machine in history.newest)
    return ", ".join(f"{counts[verdict]} {VERDICT_WORDS[verdict]}" for verdict in BY_URGENCY if counts[verdict])


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
