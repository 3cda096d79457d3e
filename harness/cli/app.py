"""`nesproof`: the command line's front door. Each command lives in the file of its name beside this one."""

from __future__ import annotations

from typing import Annotated

import typer

from nesproof.harness.cli import claims, doctor, evidence, roms, run, subjects, verify
from nesproof.harness.cli.faults import FaultMappingGroup

__all__ = ["app", "main"]

app = typer.Typer(
    name="nesproof",
    help="A conformance harness for NES emulators: every promise measured here, and the evidence kept.",
    cls=FaultMappingGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 pass, 1 a claim failed, 2 usage or configuration, 3 inconclusive, 4 a falsifier survived, "
    "5 error, 6 nothing measured, 130 interrupted.",
)

app.command("verify")(verify.command)
app.add_typer(claims.app, name="claims")
app.add_typer(evidence.app, name="evidence")
app.add_typer(subjects.app, name="subjects")
app.command("doctor")(doctor.command)
app.add_typer(roms.app, name="roms")
app.command("run")(run.command)


def _print_version(asked: bool) -> None:
    if asked:
        from nesproof.harness.evidence.capture import installed_version

        typer.echo(f"nesproof {installed_version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line on `sys.argv`; leaves by `SystemExit` with the documented exit code."""
    app()
