// When the sprite flags could rise by themselves: https://www.nesdev.org/wiki/PPU_OAM#Sprite_zero_hits
// https://www.nesdev.org/wiki/PPU_sprite_evaluation#Sprite_overflow_bug
//
// A forecast holds as long as the CPU leaves alone what it was made from, and until the picture's end. It names the
// earliest position at which a flag's cause can come: the dot of a sprite-0 hit's pixel or that of the ninth sprite;
// the flag follows a dot later. Mostly the cause does come there and the forecast is certain; else it is asked for
// again at that position.
//
// Positions count dots from scanline 241, dot 1, where the frame's count changes, to that place in the next frame.
#pragma once

#include "core/ppu/line_jump_background.hpp"
#include "core/ppu/sprite_scan.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// line_jump_steps.hpp
template <class S>
void pay_owed_dots(S s);

namespace line_detail {

constexpr u32 position_of(u32 line, u32 dot) { return (line + 21) % kLinesPerFrame * kDotsPerLine + dot - 1; }
inline constexpr u32 kPictureEnd = position_of(240, 1);

struct Forecast {
  u32 position;
  bool certain;
};
inline constexpr Forecast kNever{kPictureEnd, true};

// --- Kept forecasts: bits 0-16 position, 17-29 the frame's number, 30 certain, 31 valid
template <class S>
u32 forecast_tag(S s) {
  return (static_cast<u32>(s.ppu_frame_count()) & 0x1FFF) << 17 | u32{1} << 31;
}
constexpr bool is_of_frame(u32 word, u32 tag) { return (word & ~u32{0x4001FFFF}) == tag; }
constexpr Forecast kept_forecast(u32 word) { return {word & 0x1FFFF, (word >> 30 & 1) != 0}; }

// --- Sprite-0 hit
// The dot of the first hit pixel in the visible line that the PPU is in, after its dot `at`; 0: none. `to` is the last
// dot of interest.
template <class S>
__attribute__((noinline)) u32 hit_dot_in_line(S s, u32 at, u32 to) {
  const u32 mask = s.ppu_pipeline_mask(), fine_x = s.ppu_fine_x();
  NESPROOF_FAULT(sprite_zero_never_hits, return 0);
  u32 pattern = s.ppu_unit_low(0) | s.ppu_unit_high(0);
  if ((mask & kMaskRendering) != kMaskRendering || !s.ppu_unit_zero_on_line() || pattern == 0) return 0;
  const u32 first_x =
      (mask & (kMaskBackgroundLeft | kMaskSpritesLeft)) == (kMaskBackgroundLeft | kMaskSpritesLeft) ? 0 : 8;
  if (to > 255) to = 255;  // nothing hits at x = 255
  u32 dot = at + 1 + (s.ppu_unit_counting() & 1 ? s.ppu_unit_counter(0) : 0);
  if (dot > to) return 0;
  BackgroundPipe pipe = background_pipe(s);
  for (; pattern & 0xFF; pattern <<= 1, ++dot) {
    if (!(pattern & 0x80) || dot <= first_x) continue;
    if (dot > to) return 0;
    pass_tiles(s, pipe, at, dot);
    at = dot;
    if (pipe.is_opaque(fine_x)) return dot;
  }
  return 0;
}

// Where the background shows something, in the eight pixels from `column` of a line whose first tile is v's.
template <class S>
u32 opaque_background(S s, u8 control, u16 v, u32 column) {
  u32 bits = 0;
  v = after_tiles(v, column >> 3);
  for (u32 tile = 0; tile < 2; ++tile) {
    const u16 address = background_pattern_address(control, s.nametable(nametable_address(v)), v);
    bits = bits << 8 | s.chr(address) | s.chr(address | 8);
    v = next_tile_of(v);
  }
  return bits >> (8 - (column & 7)) & 0xFF;
}

// The first hit in lines `first` to 239, all evaluated from OAM as it is. `v` is that of the first tile of line
// `v_line`.
template <class S>
__attribute__((noinline)) Forecast hit_in_lines(S s, u32 first, u16 v, u32 v_line) {
  const u32 y = s.ppu_oam(0), tile = s.ppu_oam(1), attributes = s.ppu_oam(2), x = s.ppu_oam(3);
  const u32 mask = s.ppu_pipeline_mask();
  const u8 control = s.ppu_control();
  const u32 end = y + sprite_rows(control);  // the last line
  u32 line = y + 1 > first ? y + 1 : first;
  if (line > end || line >= kDrawnLines) return kNever;
  u32 shown = 0xFF;  // pixels that may hit
  if ((mask & (kMaskBackgroundLeft | kMaskSpritesLeft)) != (kMaskBackgroundLeft | kMaskSpritesLeft) && x < 8) {
    shown >>= 8 - x;
  }
  if (x > 247) shown &= 0xFFu << (x - 247);
  v = after_rows(v, line - v_line);
  for (; line <= end && line < kDrawnLines; ++line, v = next_row_of(v)) {
    const u16 address = sprite_pattern_address(control, line - 1, static_cast<u8>(y), static_cast<u8>(tile),
                                               static_cast<u8>(attributes));
    u32 pattern = s.chr(address) | s.chr(address | 8);
    if (attributes & 0x40) pattern = mirrored_row(static_cast<u8>(pattern));
    pattern &= shown;
    if (pattern == 0) continue;
    pattern &= opaque_background(s, control, v, x + s.ppu_fine_x());
    if (pattern == 0) continue;
    u32 dot = x + 1;
    for (; !(pattern & 0x80); pattern <<= 1) ++dot;
    NESPROOF_FAULT(sprite_zero_foretold_a_cycle_late, dot += 3);
    return {position_of(line, dot), true};
  }
  return kNever;
}

template <class S>
__attribute__((noinline)) Forecast make_hit_forecast(S s) {
  if ((s.ppu_pipeline_mask() & kMaskRendering) != kMaskRendering) return kNever;
  NESPROOF_FAULT(sprite_zero_never_hits, return kNever);
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  const bool visible = line < kDrawnLines;
  // v of the first tile of `next`, the line after this one, which is line 0 from vertical blank.
  const u32 next = visible ? line + 1 : 0;
  u16 v = visible || (line == kPreRenderLine && dot >= 304) ? s.ppu_v() : s.ppu_t();
  if (visible && dot < 256) v = next_row_of(v);
  v = with_x_of(v, s.ppu_t());

  u32 first = next;  // line whose sprites follow from OAM as it is
  if (visible) {
    if (dot < 256) {
      if (s.ppu_unit_restart() != 0 && dot == 0 && s.ppu_unit_counting() != 0xFF) return {position_of(line, 0), false};
      if (const u32 hit = hit_dot_in_line(s, dot, 256)) return {position_of(line, hit), true};
    }
    if (dot > 64 || s.ppu_oam_address() != 0) {
      const bool may_come = dot <= 65 || (dot < 257 ? s.ppu_sprite_zero_found() : s.ppu_unit_zero_on_line());
      if (may_come) return next < kDrawnLines ? Forecast{position_of(next, 0), false} : kNever;
      first = next + 1;
    }
  } else {
    const bool may_come = line == kPreRenderLine && dot >= 257
                              ? s.ppu_unit_zero_on_line()
                              : s.ppu_sprite_zero_found() && sprite_on_line(kPreRenderLine, s.ppu_secondary_oam(0), 16);
    if (may_come) return {position_of(0, 0), false};
    first = 1;
  }
  // OAMADDR is at 0 at dot 65 unless it was changed after the sprite fetches.
  if (is_rendered_line(line) && dot >= 320 && s.ppu_oam_address() != 0) {
    if (next + 1 >= kDrawnLines) return kNever;
    return {position_of(next, 64), false};
  }
  return hit_in_lines(s, first, v, next);
}

// --- Sprite overflow
// The first overflow in lines `first` to 239, all evaluated from OAMADDR 0.
template <class S>
__attribute__((noinline)) Forecast overflow_in_lines(S s, u32 first) {
  const u32 height = sprite_rows(s.ppu_control());
  if (!may_be_crowded(s, height)) return kNever;
  const LineSet crowded = crowded_lines(s, height);
  for (u32 word = first >> 6; word < 4; ++word) {
    u64 lines = crowded.words[word];
    if (word == first >> 6) lines &= ~u64{0} << (first & 63);
    for (; lines != 0; lines &= lines - 1) {
      const u32 line = word * 64 + draw_detail::first_of(lines);
      if (line >= kDrawnLines) break;
      if (const u32 dot = overflow_dot(s, line, height)) return {position_of(line, dot), true};
    }
  }
  return kNever;
}

template <class S>
__attribute__((noinline)) Forecast make_overflow_forecast(S s) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  const bool visible = line < kDrawnLines;
  u32 first = visible ? line : 0;
  Evaluation e = evaluation(s);
  u32 from = 64;
  bool from_state = false;  // the first line's search starts from what the state says
  if (visible && dot <= 64) {
    from_state = e.address != 0;
  } else if (visible && dot < 256) {
    from_state = true;
    from = dot;
  } else {
    if (visible) ++first;
    from_state = is_rendered_line(line) && dot >= 320 && e.address != 0;
  }
  if (from_state && first < kDrawnLines) {
    const u32 found = evaluate<false>(s, e, first, sprite_rows(s.ppu_control()), from, 256);
    if (found) return {position_of(first, found), true};
    ++first;
  }
  return overflow_in_lines(s, first);
}

// A row of OAM that waits for row 0 gets it at dot 0 of the next line: nothing is known beyond.
constexpr Forecast until_oam_settles(u32 now) {
  constexpr u32 kNextPicture = position_of(kPreRenderLine, 0);
  return {now < kNextPicture ? kNextPicture : now, false};
}

// --- With what is kept. Rendering is on, no delay is under way, and the position is none of 240, 0 to 241, 0.
template <class S>
Forecast hit_forecast(S s) {
  const u32 tag = forecast_tag(s), word = s.lazy_line_hit();
  const u32 now = position_of(s.ppu_scanline(), s.ppu_dot());
  if (is_of_frame(word, tag) && kept_forecast(word).position > now) return kept_forecast(word);
  if (s.ppu_oam_corrupt()) return until_oam_settles(now);
  pay_owed_dots(s);
  const Forecast made = make_hit_forecast(s);
  s.lazy_line_hit() = tag | u32{made.certain} << 30 | made.position;
  return made;
}
template <class S>
Forecast overflow_forecast(S s) {
  const u32 tag = forecast_tag(s), word = s.lazy_line_overflow();
  const u32 now = position_of(s.ppu_scanline(), s.ppu_dot());
  if (is_of_frame(word, tag) && kept_forecast(word).position > now) return kept_forecast(word);
  if (s.ppu_oam_corrupt()) return until_oam_settles(now);
  pay_owed_dots(s);
  const Forecast made = make_overflow_forecast(s);
  s.lazy_line_overflow() = tag | u32{made.certain} << 30 | made.position;
  return made;
}

}  // namespace line_detail

// Before or after any change of: OAM, OAMADDR, PPUCTRL's sprite size, PPUMASK in the pipeline.
template <class S>
void predictions_void(S s) {
  s.lazy_line_hit() = s.lazy_line_overflow() = 0;
  if constexpr (S::Board::kWatchesA12) s.lazy_board_oam_moved_at() = s.lazy_ppu_time();
}
// Any change of: v, t, fine x, PPUCTRL but for its sprite size, nametables, CHR-RAM.
template <class S>
void hit_prediction_void(S s) {
  s.lazy_line_hit() = 0;
}

// Dots from now in which neither sprite flag changes, unless the CPU accesses a register: never too many.
template <class S>
u32 flags_steady_dots(S s) {
  using namespace line_detail;
  if (s.ppu_mask_delay() | s.ppu_address_delay() | s.ppu_data_delay() | s.ppu_hit_delay() | s.ppu_overflow_delay()) {
    return 0;
  }
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  const bool hit = s.ppu_sprite_zero_hit(), overflow = s.ppu_sprite_overflow();
  if (line == 240 || (line == kVblankLine && dot == 0)) {  // between two pictures: nothing happens
    return (line == 240 ? kDotsPerLine - dot : 0) + (kPreRenderLine - kVblankLine) * kDotsPerLine;
  }
  const u32 now = position_of(line, dot);
  const u32 clearing = position_of(kPreRenderLine, 1);
  if ((hit || overflow) && now < clearing) return clearing - 1 - now;
  u32 until = kPictureEnd;
  if (rendering_enabled(s)) {
    if (!hit) until = hit_forecast(s).position;
    if (!overflow) {
      const u32 at = overflow_forecast(s).position;
      if (at < until) until = at;
    }
  }
  if (until <= now) return 0;
  // An odd frame leaves a dot out.
  const bool skips = now < position_of(0, 0) && until >= position_of(0, 0) && s.ppu_odd_frame();
  return until - now - (skips ? 1 : 0);
}

}  // namespace nesproof::core
