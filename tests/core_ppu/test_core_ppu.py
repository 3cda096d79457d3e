"""The core's PPU, which lags and jumps, equals the reference's, which is ticked: fields, reads, events and pictures."""

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
#include "core/ppu/ppu.hpp"
using namespace nesproof::core;
template <class S>
u32 every_function(S s) {
  ppu_power_on(s);
  ppu_reset(s);
  ppu_settled(s, 1);
  ppu_catch_up(s, 9, CatchUp::Event);
  ppu_write(s, 0, 1, 4);
  const bool moved = ppu_write_oam_block(s, 6u, [](u32 k) { return static_cast<u8>(k); });
  return ppu_read(s, 2, 700) + ppu_peek(s, 2) + ppu_nmi_line(s) + ppu_next_event(s) + ppu_is_rendering(s, 701) +
         ppu_status_steady_until(s, 701) + moved;
}
template u32 every_function(System<Aos, Nrom>);
template u32 every_function(System<LaneInterleaved, Nrom>);
"""


def build(folder: Path, *flags: str) -> Path:
    driver = folder / "lockstep"
    reference = [EMULATOR / "reference" / name for name in ("board/board.cpp", "ppu/ppu.cpp", "ppu/access.cpp")]
    command = [COMPILER, "-std=c++20", "-O2", *flags, f"-I{EMULATOR}", HERE / "lockstep.cpp", *reference, "-o", driver]
    subprocess.run(command, check=True, timeout=300)
    return driver


@pytest.fixture(scope="module")
def lockstep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("core_ppu"))


@pytest.fixture(scope="module")
def interleaved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("core_ppu_lane"), "-DINTERLEAVED")


def run(driver: Path, *arguments: int) -> subprocess.CompletedProcess[str]:
    command = [str(driver), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def check(result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode == 0, result.stdout
    counts = {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", result.stdout)}
    least = {"accesses": 60_000, "comparisons": 500, "frames": 100, "drawn": 20, "blocks": 100, "polls": 100_000}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6, 7, 8])
def test_everything_equals_the_references(lockstep, seed):
    check(run(lockstep, seed, 10_000))


@pytest.mark.parametrize("seed", [11, 12])
def test_so_does_a_lane_and_its_neighbours_are_left_alone(interleaved, seed):
    check(run(interleaved, seed, 10_000))


@pytest.mark.parametrize("seed", [1, 3])
def test_other_values_are_found(lockstep, seed):
    result = run(lockstep, seed, 10_000, 5_000)
    assert result.returncode == 1
    assert "expected" in result.stdout


def test_it_needs_no_standard_library(tmp_path):
    source = tmp_path / "every_function.cpp"
    source.write_text(EVERY_FUNCTION)
    flags = ["-std=c++20", "-ffreestanding", "-nostdinc", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [COMPILER, *flags, f"-I{EMULATOR}", "-fsyntax-only", source]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
