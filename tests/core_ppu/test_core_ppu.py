"""The core's PPU, which lags and jumps, equals the reference's, which is ticked: fields, reads, events and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"

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
  return ppu_read(s, 2, 700) + ppu_peek(s, 2) + ppu_nmi_line(s) + ppu_next_event(s) +
         ppu_status_steady_until(s, 701) + moved;
}
template u32 every_function(System<Aos, Nrom>);
template u32 every_function(System<LaneInterleaved, Nrom>);
"""


REFERENCE = sorted(source for part in ("board", "ppu") for source in (EMULATOR / "reference" / part).glob("*.cpp"))


@pytest.fixture(scope="module")
def lockstep(native) -> Path:
    return native.compile("core_ppu", HERE / "lockstep.cpp", REFERENCE)


@pytest.fixture(scope="module")
def interleaved(native) -> Path:
    return native.compile("core_ppu_lane", HERE / "lockstep.cpp", REFERENCE, "-DINTERLEAVED")


def check(counts: dict[str, int]) -> None:
    least = {"accesses": 60_000, "comparisons": 500, "frames": 100, "drawn": 20, "blocks": 100, "polls": 100_000}
    assert all(counts[name] >= count for name, count in least.items()), counts


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6, 7, 8])
def test_everything_equals_the_references(native, lockstep, seed):
    check(native.counts(native.run(lockstep, seed, 10_000)))


@pytest.mark.parametrize("seed", [11, 12])
def test_so_does_a_lane_and_its_neighbours_are_left_alone(native, interleaved, seed):
    check(native.counts(native.run(interleaved, seed, 10_000)))


@pytest.mark.parametrize("seed", [1, 3])
def test_other_values_are_found(native, lockstep, seed):
    result = native.run(lockstep, seed, 10_000, 5_000)
    assert result.returncode == 1
    assert "expected" in result.stdout


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
