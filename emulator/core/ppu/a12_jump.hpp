// Bit 12 of the PPU's address bus over a jump of rendered lines (a12_line.hpp has what it is in each dot).
//
// It is followed when a jump has been made, whatever of the pipeline the jump owes: the level and the counter behind it
// are never owed.
#pragma once

#include "core/ppu/a12_line.hpp"
#include "core/ppu/a12_tall_sprites.hpp"
#include "core/ppu/line_jump_steps.hpp"

namespace nesproof::core {

namespace a12_detail {

// The units of line `line`, from which a jump has come to where the PPU is now. Its sprites are in secondary OAM unless
// the jump passed whole lines.
template <class S>
u32 units_behind(S s, u32 line) {
  const u8 control = s.ppu_control();
  if (!has_tall_sprites(control)) return units_of_small_sprites(control);
  const bool passed_whole = line != kPreRenderLine && (s.lazy_line_owed() & line_detail::kOwesStart) != 0;
  return passed_whole ? units_from_oam(s, line) : units_from_secondary_oam(s);
}

// Lines `line` to `end` - 1, whole, of which `at` is the first dot's time. Returns how many clocks there are.
template <class S>
u32 pass_whole_lines(S s, Level& level, u32 line, u32 end, u32 at) {
  const u8 control = s.ppu_control();
  if (line == end) return 0;
  const bool tall = has_tall_sprites(control);
  const u64 slots = slots_of(control, tall ? units_from_oam(s, line) : units_of_small_sprites(control));
  const u32 others = end - line - 1, first = pass_dots(s, level, slots, 0, kDotsPerLine - 1, at).count();
  if (others == 0) return first;
  if (!tall) {
    if (slots != 0) level.fell_at += others * kDotsPerLine;
    return first + others * size_of(clocks_of_line(slots));
  }
  // With the background or, at the latest, with the last unit.
  level.fell_at = at + others * kDotsPerLine + (control & kControlBackgroundTable ? 337 : 321);
  return first + clocks_of_lines_of_tall_sprites(s).of_lines(line + 1, end);
}

}  // namespace a12_detail

// A jump of `made` dots has been made from dot `dot` of line `line`, whose time is still lazy_ppu_time. It ends in the
// same line or in dot 0 of another.
template <class S>
__attribute__((noinline)) void a12_follow_jump(S s, u32 line, u32 dot, u32 made) {
  using namespace a12_detail;
  const u32 now = s.lazy_ppu_time(), to_line = s.ppu_scanline(), to_dot = s.ppu_dot();
  const u8 control = s.ppu_control();
  Level level = level_now(s);
  u32 clocks;
  if (to_line == line) {
    const u32 units = to_dot > 256 ? units_behind(s, line) : 0;
    clocks = pass_dots(s, level, slots_of(control, units), dot + 1, to_dot, now + 1).count();
  } else {
    const u32 first_whole = line == kPreRenderLine ? 0 : line + 1;
    const u32 end = now + made, whole_from = end - (to_line - first_whole) * kDotsPerLine;  // its dot 0
    const u32 last = dot + (whole_from - now) - 1;
    clocks = pass_dots(s, level, slots_of(control, units_behind(s, line)), dot + 1, last, now + 1).count();
    clocks += pass_whole_lines(s, level, first_whole, to_line, whole_from);
    // Line 240 renders nothing.
    if (to_line != kDrawnLines) clocks += pass_dots(s, level, slots_of(control, 0), 0, 0, end).count();
  }
  s.lazy_board_a12_fell_at() = level.fell_at;
  s.lazy_board_a12() = level.high;
  if (clocks != 0) S::Board::clock_irq(s, clocks);
}

}  // namespace nesproof::core
