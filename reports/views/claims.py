"""Claims as rows: what is claimed beside what was measured, and what a reader needs to check it."""

from __future__ import annotations

from dataclasses import dataclass

from nesproof.harness.claims import Claim, Verdict
from nesproof.harness.evidence import Evidence
from nesproof.harness.evidence.model import ClaimRecord, RatioMeasurement
from nesproof.reports.figures import threshold
from nesproof.reports.plain_text import one_line
from nesproof.reports.views.runs import choice_words
from nesproof.reports.wording import ABSENT, BY_URGENCY, VERDICT_MEANING, VERDICT_WORDS

__all__ = ["ClaimRow", "claim_rows", "claimed"]

_OPEN = frozenset({Verdict.FAIL, Verdict.ERROR, Verdict.INCONCLUSIVE, Verdict.NOT_MEASURED})


@dataclass(frozen=True)
class ClaimRow:
    """One claim of a report."""

    anchor: str
    id: str
    kind: str
    sentence: str
    claimed: str
    measured: str
    verdict: str
    verdict_word: str
    verdict_meaning: str
    is_selected: bool
    is_open: bool
    """True where the reader should see the details at once."""
    reason: str
    caveat: str | None
    short_caveat: str | None
    """The caveat up to its first colon: what it is, without why."""
    remedy: str | None
    rerun: str
    breaks_when: str
    killed_by: tuple[str, ...]
    is_unproven: bool
    subject: str
    measured_how: str
    samples_anchor: str | None


def claim_rows(evidence: Evidence) -> tuple[ClaimRow, ...]:
    """Every claim, the most urgent verdict first, otherwise in the order of the evidence."""
    numbered = enumerate(evidence.claims, start=1)
    unproven = evidence.unproven_claims()
    return tuple(
        _row(n, r, is_unproven=r.claim.id in unproven)
        for n, r in sorted(numbered, key=lambda item: BY_URGENCY.index(item[1].verdict))
    )


def claimed(claim: Claim) -> str:
    """What the claim promises, in few words."""
    if claim.kind == "exact":
        return _cases(claim)
    if claim.at_least is None and claim.at_most is None:
        return "no figure"
    bound = f"{'at least' if claim.at_least is not None else 'at most'} {threshold(claim.threshold)}"
    if claim.kind != "ratio":
        words = (claim.metric or "").replace("_", " ")
        return f"{bound} \N{MULTIPLICATION SIGN} {words}" if claim.over else f"{bound} {words}"
    how = choice_words(claim.baseline_run) if claim.compares_itself else ""
    return f"{bound} \N{MULTIPLICATION SIGN} {claim.baseline}" + (f" ({how})" if how else "")


def _row(index: int, record: ClaimRecord, *, is_unproven: bool) -> ClaimRow:
    claim = record.claim
    return ClaimRow(
        anchor=f"claim-{index}",
        id=claim.id,
        kind=claim.kind,
        sentence=claim.spoken(),
        claimed=claimed(claim),
        measured=record.measured if record.measured is not None else ABSENT,
        verdict=record.verdict.value,
        verdict_word=VERDICT_WORDS[record.verdict],
        verdict_meaning=VERDICT_MEANING[record.verdict],
        is_selected=record.selected,
        is_open=record.verdict in _OPEN,
        reason=record.reason,
        caveat=record.caveat,
        short_caveat=None if record.caveat is None else record.caveat.partition(":")[0],
        remedy=None if record.remedy is None else one_line(record.remedy),
        rerun=one_line(record.rerun),
        breaks_when=claim.breaks_when,
        killed_by=claim.killed_by,
        is_unproven=is_unproven,
        subject=claim.subject,
        measured_how=_measured_how(claim),
        samples_anchor=f"samples-{index}" if _has_samples(record) else None,
    )


def _cases(claim: Claim) -> str:
    if claim.cases == "*":
        return "every case"
    return f"every case of {claim.cases}" if set(claim.cases) & set("*?[") else f"case {claim.cases}"


def _has_samples(record: ClaimRecord) -> bool:
    return isinstance(record.measurement, RatioMeasurement) and len(record.measurement.samples) > 0


def _measured_how(claim: Claim) -> str:
    if claim.kind == "exact":
        return f"suite {claim.suite}, {_cases(claim)}, on {claim.subject}"
    if claim.kind == "ratio":
        other = () if claim.baseline_workload is None else (f"on {claim.baseline_workload}",)
        sides = " against ".join(
            f"{name} ({', '.join(how)})" if (how := (*played, *filter(None, (choice_words(run),)))) else str(name)
            for name, run, played in (
                (claim.subject, claim.candidate_run, ()),
                (claim.baseline, claim.baseline_run, other),
            )
        )
        return f"workload {claim.workload}, {sides}, in interleaved processes"
    workload = f"workload {claim.workload}, " if claim.workload is not None else ""
    return f"{workload}{(claim.metric or claim.kind).replace('_', ' ')} of {claim.subject}, counted"
