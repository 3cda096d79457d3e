"""What a build of the emulator is made of, and the key that this gives it."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nesproof.harness.errors import HarnessError

__all__ = [
    "VERSION",
    "BuildToolsMissing",
    "Recipe",
    "emulator_recipe",
    "installed_sources",
    "python_abi",
    "source_files",
    "version_of",
]

VERSION = 1
"""Raised where the same recipe would be carried out in another way."""


class BuildToolsMissing(HarnessError):
    """Something that a build needs is not on this machine; `remedy` is one command."""

    def __init__(self, missing: str, *, remedy: str) -> None:
        super().__init__(f"A build of the emulator needs {missing}; {remedy}")
        self.missing, self.remedy = missing, remedy


@dataclass(frozen=True)
class Recipe:
    """`sources` is a folder with the emulator's CMakeLists.txt; `faults` builds the hooks in."""

    sources: Path
    key: str
    compiler: str
    faults: bool = False


def emulator_recipe(sources: Path | None = None, *, faults: bool = False) -> Recipe:
    """The recipe for the sources of the emulator in that folder, by default those of the installed package.

    The key is over every file of the sources, the compiler and its version, the Python that the build is for, and
    whether hooks are built in.

    Raises:
        BuildToolsMissing: no compiler, CMake, Ninja or pybind11.
    """
    sources = installed_sources() if sources is None else sources
    compiler = _compiler()
    digest = hashlib.sha256()
    for part in (
        f"recipe {VERSION}, faults {faults}",
        version_of(compiler),
        python_abi(),
    ):
        digest.update(part.encode() + b"\0")
    for path in source_files(sources):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(sources).as_posix()}\0{len(data)}\0".encode() + data)
    return Recipe(sources, digest.hexdigest()[:40], compiler, faults)


def source_files(sources: Path) -> list[Path]:
    """Every file of the emulator's folder that a build carries, sorted: no compiled and no hidden ones."""
    return sorted(
        path
        for path in sources.rglob("*")
        if path.is_file()
        and path.suffix not in {".so", ".pyc", ".pyd"}
        and not any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(sources).parts)
    )


def installed_sources() -> Path:
    """The emulator's folder of this installation.

    Raises:
        BuildToolsMissing: it was installed without its native sources.
    """
    spec = importlib.util.find_spec("nesproof.emulator")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        if (Path(folder) / "CMakeLists.txt").is_file():
            return Path(folder)
    raise BuildToolsMissing("the emulator's native sources", remedy="pip install --force-reinstall nesproof")


def _compiler() -> str:
    found = next((path for name in ("c++", "g++", "clang++") if (path := shutil.which(name))), None)
    if found is None:
        from nesproof.harness.system_packages import compiler_command

        raise BuildToolsMissing("a C++20 compiler", remedy=compiler_command() or "install one")
    return found


@cache
def version_of(compiler: str) -> str:
    """What the compiler says of itself; empty where it does not answer."""
    try:
        run = subprocess.run(
            [compiler, "version" if Path(compiler).name in {"go", "zig"} else "--version"],
            capture_output=True, text=True, errors="replace", timeout=20, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout


def python_abi() -> str:
    """The Python that a compiled module is for."""
    return f"{sys.implementation.cache_tag} {sysconfig.get_config_var('EXT_SUFFIX')} {platform.machine()}"
