"""What a project says of itself, and what it is told where it says it wrongly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nesproof.harness.errors import ConfigurationError
from nesproof.harness.gate.project import OWN_CONSOLES, Project, load_project
from nesproof.harness.gate.repository import Repository
from nesproof.harness.subjects.registry import subject_definitions

ROOT = Path(__file__).parents[2]


def loaded(toy: Any) -> Project:
    repository = Repository.at(toy.root)
    return load_project(repository, repository.resolve("HEAD"))


def test_a_project_is_what_its_revision_says(toy: Any) -> None:
    before = toy.head
    toy.commit("Move", toy.edited("pyproject.toml", r'"settings.h"', '"settings.h", "more"'))
    (toy.root / "pyproject.toml").write_text("[tool.nesproof.gate]\nbuild = 3\n")
    repository = Repository.at(toy.root)
    assert load_project(repository, repository.resolve(before)).sources == ("adapter.py", "toy.c", "settings.h")
    project = loaded(toy)
    assert project.sources[-1] == "more"
    assert project.yardstick_paths == ("claims.toml", "subjects.toml")
    assert not project.is_own
    assert "{out}/adapter.py" in project.subjects_toml


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "docs/gating.md"),
        ("[tool.nesproof.gate", "not TOML"),
        ("[tool.nesproof.gate]\nbild = []", "bild: Extra inputs"),
        ("[tool.nesproof.gate]\nis_own = true", "is_own: Extra inputs"),
        ("[tool.nesproof.gate]\nsubjects_toml = ''", "subjects_toml: Extra inputs"),
        ("[tool.nesproof]\ngate = 3", "gate"),
        ("[tool.nesproof.gate]\nbuild = []", "build"),
        ("[tool.nesproof.gate]\nbuild = [[]]", "build"),
        ("[tool.nesproof.gate]\nbuild = ['make']", "build"),
        ("[tool.nesproof.gate]\nbuild = [['make']]", "names its subject_file"),
        ("[tool.nesproof.gate]\nbuild = [['make']]\nsubject_file = 'absent.toml'", "no file absent.toml"),
        ("[tool.nesproof.gate]\nsources = ['../outside']", "no path inside"),
        ("[tool.nesproof.gate]\nsources = ['/etc']", "no path inside"),
        ("[tool.nesproof.gate]\nsources = ['-rf']", "no path inside"),
        ("[tool.nesproof.gate]\nsources = ['.']", "the whole repository"),
        ("[tool.nesproof.gate]\nsources = []", "sources"),
    ],
)
def test_a_malformed_table_is_one_sentence(toy: Any, text: str, words: str) -> None:
    toy.commit("Say it wrongly", {"pyproject.toml": text})
    with pytest.raises(ConfigurationError) as fault:
        loaded(toy)
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)
    assert fault.value.exit_code == 2


def test_nesproof_itself_needs_no_table(toy: Any) -> None:
    toy.commit("Be nesproof", {"emulator/CMakeLists.txt": "", "pyproject.toml": "[project]\nname = 'x'\n"})
    project = loaded(toy)
    assert project.is_own
    assert project.build is None
    toy.commit("Say more", {"pyproject.toml": "[tool.nesproof.gate]\nsources = ['emulator', 'cmake']\n"})
    more = loaded(toy)
    assert more.is_own
    assert (more.sources, more.yardstick) == (("emulator", "cmake"), project.yardstick)


def test_the_defaults_are_paths_and_subjects_that_there_are(toy: Any) -> None:
    toy.commit("Be nesproof", {"emulator/CMakeLists.txt": "", "pyproject.toml": ""})
    own = loaded(toy)
    assert {"harness", "reports", "ci"} < set(own.yardstick)
    assert [path for path in (*own.sources, *own.claims, *own.yardstick) if not (ROOT / path).exists()] == []
    # The judge is a subject of the harness's own, and in no build of the emulator.
    consoles = {name for name, s in subject_definitions().items() if s.environment == "own"} - {"judge"}
    assert set(OWN_CONSOLES) == consoles
