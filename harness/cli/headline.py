"""A run in a terminal: claimed beside measured beside verdict, under a headline that names every count."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.cli.comparison_table import print_comparison_rows
from nesproof.harness.cli.evidence_footer import print_footer
from nesproof.harness.cli.fault_table import print_faults
from nesproof.harness.cli.name_tables import share_width
from nesproof.harness.cli.subject_tables import VERDICT_STYLES, is_over_subjects, print_by_subject, print_conformance
from nesproof.harness.evidence.model import ClaimRecord, Evidence
from nesproof.harness.plain_text import plain_line

__all__ = ["headline", "print_evidence"]

_LONGER_MINUTES = 10
"""What is proposed for all timing together where the profile's time decided nothing."""


def headline(evidence: Evidence) -> str:
    """All counts in one line; those of zero are named too, so that nothing can hide."""
    counts = evidence.counts()
    shown = ", ".join(f"{counts[v]} {v.value}" for v in Verdict if v is not Verdict.NOT_SELECTED)
    faults = "" if evidence.falsification is None else f"; {evidence.falsification.in_short()}"
    return f"{shown}; {counts[Verdict.NOT_SELECTED]} NOT_SELECTED; {evidence.unproven()} UNPROVEN{faults}"


def print_evidence(evidence: Evidence, console: Console, *, bundle_id: str | None, place: str | None) -> None:
    """Print table, headline, exit code and where the report lies."""
    from nesproof.reports.views.headline import exit_words

    if is_over_subjects(evidence):
        print_by_subject(evidence, console)
    else:
        _print_claims(evidence, console)
    print_conformance(evidence, console)
    print_comparison_rows(evidence, console)
    print_faults(evidence, console)
    _print_remedies(evidence, console)
    console.print(Text(headline(evidence), style="bold"), soft_wrap=True)  # a number stays with its word
    console.print(Text(f"Exit code {evidence.exit_code:d}: {exit_words(evidence)[0]}."), soft_wrap=True)
    print_footer(evidence, console, bundle_id=bundle_id, place=place)


def _print_claims(evidence: Evidence, console: Console) -> None:
    table = Table(show_lines=True, expand=False)
    table.add_column("Claimed", overflow="fold")
    table.add_column("Measured", overflow="fold")
    table.add_column("Verdict", no_wrap=True)
    unproven = evidence.unproven_claims()
    for record in evidence.claims:
        if record.selected:
            table.add_row(
                _claimed(record, is_unproven=record.claim.id in unproven),
                _measured(record),
                Text(record.verdict.value, style=VERDICT_STYLES[record.verdict]),
            )
    share_width(table, console, named=0, beside=1, names=[r.claim.id for r in evidence.claims if r.selected])
    console.print(table)


def _print_remedies(evidence: Evidence, console: Console) -> None:
    """The commands stand outside the table, each whole on its line, so that they can be copied."""
    remedies: dict[str, list[str]] = {}
    for record in evidence.claims:
        if record.remedy:
            remedies.setdefault(plain_line(record.remedy), []).append(record.claim.id)
    for remedy, claims in remedies.items():
        more = f" and {len(claims) - 4} more" if len(claims) > 4 else ""
        console.print(Text(f"To measure {', '.join(claims[:4])}{more}: ").append(remedy, style="bold"), soft_wrap=True)
    for record in evidence.claims:
        if record.verdict is Verdict.INCONCLUSIVE and record.claim.kind == "ratio":
            told = Text(f"To decide {record.claim.id}, where nothing else runs: ")
            again = f"{plain_line(record.rerun)} --budget {_LONGER_MINUTES}"
            console.print(told.append(again, style="bold"), soft_wrap=True)


def _claimed(record: ClaimRecord, *, is_unproven: bool) -> Text:
    text = Text(plain_line(record.claim.spoken()))
    text.append(f"\n{record.claim.id}", style="dim")
    if is_unproven:
        text.append("\nUNPROVEN", style="dim")
    return text


def _measured(record: ClaimRecord) -> Text:
    text = Text(plain_line(record.measured or "not measured"))
    if record.verdict is not Verdict.PASS:
        text.append(f"\n{plain_line(record.reason, limit=240)}")
    if record.caveat:
        text.append(f"\n{plain_line(record.caveat, limit=400)}", style="dim")
    return text
