"""Whether evidence follows from its own samples, and what is only said in other words than this version's.

The judge's sentences change from version to version while verdicts and figures stay. So in evidence that other code
wrote, words that differ are shown beside those that belong there, and are no contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.evidence.model import ClaimRecord, Evidence
from nesproof.harness.judge import judge_claim
from nesproof.harness.judge.run import Contradiction, contradictions
from nesproof.harness.plain_text import plain_line

__all__ = ["Consistency", "consistency"]


@dataclass(frozen=True)
class Consistency:
    """`contradictions`: where the document says otherwise than its samples. `rewordings`: where it only says the same
    in another version's words, one line each."""

    contradictions: tuple[Contradiction, ...]
    rewordings: tuple[str, ...] = ()


def consistency(evidence: Evidence) -> Consistency:
    """Judge the document anew."""
    found = contradictions(evidence)
    reworded = [c for c in found if c.is_of_words]
    if not reworded or not _is_of_other_code(evidence):
        return Consistency(tuple(found))
    records = {record.claim.id: record for record in evidence.claims}
    return Consistency(
        contradictions=tuple(c for c in found if c not in reworded),
        rewordings=tuple(
            _rewording(records[c.claim], evidence)
            if c.claim in records
            else f"{plain_line(c.claim or 'the document')}: {c.sentence.rstrip('.')}"
            for c in reworded
        ),
    )


def _is_of_other_code(evidence: Evidence) -> bool:
    from nesproof.harness.evidence.capture import capture_source

    return capture_source().tree_sha256 != evidence.source.tree_sha256


def _rewording(record: ClaimRecord, evidence: Evidence) -> str:
    suites = {run.id: run for run in evidence.suites}
    judged = judge_claim(record.claim, record.measurement, suites, on=evidence.created_utc.date())
    said = [(record.measured, judged.measured), (record.reason, judged.reason), (record.caveat, judged.caveat)]
    there, here = next((plain_line(a or "", limit=160), plain_line(b or "", limit=160)) for a, b in said if a != b)
    return f"{plain_line(record.claim.id)} says {there!r}; this version says {here!r}"
