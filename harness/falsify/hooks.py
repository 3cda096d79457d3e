"""The build with hooks: made where a fault of the run needs one, or the sentence that says why there is none."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nesproof.harness.builds import build_emulator, emulator_recipe
from nesproof.harness.builds.recipe import BuildToolsMissing, source_files
from nesproof.harness.evidence.falsification import HookBuild
from nesproof.harness.subjects.status import EMULATOR_VARIABLE

__all__ = ["Hooks", "prepare_hooks"]


@dataclass(frozen=True)
class Hooks:
    """Where the build with hooks lies; `missing` says why there is none, and is None too where none was wanted."""

    folder: Path | None = None
    record: HookBuild | None = None
    missing: str | None = None

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While the block runs, every console of nesproof's own starts from this build, where there is one."""
        before = os.environ.get(EMULATOR_VARIABLE)
        if self.folder is not None:
            os.environ[EMULATOR_VARIABLE] = str(self.folder)
        try:
            yield
        finally:
            if before is None:
                os.environ.pop(EMULATOR_VARIABLE, None)
            else:
                os.environ[EMULATOR_VARIABLE] = before


def prepare_hooks(note: Callable[[str], None]) -> Hooks:
    """Build the emulator under test once more with hooks, or take that from the cache.

    Raises:
        BuildFailed: it did not compile.
        OSError: no space, or the folder of builds cannot be written.
    """
    chosen = os.environ.get(EMULATOR_VARIABLE)
    try:
        recipe = emulator_recipe(Path(chosen) / "emulator" if chosen else None, faults=True)
        built = build_emulator(recipe, what="the emulator with hooks for faults", note=note)
    except BuildToolsMissing as absent:
        return Hooks(missing=str(absent)[:4_000])
    digest = hashlib.sha256()
    for path in source_files(recipe.sources):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(recipe.sources).as_posix()}\0{len(data)}\0".encode() + data)
    record = HookBuild(key=built.key, sources_sha256=digest.hexdigest(), was_cached=built.was_cached)
    return Hooks(folder=built.folder, record=record)
