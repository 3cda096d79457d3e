"""What published evidence has to say of a claim: the newest measurement of the same question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import ClaimRecord

__all__ = ["Found", "newest"]

_ANSWERS = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.WAIVED})


@dataclass(frozen=True)
class Found:
    """A claim's record in a published document."""

    record: ClaimRecord
    evidence: Evidence


def newest(claim: Claim, published: Iterable[Evidence]) -> Found | None:
    """The newest record that measured what the claim asks, whatever its verdict; None where there is none.

    A document that was made up is no evidence here, and neither is a record of another workload's version, of another
    subject or of a run in another way: that was another question. Equally new documents are taken in their order.
    """
    measured = [evidence for evidence in published if evidence.fixture is None]
    found = [Found(record, evidence) for evidence in measured for record in evidence.claims if _answers(record, claim)]
    return max(found, key=lambda one: one.evidence.created_utc, default=None)


def _answers(record: ClaimRecord, claim: Claim) -> bool:
    if record.claim.id != claim.id or record.verdict not in _ANSWERS or record.measured is None:
        return False
    return record.claim.question() == claim.question()
