"""Makes `board_programs` importable under pytest's importlib mode; without the compiled consoles nothing is tested."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

pytest.importorskip("nesproof.emulator._core", reason="condition: the consoles are not built")
pytest.importorskip("nesproof.emulator._reference", reason="condition: the consoles are not built")
