// Many dots of rendered lines at once: https://www.nesdev.org/wiki/PPU_rendering
//
// A jump leaves what as many single dots would. It is made of three kinds of steps:
//
//   within a line    each part of the pipeline goes from one dot to another by its own closed form
//   whole lines      everything but v, flags and position follows from the last line alone
//   the rest of a line that whole lines follow: v, flags and position
//
// Where nobody looks at the pipeline before the next jump, it need not follow at all: a jump may owe it
// (`pay_owed_dots`).
//
//   line_jump_steps.hpp       the three kinds of steps, and what is owed
//   line_jump_background.hpp  shift registers, latches and fetches of the background
//   line_jump_sprites.hpp     sprite fetches and units
//   sprite_scan.hpp           evaluation
//   prediction.hpp            when a flag rises on the way
//   a12_jump.hpp              what a board sees of it that watches the bus
#pragma once

#include "core/ppu/a12_line.hpp"
#include "core/ppu/line_jump_steps.hpp"
#include "core/ppu/line_pixels.hpp"
#include "core/ppu/recording.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

namespace line_detail {

// The sprite flags on the way from here to dot 0 of line `line`, where whole lines end. False where a forecast cannot
// say: the present line has to be passed by itself.
template <class S>
__attribute__((noinline)) bool pass_flags(S s, u32 line) {
  const u32 target = position_of(line, 0);
  const bool clears = s.ppu_scanline() == kPreRenderLine && s.ppu_dot() == 0;
  const bool asks_hit = clears || !s.ppu_sprite_zero_hit(), asks_overflow = clears || !s.ppu_sprite_overflow();
  const Forecast hit = asks_hit ? hit_forecast(s) : kNever;
  const Forecast overflow = asks_overflow ? overflow_forecast(s) : kNever;
  const bool hits = hit.position < target, overflows = overflow.position < target;
  if ((hits && !hit.certain) || (overflows && !overflow.certain)) return false;
  if (clears) s.ppu_sprite_zero_hit() = s.ppu_sprite_overflow() = 0;
  if (hits) s.ppu_sprite_zero_hit() = 1;
  if (overflows) s.ppu_sprite_overflow() = 1;
  return true;
}

// --- Recording
template <class S>
__attribute__((noinline)) void record_lines(S s, u32 count) {
  u16 v = s.ppu_v();
  LineRecord record{.v = v,
                    .fine_x = s.ppu_fine_x(),
                    .control = s.ppu_control(),
                    .mask = s.ppu_pipeline_mask(),
                    .kind = LineKind::Rendered};
  const u16 two_tiles_on = after_tiles(s.ppu_t(), 2);
  NESPROOF_FAULT(rows_forget_fine_x, record.fine_x = 0);
  for (u32 line = s.ppu_scanline(), end = line + count; line < end; ++line) {
    LineRecord& row = s.log->lines[line];
    row = record;
    row.v = v;
    v = with_x_of(next_row_of(v), two_tiles_on);
  }
}

// Whether a line that begins at dot 0, `dots` from now, will be as its row describes it.
template <class S>
bool line_will_be_described(S s, u32 line, u32 dots) {
  if (since(s.lazy_ppu_time() + dots, s.lazy_ppu_disturbed_at()) < static_cast<i32>(kDotsPerLine)) return false;
  if (line != 0) return true;
  pay_owed_dots(s);
  u32 patterns = 0;
  for (u32 unit = 0; unit < 8; ++unit) patterns |= s.ppu_unit_low(unit) | s.ppu_unit_high(unit);
  return patterns == 0;
}

// Whether a jump from the present dot may leave this line's pixels to its row, which is begun where the jump passes dot
// 1. The position is within the frame.
template <class S>
__attribute__((noinline)) bool row_takes_line(S s, u32 line, u32 dot) {
  if (line >= kDrawnLines || dot >= 256) return true;
  if (dot != 0) return !line_takes_pixels(s);
  if (!line_will_be_described(s, line, 0)) return false;
  record_lines(s, 1);
  return true;
}

// Whether the dots from here to dot `to` of a visible line may be owed: no flag rises in them as far as is known.
template <class S>
bool may_owe_dots(S s, u32 line, u32 to) {
  if (line == kPreRenderLine || to > 256) return false;
  const u32 tag = forecast_tag(s), end = position_of(line, to);
  const auto stays = [tag, end](u32 flag, u32 word) {
    return flag != 0 || (is_of_frame(word, tag) && kept_forecast(word).position > end);
  };
  return stays(s.ppu_sprite_zero_hit(), s.lazy_line_hit()) && stays(s.ppu_sprite_overflow(), s.lazy_line_overflow());
}

template <class S>
void ask_for_flags(S s) {
  if (!s.ppu_sprite_zero_hit()) hit_forecast(s);
  if (!s.ppu_sprite_overflow()) overflow_forecast(s);
}

// Whether line 261 may be owed from dot `dot` on: its sprites are to come from secondary OAM as it is.
template <class S>
bool may_owe_pre_render_line(S s, u32 line, u32 dot) {
  return line == kPreRenderLine && dot < 257 && s.lazy_line_owed() == 0;
}

// Paying may find the ninth sprite in the present dot, with the flag up already. Before the next dot.
template <class S>
void let_overflow_rise(S s) {
  if (s.ppu_overflow_delay() == 0) return;
  s.ppu_overflow_delay() = 0;
  s.ppu_sprite_overflow() = 1;
}
template <class S>
void pay_before_going_on(S s) {
  pay_owed_dots(s);
  let_overflow_rise(s);
}

// --- The jump
// To dot `to` of the line that the PPU is in.
template <class S>
void jump_in_line(S s, u32 line, u32 dot, u32 to) {
  if (may_owe_dots(s, line, to)) {
    if (!(s.lazy_line_owed() & kOwesDots)) s.lazy_line_owed() |= static_cast<u16>(kOwesDots | dot);
    s.ppu_dot() = static_cast<u16>(to);
  } else {
    pay_before_going_on(s);
    pass_in_line(s, dot, to);
  }
}

// The same, recording pixels.
template <class S>
void put_pixels_in_line(S s, u32 line, u32 dot, u32 to) {
  s.log->lines[line].kind = LineKind::Pixels;
  pay_before_going_on(s);
  put_line_pixels(s, dot, to);
  pass_in_line(s, dot, to);
}

// At least to dot 0 of the next line, which lies within the next `dots` dots, behind dot `last` of this one. Returns
// how many dots it made.
template <class S>
u32 jump_across_lines(S s, u32 line, u32 dot, u32 last, u32 dots) {
  // From where the pipeline is, once forecasts have made it follow as far as they must.
  if (s.lazy_line_owed() & kOwesDots) ask_for_flags(s);
  const u32 from = s.lazy_line_owed() & kOwesDots ? s.lazy_line_owed() & kOwedFrom : dot;
  // A line that has a row keeps it.
  const bool from_start = from == 0 && line != kPreRenderLine && (dot == 0 || s.log == nullptr);
  const u32 first = from_start ? line : line == kPreRenderLine ? 0 : line + 1;  // of the whole lines
  const u32 before_first = from_start ? 0 : last + 1 - from;
  u32 count = (dots + dot - from - before_first) / kDotsPerLine;
  if (count > kDrawnLines - first) count = kDrawnLines - first;
  if (s.log != nullptr && !from_start) {
    if (count != 0 && (first == 0 || !line_will_be_described(s, first, last + 1 - dot))) count = 0;
  }
  if (s.ppu_oam_address() != 0 && (from_start || dot >= 320)) count = 0;
  if constexpr (S::Board::kWatchesA12) {
    if (!from_start && !a12_detail::units_stay_known(s, line, dot)) count = 0;
  }

  if (count == 0 && may_owe_pre_render_line(s, line, dot) && pass_flags(s, 0)) {
    pass_pre_render_line(s, dot, last == 339);
    return last + 1 - dot;
  }
  if (count == 0 || !pass_flags(s, first + count)) {
    pay_before_going_on(s);
    pass_in_line(s, dot, last);
    pass_line_end(s);
    return last + 1 - dot;
  }
  let_overflow_rise(s);
  if (!from_start) pass_rest_of_line(s, s.lazy_line_owed() & kOwesDots ? from : dot);
  if (s.log != nullptr) record_lines(s, count);
  pass_whole_lines(s, count);
  return from + before_first + count * kDotsPerLine - dot;
}

}  // namespace line_detail

// Makes up to `dots` dots, none if the state is one that only single dots can go on from, and says how many. Rendering
// is on in the pipeline; lazy_ppu_time is the present position's and stays so.
template <class S>
__attribute__((noinline)) u32 line_jump(S s, u32 dots) {
  using namespace line_detail;
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  if (!is_rendered_line(line) || dots == 0 || s.ppu_oam_corrupt()) return 0;
  if (s.ppu_mask_delay() | s.ppu_address_delay() | s.ppu_data_delay() | s.ppu_hit_delay() | s.ppu_overflow_delay()) {
    return 0;
  }
  if (dot == 0 && line != kPreRenderLine && s.ppu_unit_restart() != 0) {
    if (s.ppu_unit_counting() != 0xFF || dots < 2) return 0;
    s.ppu_unit_restart() = 0;  // the signal finds all units counting
  }
  if constexpr (S::Board::kWatchesA12) {
    if (a12_detail::has_tall_sprites(s.ppu_control()) && !a12_detail::reads_back_in_step(s, dot)) return 0;
  }
  const bool skips = line == kPreRenderLine && dot < 340 && s.ppu_odd_frame() && (s.ppu_mask() & kMaskRendering);
  const u32 last = skips ? 339 : 340;
  const u32 in_line = dots < last - dot ? dots : last - dot;
  if (s.log != nullptr && !row_takes_line(s, line, dot)) {
    put_pixels_in_line(s, line, dot, dot + in_line);
    return in_line;
  }
  if (dots > last - dot) return jump_across_lines(s, line, dot, last, dots);
  jump_in_line(s, line, dot, dot + dots);
  return dots;
}

}  // namespace nesproof::core
