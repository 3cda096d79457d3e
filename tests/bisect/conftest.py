"""The written laboratory (`written.py`), and the toy project of the gate's tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def loaded(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"bisect_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def written() -> Any:
    return loaded("written", HERE / "written.py")


@pytest.fixture(scope="session")
def synthetic() -> Any:
    return loaded("synthetic", HERE.parent / "gate" / "synthetic.py")
