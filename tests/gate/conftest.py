"""The synthetic project (`synthetic.py`) for each test, with a home of the session's in which its builds are kept."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"gate_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


synthetic = load("synthetic")
load("parts")  # which tests import as `gate_parts`
own_project = load("own_project")


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The project with its first commit; not to be changed."""
    return synthetic.make_for_reference(tmp_path_factory.mktemp("synthetic") / "toy")


@pytest.fixture
def toy(pristine: Any, tmp_path: Path) -> Any:
    """The project, to be changed."""
    return synthetic.copied(pristine, tmp_path / "toy")


@pytest.fixture(scope="session")
def pristine_own(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A project that the gate takes for nesproof's own, with its first commit; not to be changed."""
    return own_project.make_own(synthetic, tmp_path_factory.mktemp("own") / "project")


@pytest.fixture
def own(pristine_own: Any, tmp_path: Path) -> Any:
    """That project, to be changed."""
    return synthetic.copied(pristine_own, tmp_path / "own")


@pytest.fixture(scope="session")
def builds_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home for the session's builds."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def home(builds_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That home, in force."""
    monkeypatch.setenv("NESPROOF_HOME", str(builds_home))
    return builds_home
