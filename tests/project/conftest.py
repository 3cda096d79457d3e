"""Where the project's own checks look."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).parents[2]


def _tracked_files(root: Path) -> list[Path]:
    skipped = {
        ".git",
        ".venv",
        "build",
        "dist",
        "__pycache__",
        ".hypothesis",
        ".pytest_cache",
        ".ruff_cache",
        ".mypy_cache",
    }
    return [
        path
        for path in root.rglob("*")
        if path.is_file() and not skipped.intersection(path.relative_to(root).parts) and path.suffix != ".so"
    ]


@pytest.fixture(scope="session")
def project_files(root: Path) -> list[Path]:
    files = _tracked_files(root)
    assert len(files) > 50
    return files
