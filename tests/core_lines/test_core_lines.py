"""The fast PPU's jumps leave what the reference's dots leave, and no sprite flag changes before it is foretold."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
EMULATOR = HERE.parents[1] / "emulator"

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
def lockstep(native) -> Path:
    reference = EMULATOR / "reference"
    sources = [*reference.glob("ppu/*.cpp"), *reference.glob("board/*.cpp")]
    return native.compile("core_lines", HERE / "lockstep.cpp", sources)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_every_field_equals_the_references(native, lockstep, seed):
    result = native.run(lockstep, seed, 100_000_000)
    counts = native.counts(result)
    # Foretold: flag changes that came in the very dot after the last that was said to be without one.
    least = {"dots": 100_000_000, "jumps": 50_000, "hits": 300, "overflows": 300, "foretold": 500}
    assert all(counts[name] >= count for name, count in least.items()), result.stdout


def test_a_planted_bit_is_found(native, lockstep):
    result = native.run(lockstep, 1, 1_000_000, 100)
    assert result.returncode == 1
    assert "ppu_next_high" in result.stdout


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
