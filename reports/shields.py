"""Badges as shields.io reads them from a URL (https://shields.io/badges/endpoint-badge), one small JSON file each.

A badge says one thing of one document: how the run ended, how a subject stands with the must-pass list, or what was
measured of one claim. A document that was made up, or measured in a changed tree, says so in each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nesproof.harness.claims import ExitCode, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.conformance import Conformance, conformances
from nesproof.harness.evidence.model import ClaimRecord
from nesproof.reports.figures import counted
from nesproof.reports.json_text import json_bytes
from nesproof.reports.plain_text import one_line, plain_evidence
from nesproof.reports.wording import VERDICT_WORDS

__all__ = ["Badge", "badge_json", "badges", "claim_badge", "conformance_badge", "overall_badge"]

_LABEL_LIMIT, _MESSAGE_LIMIT = 60, 80
_COLOURS: dict[Verdict, str] = {
    Verdict.PASS: "brightgreen",
    Verdict.FAIL: "red",
    Verdict.ERROR: "red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.WAIVED: "yellow",
    Verdict.NOT_MEASURED: "orange",
    Verdict.NOT_APPLICABLE: "lightgrey",
    Verdict.NOT_SELECTED: "lightgrey",
}
_EXIT_COLOURS = {ExitCode.OK: "brightgreen", ExitCode.INCONCLUSIVE: "yellow", ExitCode.NOT_MEASURED: "orange"}


@dataclass(frozen=True)
class Badge:
    """One badge: left text, right text (never empty), one of shields.io's named colours."""

    label: str
    message: str
    colour: str


def badges(evidence: Evidence) -> dict[str, Badge]:
    """File name to badge: `overall.json`, `conformance-<subject>.json`, `claim-<id>.json` of each selected claim."""
    evidence = plain_evidence(evidence)
    found = {"overall.json": overall_badge(evidence)}
    for standing in conformances(evidence):
        found[f"conformance-{_file_words(standing.subject)}.json"] = conformance_badge(evidence, standing)
    for record in evidence.claims:
        if record.selected:
            found[f"claim-{_file_words(record.claim.id)}.json"] = claim_badge(evidence, record)
    return found


def overall_badge(evidence: Evidence) -> Badge:
    """How the run ended: how many of the claims that were measured hold."""
    counts = evidence.counts()
    worse = [f"{counts[v]} {VERDICT_WORDS[v]}" for v in _WORSE if counts[v]]
    survivors = 0 if evidence.falsification is None else len(evidence.falsification.survivors())
    worse += [f"{counted(survivors, 'fault')} survived"] if survivors else []
    passing = counts[Verdict.PASS]
    message = ", ".join([f"{counted(passing, 'claim')} {'passes' if passing == 1 else 'pass'}", *worse])
    return _badge(evidence, "nesproof", message, _EXIT_COLOURS.get(evidence.exit_code, "red"))


def conformance_badge(evidence: Evidence, standing: Conformance) -> Badge:
    """How a subject stands with the must-pass list; waived cases are named apart, since they did not pass."""
    waived = f", {len(standing.waived)} waived" if standing.waived else ""
    colour = "red" if not standing.conforms else "yellow" if standing.waived else "brightgreen"
    message = f"{standing.passed} of {len(standing.cases)}{waived}"
    return _badge(evidence, f"{standing.title}: {standing.subject}", message, colour)


def claim_badge(evidence: Evidence, record: ClaimRecord) -> Badge:
    """What was measured of one claim, or its verdict where that says more."""
    measured = record.measured if record.verdict is Verdict.PASS and record.measured is not None else None
    message = VERDICT_WORDS[record.verdict] if measured is None else measured
    return _badge(evidence, record.claim.id, message, _COLOURS[record.verdict])


def badge_json(badge: Badge) -> bytes:
    """The badge as an endpoint's answer."""
    return json_bytes(
        {"schemaVersion": 1, "label": badge.label, "message": badge.message, "color": badge.colour}
    )  # fmt: skip


_WORSE = (Verdict.FAIL, Verdict.ERROR, Verdict.NOT_MEASURED, Verdict.INCONCLUSIVE, Verdict.WAIVED)


def _badge(evidence: Evidence, label: str, message: str, colour: str) -> Badge:
    notes = tuple(_notes(evidence))
    room = _MESSAGE_LIMIT - sum(len(note) + 2 for note in notes)
    text = ", ".join((*notes, _cut(one_line(message), room)))
    return Badge(_cut(one_line(label), _LABEL_LIMIT), text, "lightgrey" if notes else colour)


def _notes(evidence: Evidence) -> Iterator[str]:
    if evidence.fixture is not None:
        yield "fixture"
    if evidence.source.dirty:
        yield "uncommitted changes"
    if evidence.interrupted:
        yield "interrupted"


def _cut(text: str, limit: int) -> str:
    text = text.strip() or "(empty)"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _file_words(name: str) -> str:
    """A subject's or a claim's name as part of a file's."""
    return re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9.@_-]", "-", name))[:200]
