"""A change is judged by the harness of its base, in a process that imports nothing of another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.builds.isolation import Limits
from nesproof.harness.gate.project import load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.gate.under_base import ROOMS, rooms_of, run_under_base
from nesproof.harness.subjects import own_adapter, worker
from nesproof.roms_manifest.places import rom_cache, vector_cache

INSIDE = """
import json, os, subprocess, sys
import nesproof.harness, nesproof.suites
child = "import nesproof.harness; print(nesproof.harness.__file__)"
print("I judge by {mark}", file=sys.stderr)
json.dump({{
    "plan": json.load(open(sys.argv[1])), "mark": "{mark}", "harness": nesproof.harness.__file__,
    "suites": nesproof.suites.__file__, "environment": dict(os.environ),
    "child": subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout.strip(),
    "emulator": __import__("importlib.util").util.find_spec("nesproof.emulator").origin,
}}, open(sys.argv[2], "w"))
"""


def as_nesproof(toy: Any, mark: str) -> str:
    """A commit that looks like nesproof's own project, whose harness says that mark."""
    empty = (
        "emulator/CMakeLists.txt", "pyproject.toml", "harness/__init__.py", "harness/gate/__init__.py",
        "suites/__init__.py",
    )  # fmt: skip
    files = {**dict.fromkeys(empty, ""), "harness/gate/inside.py": INSIDE.format(mark=mark)}
    return str(toy.commit(f"Judge by {mark}", files))


def run_at(toy: Any, name: str, folder: Path, **more: Any) -> tuple[Path, dict[str, Any]]:
    repository = Repository.at(toy.root)
    base = repository.resolve(name)
    rooms = rooms_of(repository, base, load_project(repository, base))
    assert rooms is not None
    plan, result = folder / "plan.json", folder / "result.json"
    plan.write_text('{"asked": 1}')
    ended = run_under_base(rooms, plan, result, cwd=folder, limits=Limits(seconds=60), **more)
    assert ended.well, ended.tail
    return rooms, json.loads(result.read_text())


def test_bases_harness_judges(toy: Any, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = as_nesproof(toy, "the strict one")
    as_nesproof(toy, "the soft one")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    monkeypatch.setenv("NESPROOF_ROM_PATH", os.environ.get("NESPROOF_ROM_PATH", "/roms"))
    heard: list[str] = []
    rooms, told = run_at(toy, base, tmp_path, note=heard.append, environment={"NESPROOF_EMULATOR": "/build"})
    assert told["plan"] == {"asked": 1}
    assert told["mark"] == "the strict one"
    assert heard == ["I judge by the strict one"]
    assert told["harness"] == told["child"] == str(rooms / "nesproof" / "harness" / "__init__.py")
    assert Path(told["suites"]).is_relative_to(rooms)
    assert not Path(told["emulator"]).is_relative_to(rooms), "the emulator is the build's, or this installation's"
    environment = told["environment"]
    assert environment["NESPROOF_HOME"] == str(home)
    assert environment["NESPROOF_EMULATOR"] == "/build"
    named, cache = environment["NESPROOF_ROM_PATH"].rsplit(os.pathsep, 1)
    assert named == os.environ["NESPROOF_ROM_PATH"]
    assert cache == str(rom_cache()), "fetched ROMs lie in this user's cache, and its home is another"
    assert environment["NESPROOF_VECTOR_PATH"].rsplit(os.pathsep, 1)[-1] == str(vector_cache())
    assert "GITHUB_TOKEN" not in environment
    assert "PYTHONSTARTUP" not in environment


EDITABLE = """
import importlib.util, sys
class ScikitBuildRedirectingFinder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in {{"nesproof.harness", "nesproof.emulator", "nesproof.emulator._core"}}:
            return importlib.util.spec_from_file_location(name, {installed!r})
sys.meta_path.insert(0, ScikitBuildRedirectingFinder)
"""
"""What an editable installation does: it answers for the modules that it knows, whatever the path says."""


def ask(program: str, folder: Path, *path: Path) -> str:
    """What a Python says that has these folders on its path and an editable installation."""
    (folder / "installed.py").write_text("")
    editable = EDITABLE.format(installed=str(folder / "installed.py"))
    ended = subprocess.run(
        # Without site-packages: what is installed in this environment must not answer either.
        [sys.executable, "-S", "-c", editable + program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return ended.stdout.strip()


def test_an_editable_installation_does_not_answer_for_base(toy: Any, home: Path, tmp_path: Path) -> None:
    as_nesproof(toy, "base")
    repository = Repository.at(toy.root)
    base = repository.resolve("HEAD")
    rooms = rooms_of(repository, base, load_project(repository, base))
    assert rooms is not None
    program = "import nesproof.harness, nesproof.emulator\nprint(nesproof.harness.__file__, nesproof.emulator.__file__)"
    # The sitecustomize comes first in a real process; here the finder was put in after it.
    first = f"exec(open({str(rooms / 'sitecustomize.py')!r}).read())\n"
    (rooms / "nesproof" / "emulator").mkdir()  # compiled parts alone, as beside an editable installation
    harness, emulator = ask(first + program, tmp_path, rooms).split()
    assert harness == str(rooms / "nesproof" / "harness" / "__init__.py")
    assert emulator == str(tmp_path / "installed.py")


def test_an_editable_installation_does_not_answer_for_a_build(tmp_path: Path) -> None:
    build = tmp_path / "build" / "emulator"
    build.mkdir(parents=True)
    (build / "__init__.py").write_text("")
    (build / "_core.py").write_text("")
    adapter = "def make_adapter(options):\n    import nesproof.emulator._core as c\n    return c.__file__\n"
    subjects = tmp_path / "build" / "harness" / "subjects"
    subjects.mkdir(parents=True)
    (subjects.parent / "__init__.py").write_text("")
    (subjects / "__init__.py").write_text("")
    (subjects / "which_adapter.py").write_text(adapter)
    program = (
        "from runpy import run_path\n"
        f"load = run_path({worker.__file__!r})['load_adapter']\n"
        f"options = {{'namespace': [{str(tmp_path / 'build')!r}], 'module': 'which_adapter'}}\n"
        f"print(load({own_adapter.__file__!r}, options))"
    )
    assert ask(program, tmp_path) == str(build / "_core.py")


def test_rooms_are_exported_once_for_each_content(toy: Any, home: Path) -> None:
    as_nesproof(toy, "one")
    repository = Repository.at(toy.root)

    def rooms() -> Path | None:
        revision = repository.resolve("HEAD")
        return rooms_of(repository, revision, load_project(repository, revision))

    first = rooms()
    toy.commit("Elsewhere", {"emulator/core.hpp": "x"})
    assert rooms() == first
    toy.commit("Here", {"benchmarks/x": "x"})
    second = rooms()
    assert second not in {first, None}
    assert second is not None
    assert {p.name for p in (second / "nesproof").iterdir()} <= set(ROOMS)


def test_without_a_gate_in_base_this_installation_judges(toy: Any, home: Path) -> None:
    repository = Repository.at(toy.root)
    foreign = repository.resolve("HEAD")
    assert rooms_of(repository, foreign, load_project(repository, foreign)) is None
    toy.commit("Be nesproof of old", {"emulator/CMakeLists.txt": "", "pyproject.toml": ""})
    old = repository.resolve("HEAD")
    assert rooms_of(repository, old, load_project(repository, old)) is None
