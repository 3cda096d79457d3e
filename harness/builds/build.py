"""Builds of the emulator by its recipe: CMake and Ninja in a process with limits, into the cache."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from nesproof.harness.builds.cache import (
    BuildFailed,
    Built,
    build_environment,
    builds_folder,
    cached_build,
    still_building,
)
from nesproof.harness.builds.isolation import Limits, run_limited
from nesproof.harness.builds.recipe import BuildToolsMissing, Recipe, source_files
from nesproof.harness.evidence.capture import usable_cores

__all__ = ["BuildFailed", "Built", "build_emulator", "builds_folder"]


def build_emulator(
    recipe: Recipe, *, what: str, note: Callable[[str], None] = lambda _: None, limits: Limits | None = None
) -> Built:
    """The build of this recipe, from the cache or made now (about a minute); its folder holds `emulator/`, compiled,
    and goes where subjects' `emulator` or NESPROOF_EMULATOR go. `note` hears sentences of progress.

    Raises:
        BuildFailed: it did not compile; `what` names it.
        BuildToolsMissing: CMake, Ninja or pybind11 is absent.
        NoSpaceForBuild: the disk is full.
        OSError: the folder cannot be written.
    """

    def make(place: Path) -> None:
        _make(recipe, place, what, limits or Limits(), lambda elapsed_s: note(still_building(what, elapsed_s)))

    return cached_build(recipe.key, make, what=what, note=note)


def _make(recipe: Recipe, place: Path, what: str, limits: Limits, on_beat: Callable[[float], None]) -> None:
    emulator, build = place / "out" / "emulator", place / "build"
    for path in source_files(recipe.sources):
        copy = emulator / path.relative_to(recipe.sources)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    cmake = _tool("cmake")
    configure = [
        cmake, "-S", str(emulator), "-B", str(build), "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}", f"-DCMAKE_CXX_COMPILER={recipe.compiler}",
        f"-DPython_EXECUTABLE={sys.executable}", f"-Dpybind11_DIR={_pybind11()}",
        f"-DNESPROOF_FAULTS={'ON' if recipe.faults else 'OFF'}",
    ]  # fmt: skip
    for command in (
        configure,
        [cmake, "--build", str(build), "--parallel", str(usable_cores())],
        [cmake, "--install", str(build), "--prefix", str(place)],
    ):
        ended = run_limited(
            command, cwd=place, environment=build_environment(), limits=limits, place=place, on_beat=on_beat
        )
        if not ended.well:
            raise BuildFailed(what, f"{ended.tail}\n({ended.in_words(limits)})")
    for compiled in (place / "nesproof" / "emulator").iterdir():
        compiled.rename(emulator / compiled.name)


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
