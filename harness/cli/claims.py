"""`nesproof claims`: what is promised, as data, and in the sentences of Markdown files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.cli.new_claim import new_claim
from nesproof.harness.cli.subject_files import SubjectFile, use_subject_files
from nesproof.harness.counting import counted
from nesproof.harness.errors import ConfigurationError
from nesproof.harness.faults.registry import fault_catalogue
from nesproof.harness.plain_text import plain_line, plain_text

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

app.command("new")(new_claim)

ClaimFiles = Annotated[list[Path] | None, typer.Option("--claims", help="A further claims file or folder.")]


@app.command("list")
def list_claims(
    claims: ClaimFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array on stdout.")] = False,
) -> None:
    """List every claim."""
    registry = load_claims(claims or ())
    if as_json:
        typer.echo(json.dumps([claim.model_dump(mode="json") for claim in registry.values()], indent=1))
        return
    table = Table(show_lines=True)
    table.add_column("Claim", no_wrap=True, overflow="fold")  # to be typed after other commands
    table.add_column("Says", overflow="fold")
    for claim in registry.values():
        says = Text(plain_line(claim.spoken()))
        says.append(f"\n{claim.kind}; {', '.join(claim.profiles)}", style="dim")
        if claim.is_unproven:
            says.append("; UNPROVEN", style="dim")
        table.add_row(Text(claim.id), says)
    table_console().print(table)


@app.command()
def show(claim_id: str, claims: ClaimFiles = None) -> None:
    """Show one claim whole: what it says, how it is measured, what it needs and what would break it."""
    registry = load_claims(claims or ())
    if claim_id not in registry:
        raise ConfigurationError(f"There is no claim {claim_id!r}; `nesproof claims list` lists them.")
    claim = registry[claim_id]
    typer.echo(plain_text(claim.spoken()))
    typer.echo()
    for key, value in claim.model_dump(mode="json", exclude={"id", "sentence"}, exclude_none=True).items():
        typer.echo(plain_text(f"{key + ':':<15}{_in_words(value)}"))
    for fault_id in claim.killed_by:
        fault = fault_catalogue().get(fault_id)
        sentence = "there is no such fault" if fault is None else fault.sentence
        typer.echo(plain_text(f"{'':<15}{fault_id}: {sentence}"))
    typer.echo(f"{'file:':<15}{plain_line(registry.origin(claim_id))}")
    typer.echo(f"{'proven:':<15}{'no: no fault is named that must make it fail' if claim.is_unproven else 'yes'}")
    profile = "" if "quick" in claim.profiles else " --profile full"
    typer.echo(f"{'measure:':<15}nesproof verify{profile} --claim {claim.id}")


def _in_words(value: Any) -> str:
    """A field's value as a person writes it: `draw=none, num_envs=1`; a dash for nothing."""
    if isinstance(value, dict):
        return ", ".join(f"{name}={_in_words(part)}" for name, part in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(_in_words, value)) or "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


@app.command()
def validate(claims: ClaimFiles = None, subject_file: SubjectFile = None) -> None:
    """Check every claim: schema, suites, cases, workloads, subjects, requirements and faults that it names."""
    from nesproof.harness.runner.validation import faults_of

    use_subject_files(subject_file)
    registry = load_claims(claims or ())
    faults = faults_of(registry)
    for fault in faults:
        typer.echo(plain_line(fault), err=True)
    if faults:
        raise ConfigurationError(f"{counted(len(faults), 'fault')} in {counted(len(registry), 'claim')}.")
    typer.echo(f"{counted(len(registry), 'claim')} valid.")


@app.command()
def render(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Markdown files with marked places.")],
    claims: ClaimFiles = None,
    evidence: Annotated[
        list[Path] | None,
        typer.Option("--evidence", help="A folder of published documents (default: those that nesproof ships)."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 where a place says something else.")
    ] = False,
    every_number: Annotated[
        bool, typer.Option("--every-number", help="Exit code 1 where a number of the prose is in no marked place.")
    ] = False,
) -> None:
    """Render the marked places of Markdown files: sentences, promised numbers, and what was measured of them."""
    from nesproof.harness.cli.render_claims import render_files

    render_files(files, load_claims(claims or ()), evidence=evidence or (), check=check, every_number=every_number)
