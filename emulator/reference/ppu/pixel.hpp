// From the shift registers to a colour: https://www.nesdev.org/wiki/PPU_rendering
//
// Pixel x is taken at dot x + 1. The chip shows it three dots later; the frame here is indexed by x.
#pragma once

#include "faults/hooks.hpp"
#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

inline void Ppu::put_pixel(std::size_t x, u8 colour) {
  frame_[scanline_ * kWidth + x] = static_cast<u16>((colour & colour_mask_) | emphasis_);
}

// --- Dots 1-256 of a visible line with rendering on
inline void Ppu::draw_pixel() {
  const u16 x = dot_ - 1;
  const u8 background = x >= first_background_x_ ? background_.pixel(scroll_.fine_x) : 0;
  u8 entry = background & 3 ? background : 0;
  if (units_.empty()) {
    units_.pass_pixel();
  } else {
    entry = put_sprites_before(entry, x);
  }
  put_pixel(x, palette_.entries[entry]);
}

// The palette entry after the sprites have had their say; `background` is 0 where the background is transparent.
[[gnu::noinline]] inline u8 Ppu::put_sprites_before(u8 background, u16 x) {
  const SpritePixel sprite = units_.clock();
  if ((sprite.colour & 3) == 0 || x < first_sprite_x_) return background;
  if (background == 0) return 0x10 | sprite.colour;
  if (sprite.zero && x != 255 && !status_.sprite_zero_hit) delay_dots_[kHitDelay] = kHitDots;
  NESPROOF_FAULT(sprite_zero_never_hits, delay_dots_[kHitDelay] = 0);
  NESPROOF_FAULT(sprites_always_in_front, return 0x10 | sprite.colour);
  return sprite.behind ? background : 0x10 | sprite.colour;
}

// --- Dots 1-256 of a visible line with rendering off: the backdrop, or the palette entry that v points at
inline void Ppu::draw_backdrop() {
  const u8 entry = Palette::holds(scroll_.v) ? scroll_.v & 0x1F : 0;
  put_pixel(dot_ - 1u, palette_.entries[entry]);
}

}  // namespace nesproof::reference
