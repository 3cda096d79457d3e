"""The compiled consoles: whether they are there, and how they were built."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

__all__ = ["build_info"]

# A folder named nesproof in the current folder, such as a clone, is found before the installed package.
if any(find_spec(f"nesproof.emulator.{extension}") is None for extension in ("_reference", "_core")):
    raise ImportError(
        f"{Path(__file__).parent} is a source tree without the compiled consoles, and Python found it before any "
        "installed nesproof; run from another folder, or take it off PYTHONPATH."
    )


def build_info() -> dict[str, str | int]:
    """How the compiled consoles were built.

    Keys: `compiler_id`, `compiler_version`, `build_type`, `flags`, `git_commit` (of the source tree when the build was
    configured; empty where unknown), `sources_sha256` (over the native sources), `cxx_standard` (the value of
    `__cplusplus`).
    """
    from nesproof.emulator import _reference

    return _reference.build_info()
