// Catching up: which of the ways through the dots is taken.
#pragma once

#include "core/catch_up.hpp"
#include "core/ppu/a12_jump.hpp"
#include "core/ppu/idle_jump.hpp"
#include "core/ppu/line_jump.hpp"

namespace nesproof::core {

template <class S>
bool renders_now(S s) {
  return rendering_enabled(s) && is_rendered_line(s.ppu_scanline());
}

// For a board that watches A12.
template <class S>
u32 watched_line_jump(S s, u32 dots) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot(), made = line_jump(s, dots);
  if (made != 0) a12_follow_jump(s, line, dot, made);
  return made;
}

template <class S>
__attribute__((noinline)) void advance_ppu(S s, u32 dot_time) {
  while (s.lazy_ppu_time() != dot_time) {
    const u32 dots = dot_time - s.lazy_ppu_time();
    u32 made;
    if constexpr (S::Board::kWatchesA12) {
      made = renders_now(s) ? watched_line_jump(s, dots) : idle_jump(s, dots);
    } else {
      made = renders_now(s) ? line_jump(s, dots) : idle_jump(s, dots);
    }
    s.lazy_ppu_time() += made;
    if (made == 0) make_dot(s);
  }
  s.lazy_ppu_quiet_until() = quiet_until(s);
}

// Makes dots until `dot_time`.
template <class S>
void ppu_catch_up(S s, u32 dot_time, CatchUp why) {
  if (!pass_quiet_dots(s, dot_time)) advance_ppu(s, dot_time);
  if (why == CatchUp::Settle) pay_owed_dots(s);
}

// Where an access of cycle `cycle` finds the PPU.
constexpr u32 access_time(u32 cycle) { return 3 * cycle - 1; }

}  // namespace nesproof::core
