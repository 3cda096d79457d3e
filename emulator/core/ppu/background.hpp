// The background's shift registers and fetches: https://www.nesdev.org/wiki/PPU_rendering
//
//   bit 15                 8 7                      0
//      [ tile being shown   | tile that comes next   ]  <- 0   pattern, low plane
//      [ tile being shown   | tile that comes next   ]  <- 1   pattern, high plane
//      [ 8 pixels' palette  ] <- latch                         attribute, a bit each
//            ^ fine x picks the bit (15 - x)
#pragma once

#include "core/ppu/fetch.hpp"

namespace nesproof::core {

template <class S>
void shift_background(S s) {
  const u32 latch = s.ppu_background_attribute_latch();
  u16& low = s.ppu_background_pattern_low();
  u16& high = s.ppu_background_pattern_high();
  u8& attribute_low = s.ppu_background_attribute_low();
  u8& attribute_high = s.ppu_background_attribute_high();
  low = static_cast<u16>(low << 1);
  high = static_cast<u16>(high << 1 | 1);
  attribute_low = static_cast<u8>(attribute_low << 1 | (latch & 1));
  attribute_high = static_cast<u8>(attribute_high << 1 | latch >> 1);
}

template <class S>
void load_background(S s) {
  u16& low = s.ppu_background_pattern_low();
  u16& high = s.ppu_background_pattern_high();
  low = static_cast<u16>((low & 0xFF00) | s.ppu_next_low());
  high = static_cast<u16>((high & 0xFF00) | s.ppu_next_high());
  s.ppu_background_attribute_latch() = s.ppu_next_attribute();
}

// Palette in bits 2-3, pattern in bits 0-1.
template <class S>
u32 background_pixel(S s) {
  const u32 fine_x = s.ppu_fine_x();
  return (s.ppu_background_pattern_low() >> (15 - fine_x) & 1u) |
         (s.ppu_background_pattern_high() >> (15 - fine_x) & 1u) << 1 |
         (s.ppu_background_attribute_low() >> (7 - fine_x) & 1u) << 2 |
         (s.ppu_background_attribute_high() >> (7 - fine_x) & 1u) << 3;
}

// Dots 1-256 and 321-336.
template <class S>
void fetch_background(S s, u32 dot) {
  const u16 v = s.ppu_v();
  const auto pattern = [s, v] { return background_pattern_address(s.ppu_control(), s.ppu_next_tile(), v); };
  switch (dot & 7) {
    case 1: put_address(s, nametable_address(v)); break;
    case 2: s.ppu_next_tile() = fetch(s, nametable_address(v)); break;
    case 3: put_address(s, attribute_address(v)); break;
    case 4: s.ppu_next_attribute() = fetch(s, attribute_address(v)) >> attribute_shift(v) & 3; break;
    case 5: put_address(s, pattern()); break;
    case 6: s.ppu_next_low() = fetch(s, pattern()); break;
    case 7: put_address(s, pattern() | 8); break;
    default:
      s.ppu_next_high() = fetch(s, pattern() | 8);
      const u16 next = next_tile_of(v);
      s.ppu_v() = dot == 256 ? next_row_of(next) : next;
      break;
  }
}

}  // namespace nesproof::core
