"""Native drivers of the core's drawing, built once a session."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"
COMPILER = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
DRAWING = sorted((EMULATOR / "batch").glob("draw*.cpp"))
REFERENCE = [EMULATOR / "reference" / name for name in ("ppu/ppu.cpp", "ppu/access.cpp", "board/board.cpp")]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`build(source, *others)` compiles a driver of this folder and returns the program."""
    if COMPILER is None:
        pytest.skip("condition: no C++ compiler")
    folder = tmp_path_factory.mktemp("core_draw")

    def compiled(source: str, *others: Path) -> Path:
        program = folder / Path(source).stem
        if not program.exists():
            command = [COMPILER, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow"]
            command += ["-I", EMULATOR, HERE / source, *others, "-o", program]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            assert ended.returncode == 0, ended.stderr
        return program

    return compiled


@pytest.fixture(scope="session")
def against_reference(build: Callable[..., Path]) -> Path:
    return build("against_reference.cpp", *DRAWING, *REFERENCE)


@pytest.fixture(scope="session")
def colours(build: Callable[..., Path]) -> Path:
    return build("colours.cpp", *[source for source in DRAWING if "colours" in source.name])
