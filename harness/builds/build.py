"""Carrying a recipe out: once for each key, whoever asks first; a build that did not end well leaves nothing behind."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.builds.recipe import BuildToolsMissing, Recipe, source_files
from nesproof.harness.claims.verdict import ExitCode
from nesproof.harness.errors import HarnessError
from nesproof.harness.home import nesproof_home
from nesproof.harness.subjects.file_lock import held_lock

__all__ = ["BuildFailed", "Built", "build_emulator", "builds_folder"]

_TAIL_LINES = 30


class BuildFailed(HarnessError):
    """The compiler or the build system refused; `tail` is the end of what they said."""

    exit_code = ExitCode.ERROR

    def __init__(self, what: str, tail: str) -> None:
        super().__init__(f"The build of {what} failed:\n{tail}")
        self.what, self.tail = what, tail


@dataclass(frozen=True)
class Built:
    """A build: `folder` holds `emulator/`, compiled, and goes where subjects' `emulator` or NESPROOF_EMULATOR go."""

    folder: Path
    key: str
    was_cached: bool


def builds_folder() -> Path:
    """Where builds are kept."""
    return nesproof_home() / "builds"


def build_emulator(recipe: Recipe, *, what: str, note: Callable[[str], None] = lambda _: None) -> Built:
    """The build of this recipe, from the cache or made now; `note` hears sentences of progress.

    Raises:
        BuildFailed: it did not compile; `what` names it.
        BuildToolsMissing: CMake, Ninja or pybind11 is absent.
        OSError: no space, or the folder cannot be written.
    """
    folder = builds_folder() / recipe.key
    with held_lock(
        builds_folder() / f"{recipe.key}.lock", waiting=lambda: note(f"Waiting for another build of {what}.")
    ):
        if (folder / "emulator").is_dir():
            os.utime(folder)
            return Built(folder, recipe.key, True)
        note(f"Building {what} (about a minute).")
        with tempfile.TemporaryDirectory(prefix="build-", dir=builds_folder()) as temporary:
            _make(recipe, Path(temporary), what)
            (Path(temporary) / "out").rename(folder)
    return Built(folder, recipe.key, False)


def _make(recipe: Recipe, place: Path, what: str) -> None:
    out, build = place / "out", place / "build"
    for path in source_files(recipe.sources):
        copy = out / "emulator" / path.relative_to(recipe.sources)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    cmake = _tool("cmake")
    configure = [
        cmake, "-S", str(out / "emulator"), "-B", str(build), "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}", f"-DCMAKE_CXX_COMPILER={recipe.compiler}",
        f"-DPython_EXECUTABLE={sys.executable}", f"-Dpybind11_DIR={_pybind11()}",
        f"-DNESPROOF_FAULTS={'ON' if recipe.faults else 'OFF'}",
    ]  # fmt: skip
    for command in (
        configure,
        [cmake, "--build", str(build)],
        [cmake, "--install", str(build), "--prefix", str(place)],
    ):
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True
        )
        if ended.returncode:
            raise BuildFailed(what, "\n".join(ended.stdout.splitlines()[-_TAIL_LINES:]))
    for compiled in (place / "nesproof" / "emulator").iterdir():
        compiled.rename(out / "emulator" / compiled.name)


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.is_file() else shutil.which(name)
    if found is None:
        raise BuildToolsMissing(name, remedy=f"pip install {name}")
    return found


def _pybind11() -> str:
    spec = importlib.util.find_spec("pybind11")
    if spec is None or spec.origin is None:
        raise BuildToolsMissing("pybind11", remedy="pip install pybind11")
    return str(Path(spec.origin).parent / "share" / "cmake" / "pybind11")
