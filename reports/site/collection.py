"""Everything that the pages draw on, worked out once from the inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nesproof.reports.site.badges import MachineBadges, SiteBadge, machine_badges
from nesproof.reports.site.differences import Difference, differences
from nesproof.reports.site.documents import ShownBisection, ShownGate, bisections_of, gates_of
from nesproof.reports.site.history import ClaimHistory, histories
from nesproof.reports.site.inputs import SiteInputs
from nesproof.reports.site.runs import MachineGroup, Run, by_machine, runs_of

__all__ = ["Collection"]


@dataclass(frozen=True)
class Collection:
    """The runs with their machines, and the views that several pages share."""

    runs: tuple[Run, ...]
    """Oldest first."""
    machines: Mapping[MachineGroup, tuple[Run, ...]]
    histories: tuple[ClaimHistory, ...]
    badges: tuple[MachineBadges, ...]
    differences: tuple[Difference, ...]
    gates: tuple[ShownGate, ...]
    bisections: tuple[ShownBisection, ...]

    @classmethod
    def of(cls, inputs: SiteInputs) -> Collection:
        """Work it out."""
        runs = runs_of(inputs.runs)
        machines = by_machine(runs)
        found = histories(runs)
        return cls(
            runs=runs,
            machines=machines,
            histories=found,
            badges=machine_badges(machines, found),
            differences=differences(runs),
            gates=gates_of(inputs.gates),
            bisections=bisections_of(inputs.bisections),
        )

    @property
    def slugs(self) -> dict[str, str]:
        """The claims that have a page, by id."""
        return {history.claim.id: history.slug for history in self.histories}

    @property
    def all_badges(self) -> tuple[SiteBadge, ...]:
        """Every badge."""
        return tuple(badge for of_machine in self.badges for badge in of_machine.all)
