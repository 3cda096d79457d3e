"""The command line's front door: quick, and in agreement with the commands behind it."""

import errno
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nesproof.harness.cli.app import COMMANDS, MODULES, app
from nesproof.harness.cli.faults import sentence_for


@pytest.mark.parametrize("name", COMMANDS)
def test_the_purpose_of_a_command_stands_in_its_own_help_too(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    assert shown.exit_code == 0
    assert f"nesproof {name}" in shown.output
    assert COMMANDS[name] in " ".join(shown.output.split())


def test_every_command_module_is_behind_the_front_door() -> None:
    from nesproof.harness import cli

    modules = {p.stem for p in Path(cli.__path__[0]).glob("*.py")}
    commands = {name for name in modules - {"app", "__init__", "__main__"} if _is_a_command(name)}
    below = {name for name in commands if name.partition("_")[0] in COMMANDS and name not in MODULES.values()}
    below -= set(COMMANDS)
    assert commands - below == {MODULES.get(name, name) for name in COMMANDS}
    for name in below:
        group, _, command = name.partition("_")
        module = importlib.import_module(f"nesproof.harness.cli.{group}")
        assert command in getattr(typer.main.get_command(module.app), "commands", ()), name


def _is_a_command(name: str) -> bool:
    module = importlib.import_module(f"nesproof.harness.cli.{name}")
    return bool({"app", "command"} & set(module.__all__))


def test_help_waits_for_no_heavy_package() -> None:
    heavy = ("numpy", "pandas", "scipy", "psutil", "PIL", "altair", "requests", "pytest")
    look = (
        "import sys; from typer.testing import CliRunner; from nesproof.harness.cli.app import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EISDIR, "A folder stands where a file must be at x; remove it, or choose another folder."),
        (errno.ENOTDIR, "A file stands where a folder must be at x; remove it, or choose another folder."),
        (errno.ENOSPC, "There is no space left at x; free some, or choose another folder."),
    ],
)
def test_the_systems_faults_say_what_to_do(number: int, said: str) -> None:
    assert sentence_for(OSError(number, os.strerror(number), "x")) == said
