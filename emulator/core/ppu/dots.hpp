// One dot, exactly: https://www.nesdev.org/wiki/PPU_rendering
//
//   dot        visible lines 0-239                          pre-render line 261
//   0          a pattern address that nobody reads          the address pins still show v
//   1          first pixel                                  sprite flags are cleared (2: vblank, for the CPU)
//   1-256      tile fetches, 8 dots each; pixels; sprite    tile fetches
//              evaluation
//   256        v moves down                                 v moves down
//   257        v takes x from t                             v takes x from t
//   257-320    sprite fetches, 8 dots each; OAMADDR is 0    the same
//   280-304                                                 v takes y from t
//   321-336    the next line's first two tiles              the same
//   337-340    two fetches that nobody uses                 the same; 340 is skipped in odd frames
//   339        sprite units are sent back to counting       the same
//
// Lines 240-260 idle, but for the end of the frame at 241, 1 and the vblank flag at 241, 2. All of it needs rendering
// to be on, except the flags, the drawing of the backdrop, and the counters of the sprite units. Where nothing is
// rendered, the address pins show v; from the picture's end they do from line 240, dot 1.
#pragma once

#include "core/ppu/delays.hpp"
#include "core/ppu/line_jump_steps.hpp"
#include "core/ppu/open_bus.hpp"
#include "core/ppu/pixel.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// --- Landmarks, wherever they are passed
template <class S>
__attribute__((noinline)) void end_frame(S s) {
  s.ppu_frame_ended() = 1;
  ++s.ppu_frame_count();
  age_open_bus(s);
  // Times that are to be compared stay near.
  s.lazy_ppu_anchor_cycle() += (s.lazy_ppu_time() - 3 * s.lazy_ppu_anchor_cycle()) / 3;
  if (since(s.lazy_ppu_steady_until(), s.lazy_ppu_anchor_cycle()) < 0) {
    s.lazy_ppu_steady_until() = s.lazy_ppu_anchor_cycle();
  }
  if constexpr (S::Board::kWatchesA12) keep_a12_near(s);
}
template <class S>
void raise_vblank(S s) {
  s.ppu_vblank() = !s.ppu_vblank_suppressed();
  s.ppu_vblank_suppressed() = 0;
}
template <class S>
void clear_sprite_flags(S s) {
  s.ppu_sprite_zero_hit() = 0;
  s.ppu_sprite_overflow() = 0;
  s.ppu_warming_up() = 0;
}

// --- Position
// Dot 340 of a line, and what comes after it. An odd frame leaves out the dot 340 of its pre-render line if rendering
// is on when it would begin; a write to PPUMASK counts here with the first dot after it.
template <class S>
void end_line(S s) {
  u16& dot = s.ppu_dot();
  u16& line = s.ppu_scanline();
  step_unit_restart(s);
  if (dot == kDotsPerLine - 1) {
    const bool skipped = line == kPreRenderLine && s.ppu_odd_frame() && (early_mask(s) & kMaskRendering);
    if (!skipped) return;
  }
  dot = 0;
  if (line != kPreRenderLine) {
    ++line;
    return;
  }
  line = 0;
  s.ppu_odd_frame() ^= 1;
  NESPROOF_FAULT(odd_frames_not_shorter, s.ppu_odd_frame() = 0);
}

// --- Dots with rendering on
template <class S>
void visible_tile_dot(S s, u32 line, u32 dot) {
  if (dot <= 64) {
    if (dot & 1) {
      s.ppu_oam_data_bus() = 0xFF;
    } else {
      u8& secondary = s.ppu_secondary_address();
      s.ppu_secondary_oam(secondary) = 0xFF;
      secondary = (secondary + 1) & 31;
    }
  } else if (dot & 1) {
    read_oam_dot(s, dot);
  } else if (evaluate_dot(s, line, dot)) {
    s.ppu_overflow_delay() = kOverflowDots;
  }
}

template <class S>
void tile_dot(S s, u32 line, u32 dot) {
  const bool visible = line != kPreRenderLine;
  if (visible) visible_tile_dot(s, line, dot);
  if (dot != 1) {
    shift_background(s);
    if ((dot & 7) == 1) load_background(s);
  }
  if (visible) {
    const u32 entry = pixel_entry(s, dot - 1);
    if (s.log != nullptr && line_takes_pixels(s)) record_pixel(s, dot - 1, entry);
    if (dot == 1) step_unit_restart(s);
  }
  fetch_background(s, dot);
}

template <class S>
void rendering_dot(S s, u32 line, u32 dot) {
  if (dot == 0) {
    if (s.ppu_oam_corrupt()) {
      memory_will_change(s);
      predictions_void(s);
      take_over_oam_row_zero(s);
    }
    if (line != kPreRenderLine)
      put_address(s, background_pattern_address(s.ppu_control(), s.ppu_next_tile(), s.ppu_v()));
  } else if (dot <= 256) {
    tile_dot(s, line, dot);
  } else if (dot <= 320) {
    if (dot == 257) {
      shift_background(s);
      load_background(s);
      s.ppu_secondary_address() = 0;
      s.ppu_unit_zero_on_line() = s.ppu_sprite_zero_found();
    }
    fetch_sprite_dot(s, line, dot);
    if (dot == 257) s.ppu_v() = with_x_of(s.ppu_v(), s.ppu_t());  // the address of this dot is still the old one
  } else if (dot <= 336) {
    if (dot == 321) {
      s.ppu_secondary_address() = 0;
      s.ppu_oam_data_bus() = s.ppu_secondary_oam(0);
    } else {
      shift_background(s);
      if (dot == 329) load_background(s);
    }
    fetch_background(s, dot);
  } else {
    if (dot == 337) {
      shift_background(s);
      load_background(s);
    }
    const u16 address = nametable_address(s.ppu_v());
    if (dot & 1) {
      put_address(s, address);
    } else {
      s.ppu_next_tile() = fetch(s, address);
    }
    if (dot == 339) s.ppu_unit_restart() = 2;
  }
  if (line == kPreRenderLine && dot >= 280 && dot <= 304) s.ppu_v() = with_y_of(s.ppu_v(), s.ppu_t());
}

// --- Dots of lines 0-239 with rendering off
template <class S>
void blank_dot(S s, u32 dot) {
  if (dot - 1 >= 256) return;
  if (s.log != nullptr && line_takes_pixels(s)) record_pixel(s, dot - 1, backdrop_entry(s));
  count_units_down(s, 1);
  if (dot == 1) step_unit_restart(s);
}

// What dot by dot means for the picture: where nothing has described the line, its pixels are put.
template <class S>
void begin_line_of_pixels(S s, u32 line, u32 dot) {
  if (s.log != nullptr && dot == 1 && line < kDrawnLines) s.log->lines[line].kind = LineKind::Pixels;
}

template <class S>
__attribute__((noinline)) void make_dot(S s) {
  pay_owed_dots(s);
  ++s.lazy_ppu_time();
  if (++s.ppu_dot() >= kDotsPerLine - 1) end_line(s);
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  begin_line_of_pixels(s, line, dot);
  if (delay_pending(s)) step_delays(s);
  if (line < kDrawnLines) {
    rendering_enabled(s) ? rendering_dot(s, line, dot) : blank_dot(s, dot);
  } else if (line == kPreRenderLine) {
    if (dot == 1) clear_sprite_flags(s);
    if (dot == 2) s.ppu_vblank() = 0;
    if (rendering_enabled(s)) rendering_dot(s, line, dot);
  } else if (line == kVblankLine) {
    if (dot == 1) end_frame(s);
    if (dot == 2) raise_vblank(s);
  } else if (line == kDrawnLines && dot == 1) {
    put_address(s, s.ppu_v() & 0x3FFF);
  }
}

}  // namespace nesproof::core
