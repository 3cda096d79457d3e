"""Build the house ROMs from their sources with ca65 and ld65 (cc65 2.19).

``python -m nesproof.roms_manifest.house.build`` writes ``scroller.nes`` and ``busy.nes`` beside
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

__all__ = ["HOUSE_ROMS", "AssemblerMissing", "BuiltRom", "build_rom", "label_lines", "main"]

HOUSE_ROMS = ("scroller", "busy")
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
    source = _HOME / "src" / name
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for shared in (_HOME / "src").glob("*.inc"):
            shutil.copy(shared, work)
        for file in source.iterdir():
            if file.suffix in {".s", ".inc", ".cfg"}:
                shutil.copy(file, work)
        if (source / "levels.txt").exists():
            assets = build_assets(source)
            (work / "scroller.chr").write_bytes(assets.chr_rom)
            (work / "assets.inc").write_text(assets.include, encoding="ascii")
        commands = (
            ["ca65", "-g", "main.s", "-o", "main.o"],
            ["ld65", "-C", _LAYOUT, "main.o", "-o", "rom.nes", "-Ln", "labels.txt"],
        )
        for command in commands:
            done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
            if done.returncode:
                raise ValueError(f"{name}: {' '.join(command)} failed:\n{done.stderr}")
        return BuiltRom(name, (work / "rom.nes").read_bytes(), _read_labels(work / "labels.txt"))


def main(arguments: list[str] | None = None) -> int:
    """Build or check every house ROM; the exit status is 1 if a committed binary is stale."""
    parser = argparse.ArgumentParser(description="Build the house ROMs.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    stale = 0
    for name in HOUSE_ROMS:
        built = build_rom(name)
        outputs = {
            _HOME / f"{name}.nes": built.image,
            _HOME / f"{name}.labels": label_lines(built.labels).encode("ascii"),
        }
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
