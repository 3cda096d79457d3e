"""The nestest log, line by line: registers, the PPU's position and the cycle count."""

from __future__ import annotations

import re
from pathlib import Path

from nesproof.emulator import Cartridge, Console

LINE = re.compile(r"(\w{4}) .* A:(\w\w) X:(\w\w) Y:(\w\w) P:(\w\w) SP:(\w\w) PPU:\s*(\d+),\s*(\d+) CYC:(\d+)")


def test_every_line_of_the_log(roms: Path) -> None:
    log = (roms / "other" / "nestest.log").read_text().splitlines()
    console = Console(Cartridge.load(roms / "other" / "nestest.nes"))
    lines = console.trace(len(log), start=0xC000)
    assert len(log) == 8991
    for number, (text, line) in enumerate(zip(log, lines, strict=True), 1):
        match = LINE.match(text)
        assert match is not None
        expected = [int(value, 16) for value in match.groups()[:6]] + [int(value) for value in match.groups()[6:]]
        names = ("pc", "a", "x", "y", "p", "s", "scanline", "dot", "cycle")
        assert [int(line[name]) for name in names] == expected, f"line {number}"
    assert list(console.ram[2:4]) == [0, 0]
