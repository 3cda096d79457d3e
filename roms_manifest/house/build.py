"""Build the house ROMs from their sources with ca65 and ld65 (cc65 2.19).

``python -m nesproof.roms_manifest.house.build`` writes ``scroller.nes``, ``busy.nes`` and the test cards beside
this file; ``--check`` only compares. The build is a pure function of the sources.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .assets import build_assets
from .card_layout import link_layout, read_board
from .card_pictures import pattern_rom, pattern_unit

__all__ = ["CARDS", "HOUSE_ROMS", "AssemblerMissing", "BuiltRom", "build_rom", "label_lines", "main"]

CARDS = (
    "cards/nrom",
    "cards/mmc1-sxrom",
    "cards/mmc1-skrom",
    "cards/uxrom",
    "cards/cnrom",
    "cards/mmc3",
    "cards/mmc3-nec",
    "cards/mmc3-four-screen",
    "cards/mmc6",
    "cards/axrom",
    "cards/color-dreams",
    "cards/bnrom",
    "cards/nina-001",
    "cards/gxrom",
    "cards/camerica",
    "cards/fire-hawk",
)
"""The test cards, one a board."""

HOUSE_ROMS = ("scroller", "busy", *CARDS)
_HOME = Path(__file__).parent
_LAYOUT = "layout.cfg"


class AssemblerMissing(RuntimeError):
    """ca65 or ld65 is not installed."""


@dataclass(frozen=True)
class BuiltRom:
    """An iNES image and its labels (name to CPU address)."""

    name: str
    image: bytes
    labels: dict[str, int]


def _read_labels(path: Path) -> dict[str, int]:
    labels: dict[str, int] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        kind, address, name = line.split()
        if kind == "al":
            labels[name.lstrip(".")] = int(address, 16)
    return labels


def label_lines(labels: dict[str, int]) -> str:
    """What is committed as ``NAME.labels``: address and name, sorted, RAM first."""
    rows = sorted((address, name) for name, address in labels.items() if "@" not in name)
    return "".join(f"{address:04X} {name}\n" for address, name in rows)


def build_rom(name: str) -> BuiltRom:
    """Assemble and link one house ROM in a temporary folder.

    Raises AssemblerMissing without cc65, ValueError with the tool's words if a source is wrong.
    """
    for tool in ("ca65", "ld65"):
        if shutil.which(tool) is None:
            raise AssemblerMissing(f"{tool} is not installed; install cc65 2.19 to rebuild {name}")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if name in CARDS:
            _lay_out_card(name, work)
        else:
            _lay_out_program(name, work)
        commands = (
            ["ca65", "-g", "main.s", "-o", "main.o"],
            ["ld65", "-C", _LAYOUT, "main.o", "-o", "rom.nes", "-Ln", "labels.txt"],
        )
        for command in commands:
            done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ValueError(f"{name}: {' '.join(command)} failed:\n{done.stderr}")
        return BuiltRom(name, (work / "rom.nes").read_bytes(), _read_labels(work / "labels.txt"))


def _copy_sources(folder: Path, work: Path) -> None:
    for file in sorted(folder.iterdir()):
        if file.suffix in {".s", ".inc", ".cfg"}:
            shutil.copy(file, work)


def _lay_out_program(name: str, work: Path) -> None:
    """Everything that `main.s` of scroller or busy needs, in the folder ``work``."""
    source = _HOME / "src" / name
    _copy_sources(_HOME / "src", work)
    _copy_sources(source, work)
    if (source / "levels.txt").exists():
        assets = build_assets(source)
        (work / "scroller.chr").write_bytes(assets.chr_rom)
        (work / "assets.inc").write_text(assets.include, encoding="ascii")


def _lay_out_card(name: str, work: Path) -> None:
    """Everything that a card needs, in the folder ``work``; its board's source is `main.s`."""
    _copy_sources(_HOME / "src", work)
    _copy_sources(_HOME / "src" / "cards", work)
    source = _HOME / "src" / "cards" / "boards" / f"{Path(name).name}.s"
    shutil.copy(source, work / "main.s")
    board = read_board(source.read_text(encoding="ascii"))
    (work / _LAYOUT).write_text(link_layout(board), encoding="ascii")
    font = _HOME / "src" / "scroller" / "art" / "font.txt"
    if board.chr_kib:
        (work / "patterns.bin").write_bytes(pattern_rom(board.chr_kib * 1024, font))
    else:
        (work / "unit.bin").write_bytes(pattern_unit(0, font))


def main(arguments: list[str] | None = None) -> int:
    """Build or check every house ROM; the exit status is 1 if a committed binary is stale."""
    parser = argparse.ArgumentParser(description="Build the house ROMs.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    stale = 0
    for name in HOUSE_ROMS:
        built = build_rom(name)
        outputs = {_HOME / f"{name}.nes": built.image}
        if name not in CARDS:
            outputs[_HOME / f"{name}.labels"] = label_lines(built.labels).encode("ascii")
        for target, data in outputs.items():
            if target.exists() and target.read_bytes() == data:
                print(f"{target.name}: up to date", file=sys.stderr)
            elif options.check:
                print(f"{target.name}: differs from its source", file=sys.stderr)
                stale = 1
            else:
                target.write_bytes(data)
                print(f"{target.name}: written, {len(data)} bytes", file=sys.stderr)
    return stale


if __name__ == "__main__":
    sys.exit(main())
