"""`nesproof subjects`: which emulators can be tested here, installing one, and trying out what it declares."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nesproof.harness.cli.stderr import say
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.counting import counted
from nesproof.harness.errors import HarnessError
from nesproof.harness.plain_text import plain_line
from nesproof.harness.subjects.check import CHECK_ROM, check_subject
from nesproof.harness.subjects.client import open_subject
from nesproof.harness.subjects.errors import SubjectUnavailable
from nesproof.harness.subjects.install import install_subject
from nesproof.harness.subjects.registry import subject_definitions
from nesproof.harness.subjects.replies import CAPABILITIES
from nesproof.harness.subjects.status import subject_status
from nesproof.roms_manifest import Resolver

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
                "defined_in": "nesproof" if definition.is_ours else str(definition.defined_in),
            }
        )
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    table = Table("subject", "ready", "what it is", "can", box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(
            *(Text(plain_line(c)) for c in (row["name"], "yes" if row["available"] else "no", row["title"], _can(row)))
        )
    console = Console(highlight=False, soft_wrap=False)
    console.print(table)
    for row in rows:
        if not row["available"]:
            remedy = f" Remedy: {row['remedy']}" if row["remedy"] else ""
            console.print(Text(plain_line(f"{row['reason']}{remedy}")), soft_wrap=True)


@app.command()
def install(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Subjects to install.")],
    again: Annotated[bool, typer.Option("--again", help="Make it anew even if what is there works.")] = False,
) -> None:
    """Make a subject's own environment from pinned requirements; one that is there and works is left alone."""
    for name in names:
        made = install_subject(name, progress=lambda step, name=name: say(f"{name}: {step}"), again=again)  # type: ignore[misc]
        print(f"{name}: {'installed' if made else 'already installed'}.")


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Subjects; every available one.")
    ] = None,
    subject_file: SubjectFile = None,
    timeout: Annotated[float, typer.Option(min=1, max=3600, help="Seconds that one answer may take.")] = 60,
) -> None:
    """Start a subject and exercise once everything that it declares; exit code 5 where something fails."""
    use_subject_files(subject_file)
    known = list(subject_definitions())
    chosen = names or [n for n in known if subject_status(n).available]
    if not chosen:
        raise SubjectUnavailable("No subject is available here.", remedy="nesproof subjects list")
    rom = Resolver().read(CHECK_ROM)
    console = Console(highlight=False)
    failures: list[str] = []
    for name in chosen:
        say(f"{name}: starting")
        failures += [f"{name} {what}" for what in _check_one(console, name, rom, timeout)]
    if failures:
        raise _ChecksFailed(f"{counted(len(failures), 'check')} failed: {', '.join(failures)}.")


class _ChecksFailed(HarnessError):
    """A subject does not do what it declares."""

    exit_code = 5


def _check_one(console: Console, name: str, rom: bytes, timeout_s: float) -> list[str]:
    failed = []
    with open_subject(name, timeout_s=timeout_s) as subject:
        python = f", Python {subject.info.python}" if subject.info.python else ""
        console.print(Text(plain_line(f"{name}: {subject.version}{python}, on {CHECK_ROM}")))
        for result in check_subject(subject, rom):
            mark = "ok    " if result.passed else "FAILED"
            shown = plain_line(result.shown, limit=300)
            console.print(Text(f"  {mark} {plain_line(result.capability):<15} {shown}"), soft_wrap=True)
            if not result.passed:
                failed.append(result.capability)
        boards = sorted(c.removeprefix("mapper:") for c in subject.capabilities if c.startswith("mapper:"))
        console.print(Text(f"  boards (mapper numbers): {', '.join(boards) or 'none declared'}"), soft_wrap=True)
        lacking = [c for c in CAPABILITIES if c not in subject.capabilities]
        console.print(Text(f"  cannot: {', '.join(lacking) or 'nothing that the protocol knows'}"), soft_wrap=True)
    return failed


def _can(row: dict[str, Any]) -> str:
    return ", ".join(row["capabilities"]) or "(says so when it starts)"
