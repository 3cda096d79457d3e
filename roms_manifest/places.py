"""Where ROMs and vectors are looked for, and where fetched ones are kept.

ROMs: the package's own house ROMs, each folder of `NESPROOF_ROM_PATH` (separated as in PATH), the user's cache; and
where the manifest says so, the folder of another Python package that brings them.
Vectors: each folder of `NESPROOF_VECTOR_PATH`, the user's cache.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from platformdirs import user_cache_path

__all__ = [
    "ROM_PATH_VARIABLE",
    "VECTOR_PATH_VARIABLE",
    "installed_folder",
    "rom_cache",
    "rom_search_path",
    "vector_cache",
    "vector_search_path",
]

ROM_PATH_VARIABLE = "NESPROOF_ROM_PATH"
VECTOR_PATH_VARIABLE = "NESPROOF_VECTOR_PATH"


def rom_cache() -> Path:
    """The folder that fetched ROMs are kept in; it need not exist."""
    return user_cache_path("nesproof", appauthor=False) / "roms"


def vector_cache() -> Path:
    """The folder that fetched vectors are kept in; it need not exist."""
    return user_cache_path("nesproof", appauthor=False) / "vectors"


def rom_search_path() -> tuple[Path, ...]:
    """The folders in which an entry's `path` is looked for, in order."""
    return (Path(__file__).parent, *_folders(ROM_PATH_VARIABLE), rom_cache())


def installed_folder(package_folder: str) -> Path | None:
    """The folder of an installed Python package, such as `some_package/roms`; None where it is not installed.

    The package is found and not imported.
    """
    name, _, below = package_folder.partition("/")
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) / below if places else None


def vector_search_path() -> tuple[Path, ...]:
    """The folders in which `XX.bin` is looked for, in order."""
    return (*_folders(VECTOR_PATH_VARIABLE), vector_cache())


def _folders(variable: str) -> tuple[Path, ...]:
    return tuple(Path(part).expanduser() for part in os.environ.get(variable, "").split(os.pathsep) if part)
