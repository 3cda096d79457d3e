"""Two runs of one machine beside each other: which claims' verdict or figure changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

from nesproof.harness.claims import Verdict
from nesproof.harness.evidence.model import ClaimRecord
from nesproof.reports.site.history import claim_slug
from nesproof.reports.site.moved import moved
from nesproof.reports.site.runs import MachineGroup, Run, by_machine
from nesproof.reports.site.surroundings import differences_of_surroundings
from nesproof.reports.wording import ABSENT, VERDICT_WORDS

__all__ = ["NEWEST_COMPARED", "ChangedClaim", "Difference", "differences"]

NEWEST_COMPARED = 6
"""Of so many newest runs of a machine each is held against each; older ones against the next one alone."""


@dataclass(frozen=True)
class ChangedClaim:
    """One claim that is not the same in both runs."""

    id: str
    slug: str
    sentence: str
    change: str
    """What changed, in a few words: "worse", "better", "another answer", "only in the later run"."""
    why: str
    before: ClaimRecord | None
    after: ClaimRecord | None

    @property
    def verdict_before(self) -> tuple[str, str]:
        """The verdict's name and word in the earlier run."""
        return _verdict(self.before)

    @property
    def verdict_after(self) -> tuple[str, str]:
        """The verdict's name and word in the later run."""
        return _verdict(self.after)

    @property
    def measured_before(self) -> str:
        """What the earlier run measured."""
        return _measured(self.before)

    @property
    def measured_after(self) -> str:
        """What the later run measured."""
        return _measured(self.after)


@dataclass(frozen=True)
class Difference:
    """Two runs, the earlier one first."""

    slug: str
    machine: MachineGroup
    before: Run
    after: Run
    changed: tuple[ChangedClaim, ...]
    same: int
    """How many claims of both runs neither changed their verdict nor stepped."""
    surroundings: tuple[str, ...]


def differences(runs: Iterable[Run]) -> tuple[Difference, ...]:
    """The pairs of runs that the site compares, newest first. Runs of two machines are never compared."""
    found = []
    for machine, its_runs in by_machine(runs).items():
        newest = its_runs[-NEWEST_COMPARED:]
        pairs = {(a.slug, b.slug): (a, b) for a, b in combinations(newest, 2)}
        pairs |= {(a.slug, b.slug): (a, b) for a, b in pairwise(its_runs)}
        found += [_difference(machine, before, after) for before, after in pairs.values()]
    return tuple(sorted(found, key=lambda d: (d.after.when, d.before.when, d.slug), reverse=True))


def _difference(machine: MachineGroup, before: Run, after: Run) -> Difference:
    old, new = ({r.claim.id: r for r in run.evidence.claims} for run in (before, after))
    changed = []
    same = 0
    for claim_id in dict.fromkeys([*old, *new]):
        one = _changed(claim_id, old.get(claim_id), new.get(claim_id))
        if one is not None:
            changed.append(one)
        elif claim_id in old and claim_id in new and old[claim_id].verdict is not Verdict.NOT_SELECTED:
            same += 1
    return Difference(
        slug=f"{before.slug}--{after.slug}",
        machine=machine,
        before=before,
        after=after,
        changed=tuple(sorted(changed, key=lambda c: _ORDER.index(c.change))),
        same=same,
        surroundings=differences_of_surroundings(before.evidence, after.evidence),
    )


_ORDER = ("worse", "better", "another verdict", "another promise", "only in the later run", "only in the earlier run")


def _changed(claim_id: str, before: ClaimRecord | None, after: ClaimRecord | None) -> ChangedClaim | None:
    asked = [r for r in (before, after) if r is not None and r.verdict is not Verdict.NOT_SELECTED]
    if not asked:
        return None
    change = _change(before, after)
    if change is None:
        return None
    return ChangedClaim(
        id=claim_id,
        slug=claim_slug(claim_id),
        sentence=asked[-1].claim.spoken(),
        change=change[0],
        why=change[1],
        before=before,
        after=after,
    )


def _change(before: ClaimRecord | None, after: ClaimRecord | None) -> tuple[str, str] | None:
    if before is None or before.verdict is Verdict.NOT_SELECTED:
        return "only in the later run", ""
    if after is None or after.verdict is Verdict.NOT_SELECTED:
        return "only in the earlier run", ""
    if before.claim != after.claim:
        return "another promise", "what is promised, or how it is measured, is not the same in both"
    stepped = moved(before, after)
    if stepped is not None:
        return stepped
    if before.verdict is not after.verdict:
        return "another verdict", f"from {VERDICT_WORDS[before.verdict]} to {VERDICT_WORDS[after.verdict]}"
    return None


def _verdict(record: ClaimRecord | None) -> tuple[str, str]:
    verdict = Verdict.NOT_SELECTED if record is None else record.verdict
    return verdict.value, VERDICT_WORDS[verdict]


def _measured(record: ClaimRecord | None) -> str:
    return ABSENT if record is None or record.measured is None else record.measured
