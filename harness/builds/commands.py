"""Builds by a project's own commands."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from nesproof.harness.builds.cache import BuildFailed, build_environment, still_building
from nesproof.harness.builds.isolation import Limits, run_limited
from nesproof.harness.builds.recipe import VERSION, python_abi, version_of
from nesproof.harness.evidence.capture import usable_cores

__all__ = ["commands_key", "run_commands"]

_COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "rustc", "go", "zig")


def commands_key(sources_key: str, commands: Sequence[Sequence[str]]) -> str:
    """The key of what these commands make: the sources, the commands, every compiler that they could find and its
    version, and the Python that they could build for.
    """
    compilers = {name: version_of(path) for name in _COMPILERS if (path := shutil.which(name))}
    parts = [VERSION, sources_key, [list(command) for command in commands], compilers, python_abi()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:40]


def run_commands(
    commands: Sequence[Sequence[str]],
    *,
    sources: Path,
    out: Path,
    what: str,
    limits: Limits,
    note: Callable[[str], None] = lambda _: None,
) -> None:
    """Run the commands in the folder of the sources, one after the other. `note` hears sentences of progress.

    Raises:
        BuildFailed: one did not end well, or nothing lies in `out` afterwards.
    """
    stands_for = {"{out}": str(out), "{python}": sys.executable, "{jobs}": str(usable_cores())}
    for command in commands:
        words = [_filled(word, stands_for) for word in command]
        ended = run_limited(
            words,
            cwd=sources,
            environment=build_environment(),
            limits=limits,
            place=out.parent,
            on_beat=lambda elapsed_s: note(still_building(what, elapsed_s)),
        )
        if not ended.well:
            raise BuildFailed(what, f"{ended.tail}\n({command[0]}: {ended.in_words(limits)})")
    if out.is_dir() and not any(out.iterdir()):
        raise BuildFailed(what, "Its commands ended well and left nothing in {out}.")


def _filled(word: str, stands_for: dict[str, str]) -> str:
    for name, value in stands_for.items():
        word = word.replace(name, value)
    return word
