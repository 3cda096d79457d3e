// The steps that a jump over rendered lines is made of: https://www.nesdev.org/wiki/PPU_rendering
#pragma once

#include "core/ppu/line_jump_background.hpp"
#include "core/ppu/line_jump_sprites.hpp"
#include "core/ppu/prediction.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

namespace line_detail {

// lazy_line_owed, for the line that the PPU is in or, after line 239, for line 240:
inline constexpr u16 kOwesStart = 0x8000;  // the pipeline at its dot 0, but for v, OAMADDR and what says if units count
inline constexpr u16 kOwesDots = 0x4000;   // the dots from the one in the low bits on, none of which raises a flag
inline constexpr u16 kOwedFrom = 0x01FF;

// --- Within a line
// Dots 1-256 of a visible line, but for the background. `until` is where the jump ends; no sprite-0 hit is looked for
// unless `kHits`.
template <bool kHits, class S>
__attribute__((noinline)) void pass_picture_sprites(S s, Evaluation& e, u32 line, u32 at, u32 to, u32 until) {
  if (kHits && !s.ppu_sprite_zero_hit()) {
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
template <bool kHits = true, class S>
__attribute__((noinline)) void pass_in_line(S s, u32 at, u32 to) {
  const u32 line = s.ppu_scanline();
  BackgroundPipe pipe = background_pipe(s);
  Evaluation e = evaluation(s);
  if (at < 256) {
    const u32 end = to < 256 ? to : 256;
    if (line != kPreRenderLine) {
      pass_picture_sprites<kHits>(s, e, line, at, end, to);
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
  NESPROOF_FAULT(odd_frames_not_shorter, s.ppu_odd_frame() = 0);
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

// From dot `dot`, which v is of, to dot 0 of the next line, when only v and OAMADDR count because a whole line follows.
template <class S>
void pass_rest_of_line(S s, u32 dot) {
  const u32 line = s.ppu_scanline();
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
// What undisturbed dots of line `last` leave of the pipeline at dot 0 of the next line, whose v is there already.
template <class S>
__attribute__((noinline)) void make_line_start(S s, u32 last) {
  const u8 control = s.ppu_control();
  fetch_sprites_of_line(s, last, last == kPreRenderLine ? 8 : evaluate_line(s, last));
  s.ppu_secondary_address() = 0;
  s.ppu_oam_data_bus() = s.ppu_secondary_oam(0);

  // The first two tiles of the line, and the third one's number.
  u16 v = after_tiles(s.ppu_v(), 64 - 2);
  u8 attribute[2], low[2], high[2];
  for (u32 tile = 0; tile < 2; ++tile) {
    attribute[tile] = s.nametable(attribute_address(v)) >> attribute_shift(v) & 3;
    const u16 pattern = background_pattern_address(control, s.nametable(nametable_address(v)), v);
    low[tile] = s.chr(pattern);
    high[tile] = s.chr(pattern | 8);
    v = next_tile_of(v);
  }
  s.ppu_background_pattern_low() = static_cast<u16>(low[0] << 8 | low[1]);
  s.ppu_background_pattern_high() = static_cast<u16>(high[0] << 8 | high[1]);
  s.ppu_background_attribute_low() = attribute[0] & 1 ? 0xFF : 0;
  s.ppu_background_attribute_high() = attribute[0] & 2 ? 0xFF : 0;
  s.ppu_background_attribute_latch() = s.ppu_next_attribute() = attribute[1];
  s.ppu_next_low() = low[1];
  s.ppu_next_high() = high[1];
  const u8 tile = s.ppu_next_tile() = s.nametable(nametable_address(v));
  if (last + 1 != kDrawnLines) {
    s.ppu_address_bus() = background_pattern_address(control, tile, v);
  } else if (s.ppu_scanline() == kDrawnLines && s.ppu_dot() == 0) {  // later on it shows v, and has been put
    s.ppu_address_bus() = nametable_address(v);
  }
}

// From dot 0 of a visible line with OAMADDR at 0 to dot 0 of the line `count` lines further down, at most 240. The
// flags are the caller's, and the pipeline is owed.
template <class S>
void pass_whole_lines(S s, u32 count) {
  const u32 last = s.ppu_scanline() + count - 1;
  s.ppu_v() = after_tiles(with_x_of(after_rows(s.ppu_v(), count), s.ppu_t()), 2);
  const bool zero = sprite_on_line(last, s.ppu_oam(0), sprite_rows(s.ppu_control()));
  s.ppu_sprite_zero_found() = s.ppu_unit_zero_on_line() = zero;
  s.ppu_unit_counting() = 0xFF;
  s.ppu_unit_restart() = 0;
  s.ppu_oam_address() = 0;
  move_to_line(s, last + 1);
  s.lazy_line_owed() = kOwesStart;
}

// From dot `dot` of line 261, at most 256, to dot 0 of line 0. The sprite flags are the caller's, and the pipeline is
// owed.
template <class S>
void pass_pre_render_line(S s, u32 dot, bool skips) {
  pass_rest_of_line(s, dot);
  s.ppu_unit_zero_on_line() = s.ppu_sprite_zero_found();
  s.ppu_oam_address() = 0;
  s.ppu_unit_restart() = skips ? 1 : 0;
  if (!skips) s.ppu_unit_counting() = 0xFF;
  s.lazy_line_owed() = kOwesStart;
}

template <class S>
__attribute__((noinline)) void pay_all_dots(S s) {
  const u32 owed = s.lazy_line_owed(), line = s.ppu_scanline();
  s.lazy_line_owed() = 0;
  if (owed & kOwesStart) {
    make_line_start(s, line == 0 ? kPreRenderLine : (line < kDrawnLines ? line : kDrawnLines) - 1);
  }
  if (owed & kOwesDots) pass_in_line<false>(s, owed & kOwedFrom, s.ppu_dot());
}

}  // namespace line_detail

// Makes what jumps have left undone. Before anything looks at the pipeline or changes what it follows from: PPUCTRL but
// for bits 0, 1 and 7, v, OAM, OAMADDR, CHR and nametables. Flags, position and t are never owed.
template <class S>
void pay_owed_dots(S s) {
  if (s.lazy_line_owed() != 0) line_detail::pay_all_dots(s);
}

}  // namespace nesproof::core
