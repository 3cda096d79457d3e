// Time inside the sound unit: which cycles are gets, and where a divider stands after many of its ticks.
// https://www.nesdev.org/wiki/APU
//
// An APU cycle is two CPU cycles, a get and a put, strictly in turn; pulses, noise and DMC count gets.
#pragma once

#include "core/types.hpp"

namespace nesproof::core::apu {

template <class S>
bool is_get(const S& s, u32 cycle) {
  return ((cycle + s.lazy_apu_get_phase()) & 1) == 0;
}

// The get cycles after cycle `after`, up to and including `upto`.
template <class S>
u32 gets_between(const S& s, u32 after, u32 upto) {
  const u32 phase = s.lazy_apu_get_phase();
  return (((upto + phase) >> 1) - ((after + phase) >> 1)) & 0x7FFFFFFF;
}

// The first get cycle after cycle `after`.
template <class S>
u32 next_get(const S& s, u32 after) {
  return after + (is_get(s, after) ? 2 : 1);
}

// A divider counts down to 0; the tick after that reloads it, and clocks what it drives.
struct Divided {
  u32 timer;
  u32 reloads;
};

constexpr Divided divided(u32 timer, u32 reload, u32 ticks) {
  if (ticks <= timer) return {timer - ticks, 0};
  const u32 beyond = ticks - timer - 1;
  const u32 whole = beyond / (reload + 1);
  return {reload - (beyond - whole * (reload + 1)), whole + 1};
}

static_assert(divided(3, 9, 3).timer == 0 && divided(3, 9, 3).reloads == 0);
static_assert(divided(3, 9, 4).timer == 9 && divided(3, 9, 4).reloads == 1);
static_assert(divided(3, 9, 24).timer == 9 && divided(3, 9, 24).reloads == 3);
static_assert(divided(0, 0, 5).timer == 0 && divided(0, 0, 5).reloads == 5);

}  // namespace nesproof::core::apu
