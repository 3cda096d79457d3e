"""A small project under git that the gate takes for nesproof's own: the installed emulator's Python with its compiled
parts, three places in it where a test changes what its consoles do, and three claims.

Its history has no gate, so that this installation judges with the base's claims.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nesproof.emulator

FIELDS = "emulator/state/fields.py"
"""What the digest of every console is made of."""
CORE = "emulator/core/slip.py"
"""What the core alone adds to its digest."""
REFERENCE = "emulator/reference/slip.py"
"""Whether the reference forgets nothing at power-on: no digest of a workload shows it, the suites do."""

_BUILD = """
cmake_minimum_required(VERSION 3.20)
project(toy LANGUAGES NONE)
file(GLOB compiled "{compiled}/_*.so")
install(FILES ${{compiled}} DESTINATION nesproof/emulator)
"""
_CLAIMS = """
[[claim]]
id = "own.instructions"
sentence = "A frame takes at most {value} instructions."
kind = "instructions"
subject = "core"
workload = "busy@2"
metric = "instructions_per_frame"
where = { draw = "none" }
at_most = 100000
breaks_when = "The core does more work in a frame."

[[claim]]
id = "own.speed"
sentence = "The core steps at least {value} times the frames per second of the reference."
kind = "ratio"
subject = "core"
baseline = "reference"
workload = "busy@2"
candidate_run = { draw = "none", frame_skip = 1 }
metric = "frames_per_second"
at_least = 0.001
breaks_when = "The core becomes slower."

[[claim]]
id = "own.power"
sentence = "The reference forgets at power-on what was before."
kind = "exact"
subject = "reference"
suite = "determinism"
cases = "power/on-forgets-what-was-before"
breaks_when = "Something outlives a power-on."
"""


def make_own(synthetic: Any, root: Path) -> Any:
    """The project with one commit on the branch `main`; `synthetic` is the module of that name."""
    installed = Path(nesproof.emulator.__path__[0])
    emulator = root / "emulator"
    for path in installed.rglob("*.py"):
        copy = emulator / path.relative_to(installed)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    (emulator / "CMakeLists.txt").write_text(_BUILD.format(compiled=installed.as_posix()), encoding="utf-8")
    for name, text in ((FIELDS, "MORE = 0\n"), (CORE, "SLIP = 0\n"), (REFERENCE, "KEEPS = False\n")):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    _edit(
        emulator / "host_batch.py",
        "        return self._native.digest()",
        "        from nesproof.emulator.core.slip import SLIP\n"
        "        from nesproof.emulator.state.fields import MORE\n\n"
        "        return self._native.digest() ^ np.uint64(MORE ^ SLIP)",
    )
    _edit(
        emulator / "console.py",
        "        return self._native.digest()",
        "        from nesproof.emulator.state.fields import MORE\n\n        return self._native.digest() ^ MORE",
    )
    _edit(
        emulator / "console.py",
        "        self._native.power_on(",
        "        from nesproof.emulator.reference.slip import KEEPS\n\n"
        "        if not (KEEPS and self._kind == 'reference'):\n            self._native.power_on(",
    )
    (root / "harness" / "claims").mkdir(parents=True)
    (root / "harness" / "claims" / "own.toml").write_text(_CLAIMS, encoding="utf-8")
    synthetic.git(root, "init", "--quiet", "--initial-branch=main")
    project = synthetic.Synthetic(root)
    project.commit("Make the project", {})
    return project


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")
