"""The Markdown of a marked place. Everything that comes from a claims file or from evidence is escaped here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timezone

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.machines import machine_title
from nesproof.reports.figures import threshold
from nesproof.reports.markdown_text import code, escaped
from nesproof.reports.plain_text import plain, plain_record
from nesproof.reports.sentences.measured import Found, newest

__all__ = ["ABSENT", "Words"]

ABSENT = "not measured in published evidence yet"
"""What stands where no published document measured the claim."""

_LINE = 300


class Words:
    """Words about claims, with what the published documents measured."""

    def __init__(self, published: Sequence[Evidence]) -> None:
        self._published = [plain_record(evidence) for evidence in published]

    def sentence(self, claim: Claim) -> str:
        """What is promised, with the threshold in it."""
        return escaped(plain(claim.spoken()))

    def value(self, claim: Claim) -> str:
        """The promised number alone."""
        return threshold(claim.threshold)

    def measured(self, claim: Claim) -> str:
        """What was measured, where, by which commit and when."""
        found = newest(claim, self._published)
        return ABSENT if found is None else f"{_result(found, claim)} on {_source(found.evidence)}"

    def claim(self, claim: Claim) -> str:
        """The sentence, and what was measured."""
        measured = self.measured(claim)
        begun = "Not" + measured[3:] if measured == ABSENT else f"Measured: {measured}"
        return f"{self.sentence(claim)} {begun}."

    def table(self, claims: Mapping[str, Claim]) -> list[str]:
        """The lines of a table of claims, and below it those that say where and when each was measured."""
        sources: dict[str, int] = {}
        lines = ["", "| claim | what it promises | measured |", "|---|---|---|"]
        for claim in claims.values():
            found = newest(claim, self._published)
            cell = ABSENT
            if found is not None:
                number = sources.setdefault(_source(found.evidence), len(sources) + 1)
                cell = f"{_result(found, claim)} ({number})"
            unproven = " UNPROVEN" if claim.is_unproven else ""
            lines.append(f"| `{claim.id}`{unproven} | {self.sentence(claim)} | {cell} |")
        lines.append("")
        for source, number in sources.items():
            lines += [f"({number}) {source}", ""]
        return lines


def _source(evidence: Evidence) -> str:
    """The machine, the commit and the day."""
    source = evidence.source
    changed = " with local changes" if source.dirty else ""
    made_by = f"version {escaped(source.version, 60)}" if source.commit is None else f"commit `{source.commit[:12]}`"
    machine = escaped(machine_title(evidence.machine), _LINE)
    return f"{machine}, {made_by}{changed}, {evidence.created_utc.astimezone(timezone.utc):%Y-%m-%d}"


def _result(found: Found, claim: Claim) -> str:
    """The figure as the document has it, and what a reader must know of it: a verdict other than PASS, a weaker check,
    another threshold."""
    record = found.record
    words = escaped(record.measured or "", _LINE)
    verdict = "" if record.verdict is Verdict.PASS else f"**{record.verdict.value}**, "
    remarks = []
    if record.caveat:
        remarks.append(escaped(record.caveat.partition(":")[0], _LINE))
    if (record.claim.at_least, record.claim.at_most) != (claim.at_least, claim.at_most):
        remarks.append(f"judged against {code(threshold(record.claim.threshold))}")
    return verdict + words + (f"; {'; '.join(remarks)}" if remarks else "")
