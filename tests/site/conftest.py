"""The invented inputs (`site_inputs.py`), the site that they make, and a reader of its pages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nesproof.reports.site import site_files

HERE = Path(__file__).parent


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"site_{name}", HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def invented() -> Any:
    return loaded("site_inputs")


@pytest.fixture(scope="session")
def reading() -> Any:
    return loaded("reading")


@pytest.fixture(scope="session")
def browsing() -> Any:
    return loaded("browsing")


@pytest.fixture(scope="session")
def to_browse() -> Any:
    return loaded("to_browse")


@pytest.fixture(scope="session")
def site(invented: Any) -> dict[str, bytes]:
    """Path to bytes of the site of all inputs."""
    files = list(site_files(invented.inputs()))
    assert len({path for path, _ in files}) == len(files)
    return dict(files)


@pytest.fixture
def undrawn(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites without charts and without each run's own report, which take seconds and have tests of their own."""
    reading.leave_undrawn(monkeypatch)


@pytest.fixture
def unreported(reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites without each run's own report."""
    reading.leave_unreported(monkeypatch)


@pytest.fixture(scope="session")
def parsed(site: dict[str, bytes], reading: Any) -> dict[str, Any]:
    """Path to page, of every page."""
    return {path: reading.Page(data) for path, data in site.items() if path.endswith(".html")}
