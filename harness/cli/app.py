"""`nesproof`: the command line's front door. Each command lives in the file of its name beside this one."""

from __future__ import annotations

import importlib
from typing import Annotated

import typer

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

for _name, _module in {
    "verify": "verify",
    "claims": "claims",
    "evidence": "evidence",
    "subjects": "subjects",
    "doctor": "doctor",
    "roms": "roms",
    "run": "run",
}.items():
    try:
        _part = importlib.import_module(f"nesproof.harness.cli.{_module}")
    except ModuleNotFoundError:
        continue
    if hasattr(_part, "app"):
        app.add_typer(_part.app, name=_name)
    else:
        app.command(_name)(_part.command)


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
