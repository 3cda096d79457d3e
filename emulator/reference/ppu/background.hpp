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
  // What is shifted in: bit 16 always, and the attribute latch in bits 40 and 56.
  u64 serial_input = kHighPlaneInput;

  // What the fetches of this tile have brought so far.
  u8 next_tile = 0;
  u8 next_attribute = 0;  // 2 bits
  u8 next_low = 0;
  u8 next_high = 0;

  // Dots 2-257 and 322-337.
  void shift() {
    constexpr u64 kKept = 0xFE00FE00'FFFEFFFE;
    shifters = (shifters << 1 & kKept) | serial_input;
  }

  // Dots 9, 17 ... 257, 329 and 337, after the shift.
  void load() {
    shifters = (shifters & ~u64{0x00FF00FF}) | next_low | u64{next_high} << 16;
    set_attribute_latch(next_attribute);
  }

  // Palette in bits 2-3, pattern in bits 0-1: bit (15 - fine x) of each register. The product moves bits 0, 16, 32 and
  // 48 to bits 48 to 51.
  u8 pixel(u8 fine_x) const {
    constexpr u64 kLowestBits = 0x00010001'00010001;
    constexpr u64 kGather = u64{1} << 48 | u64{1} << 33 | u64{1} << 18 | u64{1} << 3;
    return static_cast<u8>((shifters >> (15 - fine_x) & kLowestBits) * kGather >> 48);
  }

  u8 attribute_latch() const { return static_cast<u8>((serial_input >> 40 & 1) | (serial_input >> 55 & 2)); }
  void set_attribute_latch(u8 palette) {
    serial_input = kHighPlaneInput | u64{palette & 1u} << 40 | u64{palette & 2u} << 55;
  }

 private:
  static constexpr u64 kHighPlaneInput = u64{1} << 16;
};

}  // namespace nesproof::reference
