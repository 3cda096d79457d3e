"""`nesproof subjects`: which emulators can be tested here, installing them, and trying out what they declare."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.stderr import say
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.cli.subject_installs import install_several, names_to_install
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError, HarnessError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.check import check_subject
from nesproof.harness.subjects.check_program import CheckProgram, program_for
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.errors import SubjectUnavailable
from nesproof.harness.subjects.registry import ALL_SUBJECTS, find_subject, subject_definitions
from nesproof.harness.subjects.replies import CAPABILITIES
from nesproof.harness.subjects.status import subject_status
from nesproof.roms_manifest import Resolver
from nesproof.roms_manifest.errors import RomError

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command("list")
def list_subjects(
    subject_file: SubjectFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout instead of a table.")] = False,
) -> None:
    """List every subject, whether it can be started here, and what it can and cannot do."""
    use_subject_files(subject_file)
    rows: list[dict[str, Any]] = []
    for definition in subject_definitions().values():
        status = subject_status(definition.name)
        rows.append(
            {
                "name": definition.name,
                "title": definition.title,
                "available": status.available,
                "reason": status.reason,
                "remedy": status.remedy,
                "capabilities": list(definition.capabilities),
                "draws": definition.draws,
                "cannot": definition.cannot,
                "only_program": definition.only_program,
                "defined_in": "nesproof" if definition.is_ours else str(definition.defined_in),
            }
        )
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("subject", no_wrap=True)  # to be typed after other commands
    for heading in ("ready", "what it is", "can"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(
            *(Text(plain_line(c)) for c in (row["name"], "yes" if row["available"] else "no", row["title"], _can(row)))
        )
    console = table_console(highlight=False)
    console.print(table)
    for row in rows:
        if not row["available"]:
            remedy = f" Remedy: {row['remedy']}" if row["remedy"] else ""
            console.print(Text(plain_line(f"{row['reason']}{remedy}")), soft_wrap=True)


@app.command()
def install(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help=f"Subjects to install; {ALL_SUBJECTS!r} for each one.")
    ],
    again: Annotated[bool, typer.Option("--again", help="Make it anew even if what is there works.")] = False,
) -> None:
    """Make subjects' own environments from pinned requirements; one that is there and works is left alone.

    One that cannot be made does not keep the others from being made; the worst exit code stands in the end.
    """
    install_several(names_to_install(names), again=again)


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Subjects; every available one.")
    ] = None,
    subject_file: SubjectFile = None,
    timeout: Annotated[float, typer.Option(min=1, max=3600, help="Seconds that one answer may take.")] = 60,
) -> None:
    """Start subjects and exercise once everything that they declare; exit code 5 where something fails or breaks."""
    use_subject_files(subject_file)
    known = list(subject_definitions())
    chosen = names or [n for n in known if subject_status(n).available]
    if not chosen:
        raise SubjectUnavailable("No subject is available here.", remedy="nesproof subjects list")
    console = table_console(highlight=False)
    failures: list[str] = []
    for name in chosen:
        say(f"{name}: starting")
        try:
            failed = _check_one(console, name, program_for(find_subject(name)), timeout)
        except (ConfigurationError, RomError) as fault:
            if len(chosen) == 1:
                raise
            console.print(Text(f"  not tried: {plain_line(str(fault), limit=1_000)}"), soft_wrap=True)
            failed = []
        except HarnessError as fault:
            if len(chosen) == 1:
                raise
            console.print(Text(f"  BROKE  {plain_line(str(fault), limit=1_000)}"), soft_wrap=True)
            failed = ["as a whole"]
        failures += [f"{name} {what}" for what in failed]
    if failures:
        raise _ChecksFailed(f"{counted(len(failures), 'check')} failed: {', '.join(failures)}.")


class _ChecksFailed(HarnessError):
    """A subject does not do what it declares."""

    exit_code = 5


def _check_one(console: Console, name: str, program: CheckProgram, timeout_s: float) -> list[str]:
    """The checks that failed, each printed as it comes."""
    failed = []
    rom = Resolver().read(program.rom)
    with open_subject(name, timeout_s=timeout_s) as subject:
        python = f", Python {subject.info.python}" if subject.info.python else ""
        console.print(Text(plain_line(f"{name}: {subject.version}{python}, on {program.rom}")))
        for result in check_subject(subject, rom, program):
            mark = "ok    " if result.passed else "FAILED"
            shown = plain_line(result.shown, limit=300)
            console.print(Text(f"  {mark} {plain_line(result.capability):<15} {shown}"), soft_wrap=True)
            if not result.passed:
                failed.append(result.capability)
        boards = ", ".join(_boards(subject.capabilities)) or "none declared"
        console.print(Text(f"  boards (mapper numbers): {boards}"), soft_wrap=True)
        lacking = [c for c in CAPABILITIES if c not in subject.capabilities]
        console.print(Text(f"  cannot: {', '.join(lacking) or 'nothing that the protocol knows'}"), soft_wrap=True)
    return failed


def _can(row: dict[str, Any]) -> str:
    """What it can, its boards as numbers alone."""
    boards = _boards(row["capabilities"])
    words = [c for c in row["capabilities"] if not c.startswith("mapper:")]
    if boards:
        words.append(f"mapper {', '.join(boards)}")
    return ", ".join(words) or "(says so when it starts)"


def _boards(capabilities: Iterable[str]) -> list[str]:
    """The declared boards as mapper numbers, "4.1" for a variant, in their order."""
    numbers = (c.removeprefix("mapper:") for c in capabilities if c.startswith("mapper:"))
    return sorted(numbers, key=lambda number: tuple(map(int, number.split("."))))
