"""Judging by BASE's own harness: its judge, thresholds, faults, suites and workloads, run in a process of their own.

A change that softens the harness must not be judged by the softened one. BASE's rooms are exported into a folder beside
the builds and come first on the path of a fresh Python; this installation lends the packages that they need.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs

import nesproof
from nesproof.harness.builds.cache import cached_build
from nesproof.harness.builds.isolation import Ended, Limits, run_limited
from nesproof.harness.gate.checkout import export
from nesproof.harness.gate.project import Project
from nesproof.harness.gate.repository import Repository, Revision
from nesproof.harness.home import nesproof_home
from nesproof.harness.subjects import by_path
from nesproof.roms_manifest.places import (
    ROM_PATH_VARIABLE,
    VECTOR_PATH_VARIABLE,
    rom_search_path,
    vector_search_path,
)

__all__ = ["INSIDE", "knows_own_references", "rooms_of", "run_under_base"]

ROOMS = ("harness", "suites", "benchmarks", "roms_manifest", "reports")
INSIDE = "nesproof.harness.gate.inside"
"""The module that is run: its arguments are the path of the plan and the path of the result, both JSON; it tells of its
progress in lines on stderr."""
_LOOK_S = 1.0
"""Looking at every process of a gate takes milliseconds, which a timing would notice ten times a second."""
_GRACE_S = 30.0
"""Interrupted, it writes what was measured."""
_INSIDE_FILE = "harness/gate/inside.py"
_REFERENCES_FILE = "harness/gate/references.py"
_PASSED = (
    "NESPROOF_OFFLINE", "NESPROOF_SUBJECT_FILE", "NESPROOF_SUITE_PATH", "NESPROOF_EMULATOR", "CUDA_VISIBLE_DEVICES",
)  # fmt: skip


def rooms_of(
    repository: Repository, base: Revision, project: Project, *, note: Callable[[str], None] = lambda _: None
) -> Path | None:
    """The folder with BASE's rooms, exported once for each content; None where this installation has to judge, because
    the project is not nesproof's own or BASE is older than the gate.

    Raises:
        NoSpaceForBuild: the disk is full.
    """
    if not project.is_own or not repository.exists(base.sha, _INSIDE_FILE):
        return None

    def make(place: Path) -> None:
        rooms = place / "out" / "nesproof"
        rooms.mkdir()
        export(repository, base.tree, rooms, paths=ROOMS)
        # Every Python that is started with these rooms on its path runs this first.
        (place / "out" / "sitecustomize.py").write_text(f"{inspect.getsource(by_path)}\n\nprefer_path()\n", "utf-8")

    key = f"rooms-{repository.tree_key(base.sha, ROOMS)}"
    return cached_build(key, make, what=f"the harness of {base.short}", note=note).folder


def knows_own_references(repository: Repository, base: Revision) -> bool:
    """Whether what judges nesproof's own project can hold each build to its own reference: this installation where BASE
    has no gate, or else BASE's gate, where that is no older one.
    """
    return not repository.exists(base.sha, _INSIDE_FILE) or repository.exists(base.sha, _REFERENCES_FILE)


def run_under_base(
    rooms: Path | None,
    plan: Path,
    result: Path,
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    note: Callable[[str], None] = lambda _: None,
    log: Path | None = None,
) -> Ended:
    """Run `python -m nesproof.harness.gate.inside PLAN RESULT` with those rooms, or this installation's where None.

    The process sees the short list of variables that every limited command sees, those of nesproof's own that say
    where programs and builds lie, and `environment`. `note` hears each line that it prints.
    """
    ours = [str(Path(folder).absolute().parent) for folder in nesproof.__path__]
    path = [*([str(rooms)] if rooms is not None else []), *ours]
    kept = {name: os.environ[name] for name in _PASSED if name in os.environ}
    # Its home is another one, so that this user's caches of ROMs and vectors are named among the folders.
    kept[ROM_PATH_VARIABLE] = os.pathsep.join(map(str, rom_search_path()[1:]))
    kept[VECTOR_PATH_VARIABLE] = os.pathsep.join(map(str, vector_search_path()))
    kernels = os.environ.get("NESPROOF_KERNEL_CACHE") or str(
        Path(platformdirs.user_cache_dir("nesproof", False)) / "kernels"
    )
    return run_limited(
        [sys.executable, "-s", "-B", "-m", INSIDE, str(plan), str(result)],
        cwd=cwd,
        environment={
            **kept,
            "NESPROOF_HOME": str(nesproof_home()),
            "NESPROOF_KERNEL_CACHE": kernels,
            **(environment or {}),
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONUNBUFFERED": "1",
        },
        limits=limits,
        on_line=note,
        look_s=_LOOK_S,
        grace_s=_GRACE_S,
        log=log,
    )
