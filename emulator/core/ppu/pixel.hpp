// From the shift registers to a pixel: https://www.nesdev.org/wiki/PPU_rendering
//
// Pixel x is taken at dot x + 1.
#pragma once

#include "core/ppu/background.hpp"
#include "core/ppu/data_port.hpp"
#include "core/ppu/recording.hpp"
#include "core/ppu/sprite_units.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// The palette entry of background and sprites; a hit of sprite 0 is on its way when it says so.
template <class S>
u32 pixel_entry(S s, u32 x) {
  const u8 mask = s.ppu_pipeline_mask();
  const SpritePixel sprite = clock_units(s);
  u32 background = 0;
  if (x >= first_background_x(mask)) {
    background = background_pixel(s);
    if (!(background & 3)) background = 0;
  }
  if (sprite.colour == 0 || x < first_sprite_x(mask)) return background;
  if (background == 0) return 0x10u | sprite.colour;
  if (sprite.zero && x != 255 && !s.ppu_sprite_zero_hit()) s.ppu_hit_delay() = kHitDots;
  NESPROOF_FAULT(sprite_zero_never_hits, s.ppu_hit_delay() = 0);
  NESPROOF_FAULT(sprites_always_in_front, return 0x10u | sprite.colour);
  return sprite.behind ? background : 0x10u | sprite.colour;
}

// Lines with rendering off: the backdrop, or the palette entry that v points at.
template <class S>
u32 backdrop_entry(S s) {
  const u16 v = s.ppu_v();
  return is_palette(v) ? v & 0x1Fu : 0;
}

}  // namespace nesproof::core
