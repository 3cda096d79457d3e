"""The core's CPU side: random programs in lockstep with the reference, and facts of its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"

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


@pytest.fixture(scope="module")
def lockstep(native) -> Path:
    return native.compile("core_cpu", HERE / "lockstep.cpp", sorted((EMULATOR / "reference").rglob("*.cpp")))


def test_random_programs_leave_both_consoles_alike(native, lockstep):
    result = native.run(lockstep, 1, 160, 12)
    counts = native.counts(result)
    least = {"frames": 1_000, "rendered": 500, "samples": 100, "jammed": 20, "resets": 20}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout


def test_a_planted_bit_is_found(native, lockstep):
    result = native.run(lockstep, 1, 1, 12, 6)
    assert result.returncode == 1
    assert "bus_ram[291]" in result.stdout


def test_its_parts(native):
    result = native.run(native.compile("core_cpu_units", HERE / "units.cpp"))
    assert result.returncode == 0, result.stdout


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
