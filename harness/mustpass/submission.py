"""A bundle from anywhere, held to a must-pass list: what keeps it from being a submission, and what may be said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from nesproof.harness.counting import counted
from nesproof.harness.evidence.conformance import (
    CaseStanding,
    CaseState,
    Conformance,
    conformance,
    conforming_subjects,
)
from nesproof.harness.evidence.model import Evidence
from nesproof.harness.judge import contradictions
from nesproof.harness.mustpass.lists import MustPassList, counts_within, record_of

__all__ = ["Submission", "check_submission"]

_NAMED = 5
_UNSETTLED: dict[CaseState, str] = {
    "failed": "failed and {are} not waived",
    "broken": "broke before a verdict, which no waiver covers",
    "cannot-run": "cannot be asked of the subject and {are} not waived",
    "not-run": "{have} no result and {are} not waived",
    "other-rom": "{were} played with another program than the list's",
}


@dataclass(frozen=True)
class Submission:
    """What became of it. `refusals` keep the bundle from being a submission at all; `open` are cases of the list that
    neither passed nor are waived. `conformance` is None where it was not counted."""

    refusals: tuple[str, ...]
    open: tuple[str, ...]
    conformance: Conformance | None
    notes: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """True where the bundle is a submission, and every case of the list passed or is waived."""
        return not self.refusals and not self.open and self.conformance is not None

    @property
    def sentence(self) -> str | None:
        """What may be said; nothing of a bundle that is no submission."""
        return None if self.refusals or self.conformance is None else self.conformance.sentence()


def check_submission(evidence: Evidence, listed: MustPassList, *, subject: str | None, today: date) -> Submission:
    """Hold a document to the list. `today` is the day on which its waivers must still hold.

    `subject` may be left out where the document has one subject that the list's cases were asked of. A document that a
    later list counts, which holds every case of this one as it is here, is counted by this one as well.
    """
    if evidence.mustpass is not None and counts_within(evidence.mustpass, listed):
        evidence = evidence.model_copy(update={"mustpass": record_of(listed)})
    refusals = [*_refusals(evidence, listed)]
    subjects = conforming_subjects(evidence)
    if evidence.mustpass is None:
        return Submission(tuple(refusals), (), None)
    if not subjects:
        return Submission((*refusals, f"No subject was asked a case of {listed.name}."), (), None)
    named = ", ".join(subjects)
    if subject is not None and subject not in subjects:
        return Submission((*refusals, f"{subject} was asked no case of {listed.name}; asked were {named}."), (), None)
    if subject is None and len(subjects) > 1:
        return Submission((*refusals, f"It is about several subjects ({named}); choose one with --subject."), (), None)
    found = conformance(evidence, subject or subjects[0])
    assert found is not None
    expired = [case for case in found.waived if case.waiver is not None and case.waiver.expires < today]
    refusals += _against_its_record(evidence, found, listed)
    refusals += [f"The waiver of {case.key} held until {_until(case)}; it is over." for case in expired]
    return Submission(tuple(refusals), tuple(_open(found)), found, tuple(_notes(evidence)))


def _refusals(evidence: Evidence, listed: MustPassList) -> list[str]:
    found = []
    if evidence.fixture is not None:
        found.append(f"The document is made up, not measured: {evidence.fixture}")
    contradiction = next(iter(contradictions(evidence)), None)
    if contradiction is not None:
        who = "the document" if contradiction.claim is None else contradiction.claim
        found.append(f"Its verdicts do not follow from its samples ({who}: {contradiction.sentence})")
    if evidence.source.dirty:
        found.append("It was measured by a nesproof with uncommitted changes, which nobody else has.")
    if evidence.interrupted:
        found.append("The run was interrupted.")
    if evidence.mustpass is None:
        found.append(
            f"It is counted by no must-pass list; measure by `nesproof verify` of a nesproof that knows {listed.name}."
        )
    elif (evidence.mustpass.name, evidence.mustpass.sha256) != (listed.name, listed.sha256):
        found.append(
            f"It is counted by {evidence.mustpass.name} with the hash {evidence.mustpass.sha256[:12]}…; "
            f"{listed.name} has {listed.sha256[:12]}…."
        )
    elif evidence.mustpass != record_of(listed):
        found.append(f"Its cases are not those of {listed.name}, although it gives that list's hash.")
    return found


def _against_its_record(evidence: Evidence, found: Conformance, listed: MustPassList) -> list[str]:
    """Results that the subject's own record does not bear out: what it does not declare, it was not asked."""
    records = [record for record in evidence.subjects if record.name == found.subject]
    if len(records) != 1:
        return [f"The document introduces {found.subject} {len(records)} times, and must do so once."]
    declared = set(records[0].capabilities)
    wants = {case.key: case.wants for case in listed.case}
    for case in found.cases:
        lacking = [want for want in wants.get(case.key, ()) if declared.isdisjoint(want.split(" or "))]
        if case.state == "passed" and lacking:
            return [f"{case.key} passed, it says, but {found.subject} does not declare {lacking[0]}, which that takes."]
    return []


def _open(found: Conformance) -> list[str]:
    sentences = []
    for state, words in _UNSETTLED.items():
        cases = [case for case in found.open if case.state == state]
        if cases:
            is_one = len(cases) == 1
            verbs = {"are": "is", "have": "has", "were": "was"} if is_one else {v: v for v in ("are", "have", "were")}
            sentences.append(f"{counted(len(cases), 'case')} {words.format(**verbs)}: {_named(cases)}.")
    return sentences


def _named(cases: list[CaseStanding]) -> str:
    more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
    return ", ".join(case.key for case in cases[:_NAMED]) + more


def _until(case: CaseStanding) -> str:
    return "" if case.waiver is None else case.waiver.expires.isoformat()


def _notes(evidence: Evidence) -> list[str]:
    if evidence.source.commit is not None:
        return []
    return [
        f"It names no commit; its nesproof {evidence.source.version} has the tree {evidence.source.tree_sha256[:12]}."
    ]
