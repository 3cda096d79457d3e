"""The RAM map in the README is true."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

import pytest

from nesproof.emulator.console import Console

ROW = re.compile(r"^\| `\$([0-9A-F]+)` \| (\d+) \| `(\w+)` \|", re.MULTILINE)


def _table(heading: str) -> list[tuple[int, int, str]]:
    text = (files("nesproof.roms_manifest.house") / "README.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [(int(address, 16), int(size), label) for address, size, label in ROW.findall(section)]


@pytest.mark.parametrize("name", ["scroller", "busy"])
def test_addresses_are_those_of_the_labels(name: str, request: pytest.FixtureRequest) -> None:
    labels: dict[str, int] = request.getfixturevalue(f"{name}_labels")
    table = _table(name)
    assert len(table) >= 4
    ram = sorted({address for address in labels.values() if address < 0x800} | {0x800})
    for address, size, label in table:
        assert labels[label] == address
        following = next(other for other in ram if other > address)
        if name == "scroller":
            assert following - address == size
        else:
            assert following - address >= size


def test_values_are_live(house_console: Callable[..., Console], scroller_labels: dict[str, int]) -> None:
    console = house_console("scroller")

    def value(label: str, size: int = 1) -> int:
        start = scroller_labels[label]
        return int.from_bytes(bytes(console.ram[start : start + size]), "little")

    console.step(0, frames=60)
    assert value("game_mode") == 0
    before = value("frame_counter", 2)
    console.step(0, frames=300)
    assert value("frame_counter", 2) == before + 300
    console.step(0x08, frames=4)
    console.step(0, frames=140)
    assert (value("game_mode"), value("lives"), value("level"), value("player_alive")) == (3, 3, 0, 1)
    x, y = value("player_x", 2), value("player_y")
    timer = bytes(console.ram[scroller_labels["timer_digits"] :][:3])
    console.step(0x80, frames=40)
    assert value("player_x", 2) > x + 20
    console.step(0x81, frames=12)
    assert value("player_y") < y - 20
    assert bytes(console.ram[scroller_labels["timer_digits"] :][:3]) < timer
    console.step(0x08, frames=2)
    assert value("paused") == 1
