"""The core's CPU side: random programs in lockstep with the reference, and facts of its parts."""

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
#include "core/run.hpp"
using namespace nesproof::core;
template <class S>
bool every_function(S s) {
  power_on(s, 0);
  press_reset(s);
  settled(s);
  settle(s);
  const u8 buttons[2] = {};
  run(s, buttons, 2, 1);
  Lane<S> lane(s, buttons, 2, 1);
  lane.run_block();
  lane.end();
  return step_unit(s) && lane.key() == kFinishedKey;
}
template bool every_function(System<Aos, Nrom>);
template bool every_function(System<LaneInterleaved, Nrom>);
"""


def compiled(sources: list[Path], to: Path) -> Path:
    command = [COMPILER, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{EMULATOR}", f"-I{HERE}"]
    subprocess.run([*command, *sources, "-o", to], check=True, timeout=600)
    return to


def run(driver: Path, *arguments: int) -> subprocess.CompletedProcess[str]:
    command = [str(driver), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def lockstep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources = [HERE / "lockstep.cpp", *sorted((EMULATOR / "reference").rglob("*.cpp"))]
    return compiled(sources, tmp_path_factory.mktemp("core_cpu") / "lockstep")


def test_random_programs_leave_both_consoles_alike(lockstep):
    result = run(lockstep, 1, 160, 12)
    assert result.returncode == 0, result.stdout
    counts = {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", result.stdout)}
    least = {"frames": 1_000, "rendered": 500, "samples": 100, "jammed": 20, "resets": 20}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout


def test_a_planted_bit_is_found(lockstep):
    result = run(lockstep, 1, 1, 12, 6)
    assert result.returncode == 1
    assert "bus_ram[291]" in result.stdout


def test_its_parts(tmp_path):
    result = run(compiled([HERE / "units.cpp"], tmp_path / "units"))
    assert result.returncode == 0, result.stdout


def test_it_needs_no_standard_library(tmp_path):
    source = tmp_path / "every_function.cpp"
    source.write_text(EVERY_FUNCTION)
    flags = ["-std=c++20", "-ffreestanding", "-nostdinc", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = [COMPILER, *flags, f"-I{EMULATOR}", "-fsyntax-only", source]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
