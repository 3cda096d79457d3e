"""Subjects made for tests, and a data folder of their own, so that nothing of the user's is read or written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nesproof.harness.subjects.check_program import CHECK_ROM
from nesproof.harness.subjects.client import Subject
from nesproof.roms_manifest import Resolver

FAKES = Path(__file__).parent / "fakes"


def toml_command(name: str, command: list[str], extra: str = "") -> str:
    return f"[[subject]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}\n{extra}\n"


@pytest.fixture(scope="session")
def rom() -> bytes:
    return Resolver().read(CHECK_ROM)


@pytest.fixture
def subject(opened: Subject, rom: bytes) -> Subject:
    """The module's own `opened` subject with the house ROM, just powered on."""
    opened.load(rom)
    opened.power_on()
    return opened


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "nesproof-home"
    monkeypatch.setenv("NESPROOF_HOME", str(home))
    monkeypatch.delenv("NESPROOF_SUBJECT_FILE", raising=False)
    return home


@pytest.fixture
def add_subject(own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Define a subject by its command; returns its name."""
    files: list[str] = []

    def add(name: str, command: list[str], extra: str = "") -> str:
        path = tmp_path / f"{name}.subjects.toml"
        path.write_text(toml_command(name, command, extra), encoding="utf-8")
        files.append(str(path))
        monkeypatch.setenv("NESPROOF_SUBJECT_FILE", os.pathsep.join(files))
        return name

    return add


@pytest.fixture
def toy(add_subject: Callable[..., str]) -> str:
    return add_subject("toy", ["{python}", "-I", "{worker}", str(FAKES / "toy_adapter.py")])


@pytest.fixture
def rogue(add_subject: Callable[..., str]) -> Callable[[str], str]:
    def make(mode: str) -> str:
        return add_subject(f"rogue-{mode}", [sys.executable, "-I", str(FAKES / "rogue.py"), mode])

    return make


@pytest.fixture(scope="session")
def project_root() -> Path:
    return Path(__file__).parents[2]
