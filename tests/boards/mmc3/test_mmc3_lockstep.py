"""The core's MMC3 and MMC6 do what the reference's do, whatever a program does to the PPU's address bus, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[2] / "emulator"

EVERY_FUNCTION = """
#include "core/board/mmc3.hpp"
#include "core/run.hpp"
using namespace nesproof::core;
template <class S>
u32 every_function(S s) {
  power_on(s, 0);
  run(s, nullptr, 2, 1);
  press_reset(s);
  settle(s);
  return Mmc3::next_event(s, 0);
}
template u32 every_function(System<Aos, Mmc3>);
template u32 every_function(System<LaneInterleaved, Mmc3>);
"""


@pytest.fixture(scope="module")
def lockstep(native) -> Path:
    sources = [*(EMULATOR / "reference").glob("*/*.cpp"), EMULATOR / "batch/host_cartridge.cpp"]
    return native.compile("mmc3_lockstep", HERE / "lockstep.cpp", sources)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_every_field_and_picture_equals_the_references(native, lockstep, seed):
    counts = native.counts(native.run(lockstep, seed, 40, 25))
    least = {"frames": 1000, "recorded": 150, "interrupted": 300, "split": 200, "tall": 100, "saved": 30}
    assert all(counts[name] >= count for name, count in least.items()), counts


def test_a_counter_that_is_turned_is_found(native, lockstep):
    result = native.run(lockstep, 1, 10, 25, 10)
    assert result.returncode == 1
    assert "board_irq_counter" in result.stdout


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
