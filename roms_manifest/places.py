"""Where ROMs and vectors are looked for, and where fetched ones are kept.

ROMs: the package's own house ROMs, each folder of `NESPROOF_ROM_PATH` (separated as in PATH), the user's cache.
Vectors: each folder of `NESPROOF_VECTOR_PATH`, the user's cache.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

__all__ = [
    "ROM_PATH_VARIABLE",
    "VECTOR_PATH_VARIABLE",
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


def vector_search_path() -> tuple[Path, ...]:
    """The folders in which `XX.bin` is looked for, in order."""
    return (*_folders(VECTOR_PATH_VARIABLE), vector_cache())


def _folders(variable: str) -> tuple[Path, ...]:
    return tuple(Path(part).expanduser() for part in os.environ.get(variable, "").split(os.pathsep) if part)
