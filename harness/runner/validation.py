"""Whether what a claim names exists: suites, cases, workloads, subjects, ROM collections and faults."""

from __future__ import annotations

from collections.abc import Iterator

from nesproof.harness.claims.model import Claim
from nesproof.harness.claims.registry import Registry
from nesproof.harness.errors import HarnessError
from nesproof.harness.subjects.registry import subject_names
from nesproof.harness.suite_run import expected_cases, load_suite
from nesproof.harness.workloads import load_workload
from nesproof.roms_manifest import load_manifest

__all__ = ["KNOWN_FAULTS", "faults_of"]

KNOWN_FAULTS: frozenset[str] = frozenset()
"""Names that `killed_by` may use. No fault can be turned on in this version, so none may be claimed to kill."""


def faults_of(registry: Registry) -> list[str]:
    """One sentence for each reference that does not hold, with the claim's id."""
    return [f"{claim.id}: {sentence}" for claim in registry.values() for sentence in _faults(claim)]


def _faults(claim: Claim) -> Iterator[str]:
    subjects = set(subject_names())
    for name in (claim.subject, claim.baseline):
        if name is not None and name not in subjects:
            yield f"there is no subject {name!r}"
    try:
        if claim.suite is not None and not expected_cases(load_suite(claim.suite), claim.cases):
            yield f"no case of suite {claim.suite} matches {claim.cases!r}"
        if claim.workload is not None:
            load_workload(claim.workload)
    except HarnessError as fault:
        yield str(fault)
    for requirement in claim.requires:
        kind, _, name = requirement.partition(":")
        if kind == "subject" and name not in subjects:
            yield f"it requires the subject {name!r}, which does not exist"
        if kind == "roms" and name not in load_manifest().collections:
            yield f"it requires the ROMs {name!r}, which are no collection"
        if kind in {"subject", "roms", "tool", "env"} and not name:
            yield f"the requirement {requirement!r} names nothing"
    for fault_name in claim.killed_by:
        if fault_name not in KNOWN_FAULTS:
            yield f"there is no fault {fault_name!r}"
