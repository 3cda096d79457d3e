"""Where the third-party programs are that these tests take."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def roms() -> Path:
    for folder in os.environ.get("NESPROOF_ROM_PATH", "").split(os.pathsep):
        if folder and (found := Path(folder) / "nes-test-roms").is_dir():
            return found
    pytest.skip("NESPROOF_ROM_PATH holds no nes-test-roms")
