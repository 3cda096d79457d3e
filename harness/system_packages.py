"""The one command that installs a program with the package manager found on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["compiler_command", "package_command"]

_INSTALL = {
    "brew": "brew install",
    "apt-get": "sudo apt-get install --yes",
    "dnf": "sudo dnf install --assumeyes",
    "apk": "sudo apk add",
    "pacman": "sudo pacman --sync --noconfirm",
}
_FALLBACK = ("conda", "conda install --yes")
_NO_OTHER_NAMES: Mapping[str, str] = MappingProxyType({})


def package_command(package: str, other_names: Mapping[str, str] = _NO_OTHER_NAMES) -> str:
    """The command for `package`; `other_names` are what single managers call it."""
    manager = next((program for program in _INSTALL if shutil.which(program)), None)
    program, install = (manager, _INSTALL[manager]) if manager is not None else _FALLBACK
    return f"{install} {other_names.get(program, package)}"


def compiler_command() -> str:
    """The command that brings a C++ compiler."""
    if shutil.which("xcode-select"):
        return "xcode-select --install"
    return package_command("g++", {"brew": "gcc", "dnf": "gcc-c++", "pacman": "gcc", "conda": "gxx"})
