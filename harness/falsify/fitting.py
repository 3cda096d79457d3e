"""Which faults a claim could name: those that can be planted in its subject and show in what it asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.counting import counted
from nesproof.harness.faults.model import Fault
from nesproof.harness.faults.registry import fault_catalogue, users_faults
from nesproof.harness.subjects.registry import SubjectDefinition, find_subject
from nesproof.harness.suite_run import expected_cases, load_suite
from nesproof.harness.workloads import load_workload

__all__ = ["FittingFault", "fitting_faults", "why_not_plantable"]


@dataclass(frozen=True)
class FittingFault:
    """A fault that a claim could name, and why it is thought to fit."""

    fault: Fault
    reason: str


def why_not_plantable(fault: Fault, subject: SubjectDefinition) -> str | None:
    """Why the fault cannot be planted in the subject, as a clause; None where it can."""
    if subject.takes_faults:
        return None if fault.id in users_faults() else f"{subject.name} is told of the faults of your own files alone"
    if subject.environment != "own":
        return "faults are planted in nesproof's own consoles, and where a subject's command takes {fault}"
    if (fault.means == "judge") != ("judge" in subject.capabilities):
        return f"it is a fault of the {'judge' if fault.means == 'judge' else 'consoles'}"
    return None


def fitting_faults(claim: Claim, registry: Mapping[str, Claim]) -> tuple[FittingFault, ...]:
    """The faults that the claim could name in `killed_by`: first those that a claim of the registry like it names, the
    most alike first, then those that show in its cases.

    Raises:
        ConfigurationError: the claim's subject, suite or workload does not exist.
    """
    subject = find_subject(claim.subject)
    cases = expected_cases(load_suite(claim.suite), claim.cases) if claim.suite is not None else ()
    mine = _asks(claim)
    alike = sorted((c for c in registry.values() if _asks(c) == mine), key=lambda other: _distance(other, claim))
    named: list[tuple[int, FittingFault]] = []
    shown: list[FittingFault] = []
    for fault in fault_catalogue().values():
        if why_not_plantable(fault, subject) is not None:
            continue
        count = _shows_in(fault, claim, cases)
        if claim.kind == "exact" and not count:
            continue
        sibling = next(((rank, other.id) for rank, other in enumerate(alike) if fault.id in other.killed_by), None)
        if sibling is not None:
            named.append((sibling[0], FittingFault(fault, f"{sibling[1]} names it")))
        elif count:
            shown.append(FittingFault(fault, f"shows in {count} of its {counted(len(cases), 'case')}"))
    named.sort(key=lambda ranked: ranked[0])
    return (*(fitting for _, fitting in named), *shown)


def _shows_in(fault: Fault, claim: Claim, cases: tuple[str, ...]) -> int:
    """In how many of the claim's cases it shows; all, where one suite alone sees it and it does not say in which."""
    if fault.only_suite not in {None, claim.suite}:
        return 0
    globs = fault.shows_in.get(claim.suite or "", ())
    if not globs:
        return len(cases) if fault.only_suite == claim.suite else 0
    listed = (globs,) if isinstance(globs, str) else globs
    return sum(any(fnmatchcase(case, glob) for glob in listed) for case in cases)


def _asks(claim: Claim) -> tuple[object, ...]:
    """What decides which faults show: the suite; the figure; how the subject is run against the clock."""
    if claim.kind == "exact":
        return claim.kind, claim.suite
    if claim.kind != "ratio":
        return claim.kind, claim.metric
    default = load_workload(claim.workload).draw if claim.workload is not None else "every"
    run = claim.candidate_run
    return claim.kind, run.drawing(default), claim.compares_itself, run.idle_skipping


def _distance(other: Claim, claim: Claim) -> tuple[bool, ...]:
    """The nearest first: of the same subject and workload, of the same rows, set beside another figure or not."""
    return (
        other.subject != claim.subject,
        other.workload != claim.workload,
        other.where != claim.where,
        bool(other.over) != bool(claim.over),
    )
