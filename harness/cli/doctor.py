"""`nesproof doctor`: what this machine has for nesproof and what it lacks, each lack with one command that mends it."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.diagnosis import Finding, diagnose
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.plain_text import plain_line

__all__ = ["command"]

_MARKS = {"ok": "ok", "missing": "missing", "broken": "BROKEN", "note": "-"}


def command(
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout instead of a table.")] = False,
    subject_file: SubjectFile = None,
) -> None:
    """Look at this machine: Python, compilers, tools, disk, GPU, ROMs, and for each subject what it needs.

    Exit code 0 where `nesproof verify` can run, however little it would measure; 5 where something is broken.
    """
    use_subject_files(subject_file)
    findings = list(diagnose())
    if as_json:
        print(json.dumps([dataclasses.asdict(f) for f in findings], indent=2))
    else:
        _print(findings)
    if any(f.state == "broken" for f in findings):
        raise typer.Exit(5)


def _print(findings: list[Finding]) -> None:
    console = table_console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "what", "found"):
        table.add_column(column, overflow="fold")
    for finding in findings:
        style = {"missing": "yellow", "broken": "red bold"}.get(finding.state, "")
        table.add_row(
            Text(_MARKS[finding.state], style=style), plain_line(finding.topic), Text(plain_line(finding.found))
        )
    console.print(table)
    remedies = [f for f in findings if f.remedy]
    if remedies:
        console.print(Text("\nWhat is missing, and the command that mends it:"))
        for finding in remedies:
            console.print(Text(f"  {plain_line(finding.topic)}: {plain_line(finding.remedy or '')}"), soft_wrap=True)
