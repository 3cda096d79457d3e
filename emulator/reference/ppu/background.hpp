// The background's latches and shift registers: https://www.nesdev.org/wiki/PPU_rendering
//
//   bit 15                 8 7                      0
//      [ tile being shown   | tile that comes next   ]  <- 1   pattern, high plane
//      [ tile being shown   | tile that comes next   ]  <- 0   pattern, low plane
//      [ 8 pixels' palette  ] <- latch                         attribute, high bit
//      [ 8 pixels' palette  ] <- latch                         attribute, low bit
//            ^ fine x picks the bit (15 - x)
//
// The serial inputs of the pattern registers are tied, low to 0 and high to 1. That is seen only where rendering is off
// at the dot that would have loaded the next tile.
#pragma once

#include "reference/types.hpp"

namespace nesproof::reference {

struct Background {
  // The four registers, 16 bits each and shifted as one: pattern low in bits 0-15, pattern high in 16-31, attribute low
  // in 40-47, attribute high in 56-63 (the low bytes of the attribute lanes stay 0).
  u64 shifters = 0;
  u8 attribute_latch = 0;  // 2 bits: the palette that is shifted in

  // What the fetches of this tile have brought so far.
  u8 next_tile = 0;
  u8 next_attribute = 0;  // 2 bits
  u8 next_low = 0;
  u8 next_high = 0;

  // Dots 2-257 and 322-337.
  void shift() {
    constexpr u64 kKept = 0xFE00FE00'FFFEFFFE;
    constexpr u64 kHighPlaneInput = u64{1} << 16;
    const u64 attribute_input = u64{attribute_latch & 1u} << 40 | u64{attribute_latch & 2u} << 55;
    shifters = (shifters << 1 & kKept) | kHighPlaneInput | attribute_input;
  }

  // Dots 9, 17 ... 257, 329 and 337, after the shift.
  void load() {
    shifters = (shifters & ~u64{0x00FF00FF}) | next_low | u64{next_high} << 16;
    attribute_latch = next_attribute;
  }

  // Palette in bits 2-3, pattern in bits 0-1.
  u8 pixel(u8 fine_x) const {
    const u64 bits = shifters >> (15 - fine_x);
    return static_cast<u8>((bits & 1) | (bits >> 15 & 2) | (bits >> 30 & 4) | (bits >> 45 & 8));
  }
};

}  // namespace nesproof::reference
