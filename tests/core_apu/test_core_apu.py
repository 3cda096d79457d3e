"""The core's sound unit, caught up in closed form, equals the reference's, which is ticked."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"

EVERY_FUNCTION = """
#include "core/apu/apu.hpp"
#include "core/board/nrom.hpp"
#include "core/system.hpp"
using namespace nesproof::core;
template <class S>
u32 every_function(S s) {
  apu_power_on(s);
  apu_reset(s);
  apu_settled(s, 1);
  apu_catch_up(s, 2, CatchUp::Event);
  apu_write(s, 0x4000, 1, 3);
  apu_dmc_fill(s, 1, 4);
  return apu_read_status(s, 5) + apu_peek_status(s) + apu_irq_line(s) + apu_next_event(s) + apu_is_get(s, 1);
}
template u32 every_function(System<Aos, Nrom>);
template u32 every_function(System<LaneInterleaved, Nrom>);
"""


@pytest.fixture(scope="module")
def lockstep(native) -> Path:
    return native.compile("core_apu", HERE / "lockstep.cpp", [EMULATOR / "reference" / "apu" / "apu.cpp"])


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_every_field_equals_the_references(native, lockstep, seed):
    result = native.run(lockstep, seed, 40_000_000)
    counts = native.counts(result)
    least = {"cycles": 40_000_000, "writes": 10_000, "reads": 1_000, "fills": 5_000, "withdrawn": 50, "looks": 10_000}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout
    assert counts["IRQs"] >= 100, result.stdout


def test_a_planted_bit_is_found(native, lockstep):
    result = native.run(lockstep, 3, 1_000_000, 5_000)
    assert result.returncode == 1
    assert "apu_noise_shifter" in result.stdout


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
