"""Native drivers of the core's drawing, built once a session."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"
DRAWING = sorted((EMULATOR / "batch").glob("draw*.cpp"))
REFERENCE = sorted(source for part in ("board", "ppu") for source in (EMULATOR / "reference" / part).glob("*.cpp"))


@pytest.fixture(scope="session")
def against_reference(native) -> Path:
    return native.compile("core_draw", HERE / "against_reference.cpp", [*DRAWING, *REFERENCE])


@pytest.fixture(scope="session")
def colours(native) -> Path:
    sources = [source for source in DRAWING if "colours" in source.name]
    return native.compile("core_draw_colours", HERE / "colours.cpp", sources)
