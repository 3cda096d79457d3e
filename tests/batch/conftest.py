"""Cartridges that every checkout has, and how long properties are searched."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

import nesproof.roms_manifest
from nesproof.emulator import Cartridge

settings.register_profile(
    "batch", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("batch")


def house(name: str) -> Cartridge:
    (folder,) = nesproof.roms_manifest.__path__
    return Cartridge.load(Path(folder) / "house" / f"{name}.nes")


@pytest.fixture(scope="session")
def scroller() -> Cartridge:
    return house("scroller")


@pytest.fixture(scope="session")
def busy() -> Cartridge:
    return house("busy")


@pytest.fixture(scope="session")
def presses() -> NDArray[np.uint8]:
    """Random buttons of both players, uint8 [40 consoles, 120 frames, 2], Start in the first frames."""
    held = np.random.default_rng(7).integers(0, 256, (40, 120, 2)).astype(np.uint8)
    held[:, 8:16, 0] = 0x08
    return held
