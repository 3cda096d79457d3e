"""`nesproof`: the command line's front door. Each command lives in the file of its name beside this one."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from nesproof.harness.cli.bisect_exit import exits_for_git
from nesproof.harness.cli.entry import left_at_once
from nesproof.harness.cli.faults import FaultMappingGroup, faults_mapped
from nesproof.harness.cli.streams import make_streams_usable
from nesproof.harness.errors import ConfigurationError

__all__ = ["COMMANDS", "MODULES", "app", "main"]

COMMANDS = {
    "verify": "Measure every claim on this machine, keep the evidence and write a report.",
    "compare": "Hold two subjects, or all of them, beside each other: how they play, then how fast.",
    "bisect": "Find the first commit that breaks a claim: ends proved, culprit confirmed.",
    "gate": "Compare two commits, claim by claim, by the older one's yardstick: what got worse, what did not.",
    "claims": "What is promised: list, show, validate, write and render claims.",
    "faults": "What is broken on purpose: list and show the faults that `verify --falsify` plants.",
    "submission": "Somebody's bundle held to a list of must-pass cases: what may be said of its emulator.",
    "evidence": "What was measured: list, show, verify, compare, export and publish evidence.",
    "publish": "Build a static site from evidence: claims over time, scaling, peers, conformance, badges.",
    "subjects": "Subjects: the emulators under test. List them, install one, try out what one declares.",
    "doctor": "Look at this machine: Python, compilers, tools, disk, GPU, ROMs, and for each subject what it needs.",
    "roms": "Test ROMs: list them, look at one, check the files at hand, fetch those that are missing.",
    "kernel": "The GPU's kernels without a GPU: compile them and look at their figures.",
    "judge": "The judge on trial: its error rates by simulation, and the planted cases whose verdicts are known.",
    "run": "Run a ROM without a screen and print where it ends: frames, RAM hash, state digest.",
}
"""The commands and what each is for. A command's module has a function `command`, or commands of its own in `app`."""

MODULES = {"faults": "planted_faults"}
"""Commands whose module has another name than they have."""


class _CommandLine(FaultMappingGroup):
    """Imports a command when it is called for, so that `nesproof --help` need not wait for all of them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = _loaded(args[0])
        return super().resolve_command(ctx, args)


def _loaded(name: str) -> Any:
    with left_at_once():
        module = import_module(f"nesproof.harness.cli.{MODULES.get(name, name)}")
    if hasattr(module, "app"):
        group = typer.main.get_command(module.app)
        group.help = COMMANDS[name]
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name)(module.command)
    return typer.main.get_command(alone)


app = typer.Typer(
    name="nesproof",
    help="A conformance harness for NES emulators: every promise measured here, and the evidence kept.",
    cls=_CommandLine,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 pass, 1 a claim failed, 2 usage or configuration, 3 inconclusive, 4 a falsifier survived, "
    "5 error, 6 nothing measured, 130 interrupted.",
)


def _stands_in() -> None:
    raise AssertionError("a command is loaded before it is run")


for _name, _purpose in COMMANDS.items():
    app.command(_name, help=_purpose)(_stands_in)


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
    make_streams_usable()
    # Around the command group too: options such as --version and --help answer before any command is called.
    with exits_for_git(sys.argv[1:]), faults_mapped():
        if sys.flags.optimize > 1:
            raise ConfigurationError(
                "Python runs without docstrings (-OO or PYTHONOPTIMIZE=2), which the plots' library needs; "
                "run nesproof without that."
            )
        app()
