"""`nesproof faults`: what is broken on purpose, as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from nesproof.harness.claims.registry import load_claims
from nesproof.harness.cli.name_tables import table_console
from nesproof.harness.faults.registry import fault_catalogue, find_fault
from nesproof.harness.plain_text import plain_line

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False)

ClaimFiles = Annotated[list[Path] | None, typer.Option("--claims", help="A further claims file or folder.")]


@app.command("list")
def list_faults(
    claims: ClaimFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array on stdout.")] = False,
) -> None:
    """List every fault: where it is, how it is planted, and how many claims say that they fail with it."""
    named = _claims_by_fault(claims)
    if as_json:
        rows = [{**f.model_dump(mode="json"), "claims": named.get(f.id, [])} for f in fault_catalogue().values()]
        typer.echo(json.dumps(rows, indent=1))
        return
    table = Table(show_lines=True)
    table.add_column("Fault", no_wrap=True, overflow="fold")  # to be typed after other commands
    table.add_column("Claims", justify="right")
    table.add_column("What is wrong", overflow="fold")
    for fault in fault_catalogue().values():
        wrong = Text(plain_line(fault.sentence)).append(f"\n{fault.area}; planted by {fault.means}", style="dim")
        table.add_row(Text(fault.id), str(len(named.get(fault.id, []))), wrong)
    table_console().print(table)


@app.command()
def show(fault_id: str, claims: ClaimFiles = None) -> None:
    """Show one fault whole, with the claims that name it."""
    fault = find_fault(fault_id)
    typer.echo(plain_line(fault.sentence))
    typer.echo()
    typer.echo(f"{'area:':<14}{fault.area}")
    typer.echo(f"{'planted by:':<14}{fault.means}")
    for suite, cases in fault.shows_in.items():
        globs = (cases,) if isinstance(cases, str) else cases
        typer.echo(plain_line(f"{'shows in:':<14}{suite}: {', '.join(globs)}"))
    if fault.only_suite is not None:
        typer.echo(plain_line(f"{'only in suite:':<14} {fault.only_suite}"))
    for claim_id in _claims_by_fault(claims).get(fault.id, []):
        typer.echo(f"{'killed by:':<14}{claim_id}")
    typer.echo(f"{'try it:':<14}nesproof verify --falsify --fault {fault.id}")


def _claims_by_fault(files: list[Path] | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for claim in load_claims(files or ()).values():
        for fault_id in claim.killed_by:
            found.setdefault(fault_id, []).append(claim.id)
    return found
