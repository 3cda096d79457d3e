"""The boards need no standard library, in either layout: a device has none."""

from __future__ import annotations

EVERY_FUNCTION = """
#include "core/board/banked.hpp"
#include "core/digest.hpp"
#include "core/peek.hpp"
#include "core/run.hpp"
using namespace nesproof::core;
template <class S>
u64 every_function(S s) {
  power_on(s, 0);
  press_reset(s);
  settled(s);
  settle(s);
  const u8 buttons[2] = {};
  run(s, buttons, 2, 1);
  step_unit(s);
  return poke(s, 0x6000, peek(s, 0x8000)) + digest(s);
}
template u64 every_function(System<Aos, Banked>);
template u64 every_function(System<LaneInterleaved, Banked>);
"""


def test_it_needs_no_standard_library(native):
    native.check_freestanding(EVERY_FUNCTION)
