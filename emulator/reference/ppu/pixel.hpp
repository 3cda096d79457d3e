// From the shift registers to a colour: https://www.nesdev.org/wiki/PPU_rendering
//
// Pixel x is taken at dot x + 1. The chip shows it three dots later; the frame here is indexed by x.
#pragma once

#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

inline void Ppu::put_pixel(std::size_t x, u8 colour) {
  frame_[scanline_ * kWidth + x] = static_cast<u16>((colour & colour_mask_) | emphasis_);
}

// --- Dots 1-256 of a visible line with rendering on
inline void Ppu::draw_pixel() {
  const u16 x = dot_ - 1;
  const u8 background = x >= first_background_x_ ? background_.pixel(scroll_.fine_x) : 0;
  const bool background_seen = background & 3;
  u8 entry = background_seen ? background : 0;

  const SpritePixel sprite = units_.clock();
  if (dot_ == 1 && units_.restart_dots != 0) units_.step_restart();
  if (sprite.colour & 3 && x >= first_sprite_x_) {
    if (sprite.zero && background_seen && x != 255 && !status_.sprite_zero_hit) delay_dots_[kHitDelay] = kHitDots;
    if (!background_seen || !sprite.behind) entry = 0x10 | sprite.colour;
  }
  put_pixel(x, palette_.entries[entry]);
}

// --- Dots 1-256 of a visible line with rendering off: the backdrop, or the palette entry that v points at
inline void Ppu::draw_backdrop() {
  const u8 entry = Palette::holds(scroll_.v) ? scroll_.v & 0x1F : 0;
  put_pixel(dot_ - 1u, palette_.entries[entry]);
}

}  // namespace nesproof::reference
