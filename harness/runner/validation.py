"""Whether what a claim names exists: suites, cases, workloads, subjects, ROM collections and faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nesproof.harness.claims.model import FIGURE_KINDS, Claim
from nesproof.harness.claims.registry import Registry
from nesproof.harness.claims.runs import RunChoice
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.plain_text import plain_line
from nesproof.harness.probes.figures import METRICS
from nesproof.harness.subjects.registry import subject_names
from nesproof.harness.suite_run import expected_cases, load_suite
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import load_manifest

__all__ = ["faults_of", "require_named_things"]


def faults_of(registry: Registry) -> list[str]:
    """One sentence for each reference that does not hold, with the claim's id."""
    return [f"{claim.id}: {sentence}" for claim in registry.values() for sentence in _faults(claim)]


def require_named_things(claims: Iterable[Claim]) -> None:
    """Nothing is measured for claims that name what does not exist; a selection of cases may turn out empty.

    Raises:
        ConfigurationError: about the first of them.
    """
    faults = [f"{claim.id}: {sentence}" for claim in claims for sentence in _missing(claim)]
    if faults:
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        raise ConfigurationError(
            f"{plain_line(faults[0], limit=1_000).rstrip('.')}{more}; `nesproof claims validate` lists every fault."
        )


def _faults(claim: Claim) -> Iterator[str]:
    missing = list(_missing(claim))
    yield from missing
    if claim.subject == claim.baseline and not claim.compares_itself:
        yield "it compares a subject with itself, run in the same way"
    if not missing and claim.suite is not None and not expected_cases(load_suite(claim.suite), claim.cases):
        yield f"no case of suite {claim.suite} matches {claim.cases!r}"


def _missing(claim: Claim) -> Iterator[str]:
    subjects = set(subject_names())
    for name in (claim.subject, claim.baseline):
        if name is not None and name not in subjects:
            yield f"there is no subject {name!r}"
    if claim.kind in FIGURE_KINDS and claim.metric not in METRICS[claim.kind]:
        yield f"there is no metric {claim.metric!r} of kind {claim.kind}; there are: {', '.join(METRICS[claim.kind])}"
    try:
        if claim.suite is not None:
            load_suite(claim.suite)
        for key, run in _played(claim):
            workload = load_workload(key)
            if run.drawing(workload.draw) not in workload.draws:
                yield f"workload {workload.id} is not drawn as {run.draw!r}"
    except HarnessError as fault:
        yield str(fault)
    for requirement in claim.requires:
        kind, _, name = requirement.partition(":")
        if kind == "subject" and name not in subjects:
            yield f"it requires the subject {name!r}, which does not exist"
        if kind == "roms" and name not in load_manifest().collections:
            yield f"it requires the ROMs {name!r}, which are no collection"
        if kind == "cores" and not name.isdigit():
            yield f"the requirement {requirement!r} gives no number"
        if kind in {"subject", "roms", "tool", "env", "package"} and not name:
            yield f"the requirement {requirement!r} names nothing"
    for fault_name in claim.killed_by:
        if fault_name not in fault_catalogue():
            yield f"there is no fault {fault_name!r}"


def _played(claim: Claim) -> Iterator[tuple[str, RunChoice]]:
    """What each side plays, and how it is run."""
    if claim.workload is not None:
        yield claim.workload, claim.candidate_run
        yield claim.baseline_workload or claim.workload, claim.baseline_run
