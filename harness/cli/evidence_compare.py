"""`nesproof evidence compare`: several runs of the same claims, and whether they agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.cli.evidence_sources import load_evidence
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.evidence.reproductions import Reproductions, RunSource, reproductions
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.reports.views.reproductions import AnswerRow, ReproductionTable

__all__ = ["command"]

_STYLES = {"agree": "green", "DIFFER": "bold red", "one run": "dim"}
_MOST = 200


def command(
    names: Annotated[
        list[str], typer.Argument(metavar="EVIDENCE...", help="Bundles (folder, name in the store) or documents.")
    ],
    where: Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the store).")] = None,
    json: Annotated[
        str | None, typer.Option(help="Write the comparison as JSON to this file, or - for stdout.")
    ] = None,
    csv: Annotated[str | None, typer.Option(help="Write it as CSV to this file, or - for stdout.")] = None,
) -> None:
    """Hold runs against each other: claim by claim and machine by machine, how many hold and whether they agree.

    Ratios agree where their intervals overlap, anything else where the verdicts are equal; absolute figures are
    compared on one machine alone. Exit code: 0 all agree, 1 some differ, 6 nothing was answered twice.
    """
    from nesproof.harness.cli.output_target import require_target

    for target in (json, csv):
        require_target(target)
    if json == "-" and csv == "-":
        raise ConfigurationError("Only one of --json and --csv can go to stdout; name a file for the other.")
    found = reproductions(_sources(names, where))
    _require_two(found, names)
    if "-" not in (json, csv):
        _print(found, table_console())
    _write(found, json, csv)
    if not found.compared:
        raise typer.Exit(int(ExitCode.NOT_MEASURED))
    if found.differing:
        raise typer.Exit(int(ExitCode.FAIL))


def _sources(names: list[str], where: Path | None) -> list[RunSource]:
    from nesproof.harness.cli.evidence_consistency import consistency

    if len(names) > _MOST:
        raise ConfigurationError(f"At most {_MOST} runs can be compared at once; name fewer.")
    known: dict[str, str] = {}
    sources = []
    for name in names:
        loaded = load_evidence(name, where)
        if loaded.sha256 in known:
            twin = known[loaded.sha256]
            typer.echo(f"Note: {plain_line(name, limit=200)} is {twin} once more; it counts once.", err=True)
            continue
        if consistency(loaded.evidence).contradictions:
            typer.echo(f"Note: the verdicts of {loaded.label} do not follow from its samples.", err=True)
        known[loaded.sha256] = loaded.label
        sources.append(RunSource(loaded.label, loaded.evidence))
    return sources


def _require_two(found: Reproductions, names: list[str]) -> None:
    if len(found.runs) < 2:
        given = "one was given" if len(names) == 1 else "all that were given are one"
        raise ConfigurationError(f"Two runs at least are held against each other, and {given}.")


def _write(found: Reproductions, json: str | None, csv: str | None) -> None:
    from nesproof.harness.cli.output_target import write_target
    from nesproof.reports.reproductions import reproductions_csv, reproductions_json

    for target, make in ((json, reproductions_json), (csv, reproductions_csv)):
        if target is not None:
            write_target(target, make(found))


def _print(found: Reproductions, console: Console) -> None:
    from nesproof.reports.views.reproductions import reproduction_table

    shown = reproduction_table(found)
    console.print(_runs(shown))
    table = Table(expand=False)
    table.add_column("Claim", no_wrap=True, overflow="fold")
    table.add_column("Hold", justify="right")
    table.add_column("Runs, oldest first", overflow="fold")
    table.add_column("Together")
    for row in shown.rows:
        name = row.claim if row.variant == 1 else f"{row.claim} (measured otherwise, {row.variant})"
        for cell in row.cells:
            place = "" if len(found.machines) == 1 else f"\non {plain_line(cell.machine)}"
            answers = "\n".join(_in_short(cell.answers))
            together = Text(cell.agreement, style=_STYLES[cell.agreement])
            table.add_row(Text(plain_line(name) + place), Text(cell.held), Text(answers), together)
        if len(row.cells) > 1:
            together = Text(row.agreement, style=_STYLES[row.agreement])
            table.add_row(Text(f"{plain_line(name)}\non all machines"), Text(row.held), Text(""), together)
    console.print(table)
    console.print(Text(plain_line(shown.headline), style="bold"))


def _runs(shown: ReproductionTable) -> Table:
    table = Table(expand=False)
    for name in ("Run", "When", "Machine", "Commit", "Remarks"):
        table.add_column(name, overflow="fold")
    for run in shown.runs:
        remarks = ", ".join(run.marks) + ("" if run.counts else " (not counted)")
        cells = (run.label, run.created, run.machine, (run.commit or "not recorded")[:12], remarks)
        table.add_row(*(Text(plain_line(cell)) for cell in cells))
    return table


def _in_short(answers: tuple[AnswerRow, ...]) -> list[str]:
    """One line an answer; where all say the very same, one line for all of them."""
    if len(answers) > 1 and len({(a.verdict, a.measured, a.marks) for a in answers}) == 1:
        return [f"all {len(answers)} {_said(answers[0])}"]
    return [f"{answer.run[:8]} {_said(answer)}" for answer in answers]


def _said(answer: AnswerRow) -> str:
    remark = "" if answer.counts else f" (not counted: {', '.join(answer.marks)})"
    return plain_line(f"{answer.verdict_word}: {answer.measured}{remark}")
