"""A run over several subjects in a terminal: their claims subject by subject, and each subject in one line below."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.verdict import Verdict
from nesproof.harness.cli.name_tables import share_width
from nesproof.harness.evidence.conformance import conformances
from nesproof.harness.evidence.model import ClaimRecord, Evidence, UnavailableMeasurement
from nesproof.harness.plain_text import plain_line

__all__ = ["VERDICT_STYLES", "is_over_subjects", "print_by_subject", "print_conformance"]

VERDICT_STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.ERROR: "bold red",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.NOT_MEASURED: "yellow",
    Verdict.NOT_APPLICABLE: "dim",
    Verdict.WAIVED: "yellow",
    Verdict.NOT_SELECTED: "dim",
}
_REASON_SHOWN = 160


def _by_subject(evidence: Evidence) -> dict[str, list[ClaimRecord]]:
    """The selected claims by the subject that they were measured on, in the order of the document."""
    found: dict[str, list[ClaimRecord]] = {}
    for record in evidence.claims:
        if record.selected:
            found.setdefault(record.claim.subject, []).append(record)
    return found


def is_over_subjects(evidence: Evidence) -> bool:
    """True where subjects stood in for the claims' own."""
    return any(record.selected and record.claim.id != record.claim.base_id for record in evidence.claims)


def print_by_subject(evidence: Evidence, console: Console) -> None:
    """One table with a section a subject, without what a subject cannot be asked at all, then a line a subject."""
    table = Table(expand=False)
    table.add_column("Subject", no_wrap=True)
    table.add_column("Claimed", overflow="fold")
    table.add_column("Measured", overflow="fold")
    table.add_column("Verdict", no_wrap=True)
    grouped = _by_subject(evidence)
    is_alone = len(grouped) == 1
    for subject, records in grouped.items():
        shown = [record for record in records if not _is_not_asked(record)]
        for number, record in enumerate(shown):
            table.add_row(
                Text(plain_line(subject, limit=40) if number == 0 else "", style="bold"),
                _claimed(record, in_full=is_alone),
                _measured(record),
                Text(record.verdict.value, style=VERDICT_STYLES[record.verdict]),
                end_section=number == len(shown) - 1,
            )
    if table.row_count:
        names = [r.claim.base_id for records in grouped.values() for r in records if not _is_not_asked(r)]
        share_width(table, console, named=1, beside=2, names=names)
        console.print(table)
    for subject, records in grouped.items():
        console.print(_in_one_line(evidence, subject, records), soft_wrap=True)


def print_conformance(evidence: Evidence, console: Console) -> None:
    """How many of the must-pass cases each subject passed, for every subject that was asked more than a few."""
    for counted in conformances(evidence):
        said = f"{plain_line(counted.title)} on {plain_line(counted.subject)}: {counted.in_short()}"
        console.print(Text(f"{said}.", style="green" if counted.conforms else ""), soft_wrap=True)
        for case in counted.waived:
            assert case.waiver is not None
            reason = plain_line(case.waiver.reason, limit=400)
            console.print(Text(f"  waived until {case.waiver.expires}: {plain_line(case.key)}: {reason}"))


def _is_not_asked(record: ClaimRecord) -> bool:
    """True for a claim of which the subject can be asked nothing, or whose subject is not here."""
    return _missing(record) in {"capability", "subject"}


def _claimed(record: ClaimRecord, *, in_full: bool) -> Text:
    """The claim by its id; with its sentence where there is room for it."""
    if not in_full:
        return Text(plain_line(record.claim.base_id))
    return Text(plain_line(record.claim.spoken())).append(f"\n{plain_line(record.claim.base_id)}", style="dim")


def _measured(record: ClaimRecord) -> Text:
    text = Text(plain_line(record.measured or "not measured"))
    if record.verdict is not Verdict.PASS:
        text.append(f"\n{plain_line(record.reason, limit=_REASON_SHOWN)}", style="dim")
    return text


def _in_one_line(evidence: Evidence, subject: str, records: Sequence[ClaimRecord]) -> Text:
    version = plain_line(evidence.version_of(subject), limit=40)
    text = Text(f"{plain_line(subject)} {version}".strip(), style="bold")
    if all(record.verdict is Verdict.NOT_APPLICABLE for record in records):
        absent = next((r for r in records if _missing(r) == "subject"), records[0])
        return text.append(f": {plain_line(absent.reason, limit=300)}", style="not bold dim")
    verdicts = [record.verdict for record in records if not _is_not_asked(record)]
    counts = ", ".join(f"{verdicts.count(v)} {v.value}" for v in Verdict if v in verdicts)
    not_asked = len(records) - len(verdicts)
    text.append(f": {counts or 'nothing could be asked'}", style="not bold")
    if not_asked:
        text.append(f"; {not_asked} it cannot be asked", style="not bold dim")
    return text


def _missing(record: ClaimRecord) -> str:
    measurement = record.measurement
    return measurement.missing.partition(":")[0] if isinstance(measurement, UnavailableMeasurement) else ""
