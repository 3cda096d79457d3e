// Which dot does what: https://www.nesdev.org/wiki/PPU_rendering
//
//   dot        visible lines 0-239                          pre-render line 261
//   0          idle                                         idle
//   1          first pixel                                  sprite flags are cleared (2: vblank, for the CPU)
//   1-256      tile fetches, 8 dots each; pixels; sprite    tile fetches
//              evaluation
//   256        v moves down                                 v moves down
//   257        v takes x from t                             v takes x from t
//   257-320    sprite fetches, 8 dots each; OAMADDR is 0    the same
//   280-304                                                 v takes y from t
//   321-336    the next line's first two tiles              the same
//   337-340    two fetches that nobody uses                 the same; 340 is skipped in odd frames
//   339        sprite units begin to count                  the same
//
// Lines 240-260 idle, but for the end of the frame at 241, 1 and the vblank flag. All of it needs rendering to be on,
// except the flags and the drawing of the backdrop.
#pragma once

#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

inline void Ppu::tick() {
  // The skipped dot needs rendering to be on when it would begin.
  if (++dot_ >= kDots - 1 && (dot_ == kDots || (scanline_ == kPreRenderLine && odd_frame_ && rendering_))) end_line();
  if (std::bit_cast<u64>(delay_dots_) != 0) step_delays();

  if (scanline_ < kHeight) {
    rendering_ ? visible_dot() : forced_blank_dot();
  } else if (scanline_ == kPreRenderLine) {
    pre_render_dot();
  } else if (scanline_ == kVblankLine) {
    blanking_dot();
  }
}

// --- Lines 0-239 with rendering on
inline void Ppu::visible_dot() {
  if (dot_ - 1u >= 256u) return line_end_dot();

  if (dot_ <= 64) {
    sprites_.clear(dot_);
  } else {
    if (dot_ == 65) sprites_.start();
    if (dot_ & 1) {
      sprites_.read_oam();
    } else if (sprites_.evaluate(scanline_, control_.sprite_height(), dot_ == 66)) {
      status_.sprite_overflow = true;
    }
  }
  if (dot_ != 1) {
    background_.shift();
    if ((dot_ & 7) == 1) background_.load();
  }
  draw_pixel();
  fetch_background();
}

// --- Line 261
inline void Ppu::pre_render_dot() {
  if (dot_ == 1) {
    status_.sprite_zero_hit = false;
    status_.sprite_overflow = false;
    warming_up_ = false;
  } else if (dot_ == 2) {
    status_.vblank = false;
  }
  if (!rendering_) return;
  if (dot_ - 1u >= 256u) {
    line_end_dot();
    if (dot_ >= 280 && dot_ <= 304) scroll_.copy_y();
    return;
  }
  if (dot_ != 1) {
    background_.shift();
    if ((dot_ & 7) == 1) background_.load();
  }
  fetch_background();
}

// --- Dots 257-340 and 0 of a line with rendering on
inline void Ppu::line_end_dot() {
  if (dot_ == 0) {
    if (units_.restart_dots != 0) units_.step_restart();
    if (sprites_.corrupt) sprites_.take_over_row_zero();
  } else if (dot_ <= 320) {
    if (dot_ == 257) {
      background_.shift();
      background_.load();
      scroll_.copy_x();
      sprites_.secondary_address = 0;
      units_.zero_on_line = sprites_.zero_found;
    }
    fetch_sprite();
  } else if (dot_ <= 336) {
    if (dot_ == 321) {
      sprites_.finish_line();
    } else {
      background_.shift();
      if (dot_ == 329) background_.load();
    }
    fetch_background();
  } else {
    if (dot_ == 337) {
      background_.shift();
      background_.load();
    }
    if (dot_ & 1) {
      put_address(scroll_.nametable_address());
    } else {
      background_.next_tile = fetch(scroll_.nametable_address());
    }
    if (dot_ == 339) {
      units_.request_restart();
    } else if (dot_ == 340) {
      units_.step_restart();
    }
  }
}

// --- Lines 0-239 with rendering off
inline void Ppu::forced_blank_dot() {
  if (dot_ - 1u < 256u) draw_backdrop();
}

// --- Line 241
inline void Ppu::blanking_dot() {
  if (dot_ == 1) {
    enter_frame_end();
  } else if (dot_ == 2) {
    status_.vblank = !vblank_suppressed_;
    vblank_suppressed_ = false;
  }
}

}  // namespace nesproof::reference
