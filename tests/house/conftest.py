"""House ROMs on a console."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from nesproof.emulator.cartridge import Cartridge
from nesproof.emulator.console import Console, ConsoleKind

Labels = dict[str, int]

# What tests of the cards import as `house_cards`.
_spec = importlib.util.spec_from_file_location("house_cards", Path(__file__).parent / "cards.py")
assert _spec is not None
assert _spec.loader is not None
_cards = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _cards  # dataclasses look their module up
_spec.loader.exec_module(_cards)


def _labels(name: str) -> Labels:
    text = (files("nesproof.roms_manifest.house") / f"{name}.labels").read_text(encoding="ascii")
    pairs = (line.split() for line in text.splitlines())
    return {label: int(address, 16) for address, label in pairs}


@pytest.fixture(scope="session")
def scroller_labels() -> Labels:
    """Address of every label of the scroller."""
    return _labels("scroller")


@pytest.fixture(scope="session")
def busy_labels() -> Labels:
    """Address of every label of busy."""
    return _labels("busy")


@pytest.fixture
def house_console() -> Callable[..., Console]:
    """A console with a house ROM in it, powered on with RAM at ``fill``; the fast one, since games are long."""

    def make(name: str, fill: int = 0, kind: ConsoleKind = "core") -> Console:
        rom = files("nesproof.roms_manifest.house") / f"{name}.nes"
        console = Console(Cartridge.load(rom.read_bytes()), kind)
        console.power_on(fill=fill)
        return console

    return make


@pytest.fixture(scope="session")
def corpus() -> Callable[[str], bytes]:
    """The bytes of an input stream by file name."""

    def read(name: str) -> bytes:
        return (files("nesproof.benchmarks") / "corpora" / name).read_bytes()

    return read
