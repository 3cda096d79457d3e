"""Which `nesproof` is imported: the one that the path names, even beside an editable installation.

An editable installation answers for every module that it knows before the path is looked at, so that another build of
the emulator, or another revision's harness, would silently be the installed one. This file needs nothing but the
standard library: it is loaded by its own path, and copied to where there is no harness yet.
"""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType

__all__ = ["prefer_path"]


class _ByPath:
    """Finds the modules below `nesproof` in their package's folders; what does not lie there is left to others."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module's spec, or None."""
        if path is None or not name.startswith("nesproof."):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        # A folder without code of its own is no package: an editable installation keeps compiled parts in such ones.
        return None if spec is None or spec.loader is None else spec


def prefer_path() -> None:
    """Let the path decide in this process."""
    sys.meta_path.insert(0, _ByPath)
