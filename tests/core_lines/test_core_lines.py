"""The fast PPU's jumps leave what the reference's dots leave, and no sprite flag changes before it is foretold."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="condition: no C++ compiler")

EVERY_FUNCTION = """
#include "core/board/nrom.hpp"
#include "core/ppu/line_jump.hpp"
using namespace nesproof::core;
template <class S>
u32 every_function(S s) {
  predictions_void(s);
  hit_prediction_void(s);
  return line_jump(s, 1000) + flags_steady_dots(s);
}
template u32 every_function(System<Aos, Nrom>);
template u32 every_function(System<LaneInterleaved, Nrom>);
"""


@pytest.fixture(scope="module")
def lockstep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    driver = tmp_path_factory.mktemp("core_lines") / "lockstep"
    reference = EMULATOR / "reference"
    sources = [HERE / "lockstep.cpp", *reference.glob("ppu/*.cpp"), *reference.glob("board/*.cpp")]
    subprocess.run([COMPILER, "-std=c++20", "-O2", f"-I{EMULATOR}", *sources, "-o", driver], check=True, timeout=300)
    return driver


def run(driver: Path, *arguments: int) -> subprocess.CompletedProcess[str]:
    command = [str(driver), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_every_field_equals_the_references(lockstep, seed):
    result = run(lockstep, seed, 100_000_000)
    assert result.returncode == 0, result.stdout
    counts = {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", result.stdout)}
    # Foretold: flag changes that came in the very dot after the last that was said to be without one.
    least = {"dots": 100_000_000, "jumps": 50_000, "hits": 300, "overflows": 300, "foretold": 500}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout


def test_a_planted_bit_is_found(lockstep):
    result = run(lockstep, 1, 1_000_000, 100)
    assert result.returncode == 1
    assert "ppu_next_high" in result.stdout


def test_it_needs_no_standard_library(tmp_path):
    source = tmp_path / "every_function.cpp"
    source.write_text(EVERY_FUNCTION)
    flags = ["-std=c++20", "-ffreestanding", "-nostdinc", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [COMPILER, *flags, f"-I{EMULATOR}", "-fsyntax-only", source]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
