"""A subject in the place of the claims' own: which claims it is asked, and how a claim reads then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nesproof.harness.claims.model import Claim
from nesproof.harness.errors import HarnessError
from nesproof.harness.probes.lanes import REFERENCE
from nesproof.harness.subjects.registry import subject_definitions
from nesproof.harness.suite_run import SuiteCase, SuiteDefinition, expected_cases, lacking, load_suite
from nesproof.roms_manifest import load_manifest

__all__ = ["StandIns", "compares_nothing", "stand_in"]

_NO_FIGURES = (
    "With --subject all, speeds stand in the table of comparisons, and figures of nesproof's own are not asked."
)


def stand_in(claim: Claim, subject: str) -> Claim:
    """The claim about `subject`: `id@subject` where that is not its own. Its waiver is about its own subject, and stays
    behind; a claim that holds its subject against itself does so with the new one."""
    if subject == claim.subject:
        return claim
    update: dict[str, Any] = {"id": f"{claim.id}@{subject}", "subject": subject, "waiver": None}
    if claim.compares_itself:
        update["baseline"] = subject
    return claim.model_copy(update=update)


def compares_nothing(claim: Claim) -> bool:
    """True where both sides of a ratio are one subject, run in one way."""
    return claim.subject == claim.baseline and not claim.compares_itself


class StandIns:
    """Decides claim by claim what one subject is asked; each claim that it lets pass counts for those after it.

    `broadly`: every subject is asked at once, so that a claim is left out where what the subject's definition declares
    (before it has been started) leaves nothing of the claim to ask.
    """

    def __init__(self, subject: str, *, broadly: bool) -> None:
        self._subject = subject
        self._broadly = broadly
        definition = subject_definitions().get(subject)
        self._declared = () if definition is None else definition.capabilities
        self._plays_as = None if definition is None else definition.plays_as
        self._covered: dict[str, set[str]] = {}

    def in_order(self, claims: Sequence[Claim]) -> list[Claim]:
        """The subject's own claims, then the reference's, which speak of consoles in general, then the others."""
        return sorted(claims, key=lambda c: (c.subject != self._subject, c.subject != REFERENCE))

    def reason_against(self, claim: Claim) -> str | None:
        """Why the subject is not asked this claim, or None."""
        if self._broadly and claim.kind != "exact":
            return _NO_FIGURES
        if self._broadly and self._plays_as is not None:
            return (
                f"{self._subject} is {self._plays_as}'s console driven in another way, and {self._plays_as} is asked."
            )
        is_own = claim.subject == self._subject
        asked = stand_in(claim, self._subject)
        if compares_nothing(asked):
            return f"It would compare {self._subject} with itself."
        if claim.kind != "exact":
            return None
        try:
            definition = load_suite(claim.suite or "")
            chosen = [definition[case] for case in expected_cases(definition, claim.cases)]
        except HarnessError:
            return None  # what is wrong with the claim is said where it is planned
        if not is_own and chosen:
            reason = self._reason_against_cases(definition, chosen)
            if reason is not None:
                return reason
        self._covered.setdefault(definition.name, set()).update(case.id for case in chosen)
        return None

    def _reason_against_cases(self, definition: SuiteDefinition, chosen: Sequence[SuiteCase]) -> str | None:
        if all(case.against == self._subject for case in chosen):
            return f"It would hold {self._subject} against itself."
        if self._broadly and any(case.against is not None for case in chosen):
            return "It holds two particular consoles against each other, which no other stands in for."
        if {case.id for case in chosen} <= self._covered.get(definition.name, set()):
            return "Another claim about the same subject asks for the same cases."
        if self._broadly and self._declared and not self._can_be_asked(definition, chosen):
            return "No subject besides its own declares enough to be asked it."
        return None

    def _can_be_asked(self, definition: SuiteDefinition, chosen: Sequence[SuiteCase]) -> bool:
        manifest = load_manifest()
        return any(not lacking(definition, case, self._declared, manifest=manifest) for case in chosen)
