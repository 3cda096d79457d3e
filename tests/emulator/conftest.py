"""Makes `programs` importable under pytest's importlib mode, and finds the data that is not ours to ship."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def _folder(variable: str) -> Path:
    value = os.environ.get(variable, "").split(os.pathsep)[0]
    if not value or not Path(value).is_dir():
        pytest.skip(f"{variable} names no folder")
    return Path(value)


@pytest.fixture
def roms() -> Path:
    return _folder("NESPROOF_ROM_PATH") / "nes-test-roms"


@pytest.fixture
def klaus() -> bytes:
    path = _folder("NESPROOF_ROM_PATH") / "klaus" / "6502_functional_test.bin"
    if not path.is_file():
        pytest.skip("NESPROOF_ROM_PATH holds no klaus/6502_functional_test.bin")
    return path.read_bytes()


@pytest.fixture
def vectors() -> Path:
    return _folder("NESPROOF_VECTOR_PATH")
