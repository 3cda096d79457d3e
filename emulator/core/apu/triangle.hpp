// A triangle wave: https://www.nesdev.org/wiki/APU_Triangle
//
//   $4008  CRRR RRRR  control (also length halt), linear counter reload value
//   $400A  TTTT TTTT  timer, low 8 bits
//   $400B  LLLL LTTT  length index, timer, high 3 bits
//
// The timer always runs, at twice the pulses' rate; the wave moves on only while both counters run. So the wave catches
// up whenever that is about to change.
#pragma once

#include "core/apu/clock.hpp"
#include "core/apu/length.hpp"

namespace nesproof::core::apu {

template <class S>
bool triangle_moves(Triangle<S> t) {
  return length_runs(t) && t.linear_count() > 0;
}

template <class S>
__attribute__((noinline)) void catch_up_triangle(Triangle<S> t, u32 cycle, bool moves) {
  const Divided after = divided(t.timer(), t.period(), cycle - t.time());
  t.time() = cycle;
  t.timer() = static_cast<u16>(after.timer);
  if (moves) t.step() = (t.step() + after.reloads) & 31;
}

template <class S>
void write_triangle(Triangle<S> t, u32 address, u8 value, u32 cycle) {
  switch (address & 3) {
    case 0:
      begin_length_write(t, cycle);
      t.length_halt_written() = value >> 7;
      t.linear_period() = value & 0x7F;
      break;
    case 2: {
      const u32 period = (t.period() & 0x0700u) | value;
      if (period == t.period()) break;
      catch_up_triangle(t, cycle, triangle_moves(t));
      t.period() = static_cast<u16>(period);
      break;
    }
    case 3:
      catch_up_triangle(t, cycle, triangle_moves(t));
      t.period() = static_cast<u16>((t.period() & 0x00FF) | (value & 7) << 8);
      begin_length_write(t, cycle);
      load_length(t, value >> 3);
      t.linear_reload() = 1;
      break;
  }
}

template <class S>
void enable_triangle(Triangle<S> t, bool on, u32 cycle) {
  if (!on && triangle_moves(t)) catch_up_triangle(t, cycle, true);
  enable_length(t, on);
}

// Quarter frame.
template <class S>
void clock_linear_counter(Triangle<S> t) {
  if (t.linear_reload()) {
    t.linear_count() = t.linear_period();
  } else if (t.linear_count() > 0) {
    t.linear_count()--;
  }
  if (!t.length_halt()) t.linear_reload() = 0;
}

}  // namespace nesproof::core::apu
