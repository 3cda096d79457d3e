"""`nesproof evidence matrix`: subjects beside tests, from one bundle or several, as a table or as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.plain_text import plain_line

if TYPE_CHECKING:
    from nesproof.reports.views.conformance_parts import Column, ConformanceMatrix, Total

__all__ = ["command"]


def command(
    bundles: Annotated[list[str], typer.Argument(help="Bundles or published documents.")],
    where: Annotated[Path | None, typer.Option("--in", help="Folder of bundles (default: the evidence store).")] = None,
    csv: Annotated[str | None, typer.Option(help="Write the matrix as CSV to this file, or - for stdout.")] = None,
    long: Annotated[
        bool, typer.Option("--long", help="With --csv: one row a subject and case, with its first failing line.")
    ] = False,
) -> None:
    """Set subjects beside tests: how each case of each suite went on each subject."""
    from nesproof.harness.cli.evidence_sources import load_evidence
    from nesproof.harness.cli.output_target import require_target, write_target
    from nesproof.reports.conformance import conformance_csv, conformance_long_csv
    from nesproof.reports.plain_text import plain_evidence
    from nesproof.reports.views.conformance import conformance_matrix

    if long and csv is None:
        raise ConfigurationError("--long is about the file that --csv writes; give that too.")
    require_target(csv)
    documents = [plain_evidence(load_evidence(name, where).evidence) for name in bundles]
    found = conformance_matrix(documents, least_columns=1)
    if found is None:
        raise ConfigurationError(
            "No suite was run in these bundles, so that there is nothing to set side by side; name some of "
            "`nesproof verify`."
        )
    if csv is None:
        _print(conformance_matrix(documents) or found)
        return
    write_target(csv, (conformance_long_csv if long else conformance_csv)(found))


def _print(found: ConformanceMatrix) -> None:
    table = Table(expand=False)
    table.add_column("Subject", overflow="fold", min_width=14)
    if found.list_title is not None:
        table.add_column(Text(plain_line(found.list_title)), justify="right")
    for group in found.groups:
        table.add_column(Text(plain_line(group.suite)), justify="right", overflow="fold")
    for number, column in enumerate(found.columns):
        listed = [] if found.list_title is None else [_listed(column)]
        totals = (_total(group.totals[number]) for group in found.groups)
        table.add_row(Text(plain_line(column.label, limit=80)), *listed, *totals)
    console = table_console()
    console.print(table)
    console.print(Text("Passed of those it was asked; in brackets, what it cannot be asked.", style="dim"))
    for absent in found.absent:
        console.print(Text(f"{plain_line(absent.subject)}: {plain_line(absent.reason)}"), soft_wrap=True)


def _total(total: Total) -> Text:
    if total.is_empty:
        return Text("-", style="dim")
    text = Text(f"{total.passed}/{total.asked}", style="green" if total.passed == total.asked else "")
    return text.append(f" ({total.cannot_run})", style="dim") if total.cannot_run else text


def _listed(column: Column) -> Text:
    if column.listed is None:
        return Text("-", style="dim")
    counts = column.listed.counts()
    text = Text(f"{column.listed.passed}/{len(column.listed.cases)}", style="bold")
    return text.append(f" ({counts['cannot-run']})", style="dim") if counts["cannot-run"] else text
