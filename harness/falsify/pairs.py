"""Which faults are tried on which claims, fixed before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.faults.model import Fault
from nesproof.harness.suite_run import SuiteDefinition, expected_cases

__all__ = ["Pair", "chosen_pairs", "narrowed_cases"]


@dataclass(frozen=True)
class Pair:
    """A fault, and a claim that says that it must fail with this fault on."""

    fault: Fault
    claim: Claim

    @property
    def key(self) -> tuple[str, str]:
        """Ids of the fault and the claim."""
        return self.fault.id, self.claim.id


def chosen_pairs(
    claims: Iterable[Claim], catalogue: Mapping[str, Fault], *, fault_globs: Sequence[str] = ()
) -> tuple[Pair, ...]:
    """Every claim with each fault of its `killed_by` that `fault_globs` match (none: all).

    Raises:
        ConfigurationError: a claim names a fault that is not in the catalogue; a glob matches no fault; there is a
            fault that one suite alone is said to see, and a claim of another suite names it.
    """
    for glob in fault_globs:
        if not any(fnmatchcase(fault, glob) for fault in catalogue):
            raise ConfigurationError(f"No fault matches {glob!r}; `nesproof faults list` lists them.")
    pairs = []
    for claim in claims:
        for fault_id in dict.fromkeys(claim.killed_by):
            fault = catalogue.get(fault_id)
            if fault is None:
                raise ConfigurationError(
                    f"The claim {claim.id} names the fault {fault_id!r}, which does not exist; "
                    "`nesproof faults list` lists them."
                )
            if claim.kind == "exact" and fault.only_suite not in {None, claim.suite}:
                raise ConfigurationError(
                    f"The claim {claim.id} names the fault {fault_id}, which suite {fault.only_suite} alone should "
                    "see; take it out of killed_by."
                )
            if not fault_globs or any(fnmatchcase(fault_id, glob) for glob in fault_globs):
                pairs.append(Pair(fault, claim))
    return tuple(pairs)


def narrowed_cases(pair: Pair, definition: SuiteDefinition) -> tuple[str, ...]:
    """The claim's cases in which the fault shows, all of them where it does not say or none of the claim's match."""
    own = expected_cases(definition, pair.claim.cases)
    shown = pair.fault.shows_in.get(definition.name, ())
    globs = (shown,) if isinstance(shown, str) else shown
    narrowed = tuple(case for case in own if any(fnmatchcase(case, glob) for glob in globs))
    return narrowed or own
