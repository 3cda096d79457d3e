"""Fixtures of the reports' tests: the invented run, and golden files that change only under a flag."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from nesproof.harness.evidence import Evidence

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files and schemas instead of comparing")


@pytest.fixture(scope="session")
def sample() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sample_evidence", HERE / "sample_evidence.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def evidence(sample: ModuleType) -> Evidence:
    return sample.sample_evidence()


@pytest.fixture(scope="session")
def frames_dir(sample: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle") / "frames"
    sample.write_frames(folder)
    return folder


@pytest.fixture
def check_golden(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Path, str], None]:
    """Compares text with a committed file; a mismatch saves the actual text, `--update-golden` accepts it."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden", default=False):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8", newline="\n")
            return
        expected = path.read_text(encoding="utf-8") if path.is_file() else None
        if actual != expected:
            saved = tmp_path / f"actual-{path.name}"
            saved.write_text(actual, encoding="utf-8", newline="\n")
            pytest.fail(f"{path.name} differs; the actual text is {saved}; accept it with --update-golden")

    return check
