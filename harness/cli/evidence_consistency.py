"""Whether evidence follows from its own samples, and what is only said in other words than this version's.

The judge's sentences change from version to version while verdicts and figures stay. So in evidence that other code
wrote, words that differ are shown beside those that belong there, and are no contradiction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nesproof.harness.evidence.model import ClaimRecord, Evidence
from nesproof.harness.judge import judge_claim
from nesproof.harness.judge.run import Contradiction, contradictions
from nesproof.harness.plain_text import plain_line

__all__ = ["Consistency", "consistency", "rewordings"]


@dataclass(frozen=True)
class Consistency:
    """`contradictions`: where the document says otherwise than its samples. `reworded`: where it only says the same in
    another version's words."""

    contradictions: tuple[Contradiction, ...]
    reworded: tuple[Contradiction, ...] = ()


def consistency(evidence: Evidence) -> Consistency:
    """Judge the document anew."""
    found = contradictions(evidence)
    if not any(c.is_of_words for c in found) or not _is_of_other_code(evidence):
        return Consistency(tuple(found))
    return Consistency(
        contradictions=tuple(c for c in found if not c.is_of_words),
        reworded=tuple(c for c in found if c.is_of_words),
    )


def rewordings(evidence: Evidence, reworded: Iterable[Contradiction]) -> list[str]:
    """A line for each: what the document says, and what this version does."""
    records = {record.claim.id: record for record in evidence.claims}
    return [
        _rewording(records[c.claim], evidence)
        if c.claim in records
        else f"{plain_line(c.claim or 'the document')}: {c.sentence.rstrip('.')}"
        for c in reworded
    ]


def _is_of_other_code(evidence: Evidence) -> bool:
    from nesproof.harness.evidence.capture import capture_source

    return capture_source().tree_sha256 != evidence.source.tree_sha256


def _rewording(record: ClaimRecord, evidence: Evidence) -> str:
    suites = {run.id: run for run in evidence.suites}
    judged = judge_claim(record.claim, record.measurement, suites, on=evidence.created_utc.date())
    said = [(record.measured, judged.measured), (record.reason, judged.reason), (record.caveat, judged.caveat)]
    there, here = next((plain_line(a or "", limit=160), plain_line(b or "", limit=160)) for a, b in said if a != b)
    return f"{plain_line(record.claim.id)} says {there!r}; this version says {here!r}"
