"""The Makefile works wherever the environment lies."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="condition: no make")
@pytest.mark.parametrize("environment", [".venv", "build/environments/other", "/nowhere/environment"])
def test_mypy_finds_the_configuration_from_any_environment(environment: str) -> None:
    shown = subprocess.run(
        ["make", "--dry-run", "lint", f"VENV={environment}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    command = next(line for line in shown.splitlines() if "-m mypy" in line)
    words = shlex.split(command)
    folder = ROOT / words[words.index("cd") + 1]
    configuration = words[words.index("--config-file") + 1]
    assert (folder / configuration).resolve() == ROOT / "pyproject.toml"
