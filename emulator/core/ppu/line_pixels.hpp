// The pixels of a stretch of dots, for a recorded line that no row describes: https://www.nesdev.org/wiki/PPU_rendering
//
// They follow from the pipeline's state before the stretch, which stays as it is; whoever draws them goes on to pass
// the dots.
#pragma once

#include "core/ppu/line_jump_background.hpp"
#include "core/ppu/recording.hpp"
#include "core/ppu/sprite_units.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

namespace line_detail {

// The sprite units as words, a byte a unit.
struct UnitWords {
  u64 low, high, counters;
  u64 counting;  // the top bit of each
  u64 attributes;

  // The palette entry of the first unit that shows something in this dot, over what the background shows; then all of
  // them go on by a dot.
  u32 clock_over(u32 background, bool shown) {
    const u64 running = (((counters & ~kUnitTops) + ~kUnitTops) | counters) & kUnitTops;
    counters -= running >> 7;
    counting &= running;
    const u64 shifting = counting ^ kUnitTops;
    const u64 opaque = (low | high) & shifting;
    const u64 moved = (shifting >> 7) * 0xFF;
    const u64 low_before = low, high_before = high;
    low = (low & ~moved) | (low & moved & ~kUnitTops) << 1;
    high = (high & ~moved) | (high & moved & ~kUnitTops) << 1;
    if (opaque == 0 || !shown) return background;
    u32 bit = 7;  // of the first such unit
    while (!(opaque >> bit & 1)) bit += 8;
    u32 attribute = static_cast<u32>(attributes >> (bit - 7)) & 0xFF;
    NESPROOF_FAULT(sprites_always_in_front, attribute &= ~0x20u);
    if (background != 0 && attribute & 0x20) return background;
    return 0x10u | (low_before >> bit & 1) | (high_before >> bit & 1) << 1 | (attribute & 3) << 2;
  }
};

template <class S>
UnitWords unit_words(S s) {
  return {
      .low = gather_units([s](u32 i) -> u8& { return s.ppu_unit_low(i); }),
      .high = gather_units([s](u32 i) -> u8& { return s.ppu_unit_high(i); }),
      .counters = gather_units([s](u32 i) -> u8& { return s.ppu_unit_counter(i); }),
      .counting = units_of_bits(s.ppu_unit_counting()),
      .attributes = gather_units([s](u32 i) -> u8& { return s.ppu_unit_attributes(i); }),
  };
}

}  // namespace line_detail

// The pixels of dots `at` + 1 to `to` of the visible line that the PPU is in, at dot `at`, with rendering on and no
// delay under way.
template <class S>
__attribute__((noinline)) void put_line_pixels(S s, u32 at, u32 to) {
  using namespace line_detail;
  if (to > 256) to = 256;
  const u32 line = s.ppu_scanline(), fine_x = s.ppu_fine_x();
  const u8 mask = s.ppu_pipeline_mask();
  BackgroundPipe pipe = background_pipe(s);
  UnitWords units = unit_words(s);
  while (at < to) {
    BackgroundPipe shifted = pipe;
    const u32 end = (at | 7) + 1 < to ? (at | 7) + 1 : to;
    pass_tiles(s, pipe, at, end);
    for (; at < end; ++at) {
      if (at != 0) shifted.shift(1);
      if (at != 0 && (at & 7) == 0) shifted.load();
      u32 background = 0;
      if (at >= first_background_x(mask) && shifted.is_opaque(fine_x)) {
        background = (shifted.low >> (15 - fine_x) & 1) | (shifted.high >> (15 - fine_x) & 1) << 1 |
                     (shifted.attribute_low >> (7 - fine_x) & 1) << 2 |
                     (shifted.attribute_high >> (7 - fine_x) & 1) << 3;
      }
      const u32 entry = units.clock_over(background, at >= first_sprite_x(mask));
      put_pixel(s, line, at, (s.ppu_palette(entry) & colour_mask(mask)) | emphasis(mask));
    }
  }
}

}  // namespace nesproof::core
