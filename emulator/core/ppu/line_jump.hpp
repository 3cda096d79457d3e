// Many dots of rendered lines at once: https://www.nesdev.org/wiki/PPU_rendering
//
// A jump leaves what as many single dots would. It is made of three kinds of steps:
//
//   within a line    each part of the pipeline goes from one dot to another by its own closed form
//   whole lines      everything but v, flags and position follows from the last line alone
//   the rest of a line that whole lines follow: v, flags and position
//
//   line_jump_background.hpp  shift registers, latches and fetches of the background
//   line_jump_sprites.hpp     sprite fetches and units
//   sprite_scan.hpp           evaluation
//   prediction.hpp            when a flag rises on the way
#pragma once

#include "core/ppu/line_jump_background.hpp"
#include "core/ppu/line_jump_sprites.hpp"
#include "core/ppu/prediction.hpp"
#include "core/ppu/recording.hpp"

namespace nesproof::core {

namespace line_detail {

// --- Within a line
// Dots 1-256 of a visible line, but for the background. `until` is where the jump ends.
template <class S>
__attribute__((noinline)) void pass_picture_sprites(S s, Evaluation& e, u32 line, u32 at, u32 to, u32 until) {
  if (!s.ppu_sprite_zero_hit()) {
    if (const u32 dot = hit_dot_in_line(s, at, to)) (dot < until ? s.ppu_sprite_zero_hit() : s.ppu_hit_delay()) = 1;
  }
  if (at < 64) {
    const u32 end = to < 64 ? to : 64;
    for (u32 count = end / 2 - at / 2; count != 0; --count) {
      s.ppu_secondary_oam(e.secondary) = 0xFF;
      e.secondary = (e.secondary + 1) & 31;
    }
    if ((end + 1) / 2 != (at + 1) / 2) e.bus = 0xFF;
  }
  if (to > 64) {
    const u32 dot = evaluate<true>(s, e, line, sprite_rows(s.ppu_control()), at < 64 ? 64 : at, to);
    if (dot != 0) (dot < until ? s.ppu_sprite_overflow() : s.ppu_overflow_delay()) = 1;
  }
  pass_unit_pixels(s, to - at);
  if (at == 0 && s.ppu_unit_restart() != 0 && --s.ppu_unit_restart() == 0 && to == 1) s.ppu_unit_counting() = 0xFF;
}

// From dot `at` to dot `to`, at most 340, of the rendered line that the PPU is in.
template <class S>
__attribute__((noinline)) void pass_in_line(S s, u32 at, u32 to) {
  const u32 line = s.ppu_scanline();
  BackgroundPipe pipe = background_pipe(s);
  Evaluation e = evaluation(s);
  if (at < 256) {
    const u32 end = to < 256 ? to : 256;
    if (line != kPreRenderLine) {
      pass_picture_sprites(s, e, line, at, end, to);
    } else {
      if (at == 0) s.ppu_sprite_zero_hit() = s.ppu_sprite_overflow() = s.ppu_warming_up() = 0;
      if (at < 2 && end >= 2) s.ppu_vblank() = 0;
    }
    pass_tiles(s, pipe, at, end);
    if (end == 256) pipe.v = next_row_of(pipe.v);
    at = end;
  }
  if (at < to && at < 320) {
    if (at == 256) {
      pipe.shift(1);
      pipe.load();
      e.secondary = 0;
      s.ppu_unit_zero_on_line() = e.zero_found;
    }
    const u32 end = to < 320 ? to : 320;
    pass_sprite_fetches(s, pipe, e, line, at, end);
    at = end;
  }
  if (at < to) {
    if (at == 320) {
      e.secondary = 0;
      e.bus = s.ppu_secondary_oam(0);
    }
    pass_prefetch(s, pipe, at, to);
    if (at < 339 && to >= 339) s.ppu_unit_restart() = 2;
    if (to == 340) step_unit_restart(s);
  }
  put_background_pipe(s, pipe);
  put_evaluation(s, e);
  s.ppu_dot() = static_cast<u16>(to);
}

// --- From one line to the next
template <class S>
void move_to_line(S s, u32 line) {
  s.ppu_dot() = 0;
  s.ppu_scanline() = static_cast<u16>(line);
  if (line == 0) s.ppu_odd_frame() ^= 1;
}

// From a line's last dot to the next one's dot 0.
template <class S>
void pass_line_end(S s) {
  const u32 next = s.ppu_scanline() == kPreRenderLine ? 0 : s.ppu_scanline() + 1u;
  step_unit_restart(s);
  move_to_line(s, next);
  if (next < kDrawnLines) {
    s.ppu_address_bus() = background_pattern_address(s.ppu_control(), s.ppu_next_tile(), s.ppu_v());
  }
}

// To dot 0 of the next line, of whose pipeline only v and OAMADDR count because a whole line follows.
template <class S>
void pass_rest_of_line(S s) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  u16 v = s.ppu_v();
  if (line == kPreRenderLine) {
    if (dot < 304) v = with_y_of(v, s.ppu_t());
    if (dot < 1) s.ppu_warming_up() = 0;  // the sprite flags are pass_flags's
    if (dot < 2) s.ppu_vblank() = 0;
  } else if (dot < 256) {
    v = next_row_of(v);
  }
  if (dot < 257) v = with_x_of(v, s.ppu_t());
  s.ppu_v() = after_tiles(v, (dot < 328) + (dot < 336));
  move_to_line(s, line == kPreRenderLine ? 0 : line + 1);
}

// --- Whole lines
template <class S>
__attribute__((noinline)) void record_lines(S s, u32 count) {
  u16 v = s.ppu_v();
  for (u32 line = s.ppu_scanline(), end = line + count; line < end; ++line) {
    s.log->lines[line] = {.v = v,
                          .fine_x = s.ppu_fine_x(),
                          .control = s.ppu_control(),
                          .mask = s.ppu_pipeline_mask(),
                          .kind = LineKind::Rendered};
    v = after_tiles(with_x_of(next_row_of(v), s.ppu_t()), 2);
  }
}

// From dot 0 of a visible line with OAMADDR at 0 to dot 0 of the line `count` lines further down, at most 240; the
// flags are the caller's.
template <class S>
__attribute__((noinline)) void pass_whole_lines(S s, u32 count) {
  const u32 last = s.ppu_scanline() + count - 1;
  const u8 control = s.ppu_control();
  const u16 t = s.ppu_t();

  const u32 found = evaluate_line(s, last);
  s.ppu_unit_zero_on_line() = s.ppu_sprite_zero_found();
  fetch_sprites_of_line(s, last, found);
  s.ppu_unit_counting() = 0xFF;
  s.ppu_unit_restart() = 0;
  s.ppu_oam_address() = 0;
  s.ppu_secondary_address() = 0;
  s.ppu_oam_data_bus() = s.ppu_secondary_oam(0);

  // The first two tiles of the next line, and the third one's number.
  u16 v = with_x_of(after_rows(s.ppu_v(), count), t);
  u8 attribute[2], low[2], high[2];
  for (u32 tile = 0; tile < 2; ++tile) {
    attribute[tile] = s.nametable(attribute_address(v)) >> attribute_shift(v) & 3;
    const u16 pattern = background_pattern_address(control, s.nametable(nametable_address(v)), v);
    low[tile] = s.chr(pattern);
    high[tile] = s.chr(pattern | 8);
    v = next_tile_of(v);
  }
  s.ppu_v() = v;
  s.ppu_background_pattern_low() = static_cast<u16>(low[0] << 8 | low[1]);
  s.ppu_background_pattern_high() = static_cast<u16>(high[0] << 8 | high[1]);
  s.ppu_background_attribute_low() = attribute[0] & 1 ? 0xFF : 0;
  s.ppu_background_attribute_high() = attribute[0] & 2 ? 0xFF : 0;
  s.ppu_background_attribute_latch() = s.ppu_next_attribute() = attribute[1];
  s.ppu_next_low() = low[1];
  s.ppu_next_high() = high[1];
  const u8 tile = s.ppu_next_tile() = s.nametable(nametable_address(v));
  s.ppu_address_bus() = last + 1 < kDrawnLines ? background_pattern_address(control, tile, v) : nametable_address(v);
  move_to_line(s, last + 1);
}

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
// Whether a line that begins at dot 0, `dots` from now, will be as its row describes it.
template <class S>
bool line_will_be_described(S s, u32 line, u32 dots) {
  if (since(s.lazy_ppu_time() + dots, s.lazy_ppu_disturbed_at()) < static_cast<i32>(kDotsPerLine)) return false;
  if (line != 0) return true;
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

}  // namespace line_detail

// --- The jump
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
  if (dot == 0 && line != kPreRenderLine && s.ppu_unit_restart() != 0 && s.ppu_unit_counting() != 0xFF) return 0;
  if (s.log != nullptr && !row_takes_line(s, line, dot)) return 0;

  const bool skips = line == kPreRenderLine && dot < 340 && s.ppu_odd_frame() && (s.ppu_mask() & kMaskRendering);
  const u32 last = skips ? 339 : 340;
  if (dots <= last - dot) {
    pass_in_line(s, dot, dot + dots);
    return dots;
  }
  const bool from_start = dot == 0 && line != kPreRenderLine;
  const u32 rest = from_start ? 0 : last + 1 - dot;
  const u32 first = from_start ? line : line == kPreRenderLine ? 0 : line + 1;
  u32 count = (dots - rest) / kDotsPerLine;
  if (count > kDrawnLines - first) count = kDrawnLines - first;
  if (s.log != nullptr && count != 0 && !from_start && (first == 0 || !line_will_be_described(s, first, rest)))
    count = 0;
  if (s.ppu_oam_address() != 0 && (from_start || dot >= 320)) count = 0;
  if (count == 0 || !pass_flags(s, first + count)) {
    pass_in_line(s, dot, last);
    pass_line_end(s);
    return last + 1 - dot;
  }
  if (!from_start) pass_rest_of_line(s);
  if (s.log != nullptr) record_lines(s, count);
  pass_whole_lines(s, count);
  return rest + count * kDotsPerLine;
}

}  // namespace nesproof::core
