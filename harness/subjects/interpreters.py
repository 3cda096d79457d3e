"""Which Python on this machine can carry a peer's environment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.subjects.environment import worker_environment

__all__ = ["Interpreter", "NoInterpreter", "choose_interpreter", "install_python_command", "interpreters"]

PROBE_S = 20.0
PROBE = """
import importlib.util, json, platform, sys
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "implementation": platform.python_implementation(),
    "base": getattr(sys, "_base_executable", None) or sys.executable,
    "has_venv": all(importlib.util.find_spec(m) is not None for m in ("venv", "ensurepip")),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """One Python. `path` is the base interpreter: a virtual environment made from another one would hang on it."""

    path: Path
    version: tuple[int, int, int]
    implementation: str
    has_venv: bool

    def __str__(self) -> str:
        missing = "" if self.has_venv else ", without venv"
        return f"{'.'.join(map(str, self.version))} ({self.path}{missing})"


class NoInterpreter(Exception):
    """None fits; `str()` is a clause that says what is needed and what was found."""


def interpreters() -> list[Interpreter]:
    """Every Python found, each once: the running one first, then those on PATH and where version managers keep them."""
    found: dict[Path, Interpreter] = {}
    for candidate in _candidates():
        probed = _probe(candidate)
        if probed is not None and probed.path not in found:
            found[probed.path] = probed
    return list(found.values())


def choose_interpreter(bounds: tuple[str, str], among: Iterable[Interpreter] | None = None) -> Interpreter:
    """The Python to make an environment with: the running one where it fits, else the newest that does.

    `bounds` are the oldest and the newest fitting minor version, such as ("3.10", "3.12").

    Raises:
        NoInterpreter: none fits.
    """
    oldest, newest = (minor_version(b) for b in bounds)

    def fits(python: Interpreter) -> bool:
        return oldest <= python.version[:2] <= newest and python.implementation == "CPython" and python.has_venv

    running = _probe(next(_candidates())) if among is None else None
    if running is not None and fits(running):
        return running
    seen = interpreters() if among is None else list(among)
    fitting = [python for python in seen if fits(python)]
    if not fitting:
        listed = ", ".join(map(str, seen)) or "none"
        raise NoInterpreter(
            f"it needs CPython {bounds[0]} to {bounds[1]} with the venv module, and found are: {listed}"
        )
    running_path = _running_path().resolve()
    return max(fitting, key=lambda python: (python.path == running_path, python.version))


def install_python_command(bounds: tuple[str, str]) -> str:
    """One command that brings a fitting Python with the package manager found here."""
    newest = bounds[1]
    commands = {
        "uv": f"uv python install {newest}",
        "pyenv": f"pyenv install {newest}",
        "brew": f"brew install python@{newest}",
        "conda": f"conda create --yes --prefix ~/python-{newest} python={newest}",
        "dnf": f"sudo dnf install python{newest}",
        "apt-get": f"sudo apt-get install --yes python{newest}-venv",
    }
    return next((c for program, c in commands.items() if shutil.which(program)), f"pip install uv && {commands['uv']}")


def minor_version(text: str) -> tuple[int, int]:
    """ "3.12" as (3, 12)."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _running_path() -> Path:
    return Path(getattr(sys, "_base_executable", None) or sys.executable)


def _candidates() -> Iterator[Path]:
    yield _running_path()
    named = re.compile(r"python(3(\.[0-9]+)?)?")
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        try:
            names = sorted(p for p in Path(folder).iterdir() if named.fullmatch(p.name)) if folder else []
        except OSError:
            continue
        yield from names
    home = Path.home()
    kept = [
        Path(os.environ.get("PYENV_ROOT", home / ".pyenv")).glob("versions/3.*/bin/python3"),
        Path(os.environ.get("UV_PYTHON_INSTALL_DIR", home / ".local/share/uv/python")).glob("cpython-3.*/bin/python3"),
        home.glob("python-3.*/bin/python3"),
    ]
    for paths in kept:
        yield from sorted(paths)


def _probe(path: Path) -> Interpreter | None:
    """Ask the interpreter itself; None where it does not answer (a version manager's shim without a version, say)."""
    try:
        run = subprocess.run(
            [str(path), "-I", "-c", PROBE],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=PROBE_S,
            check=False,
            env=worker_environment(scratch=str(Path.home())),
        )
        told = json.loads(run.stdout)
        major, minor, micro = told["version"]
        return Interpreter(
            Path(told["base"]).resolve(), (major, minor, micro), told["implementation"], told["has_venv"]
        )
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return None
