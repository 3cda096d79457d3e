// The eight sprite output units: a counter, two shift registers and an attribute latch each.
// https://www.nesdev.org/wiki/PPU_rendering
//
// A unit counts its x down, then shifts its pattern out, leftmost pixel in bit 7. The units stand in the eight bytes of
// 64-bit words, unit 0 in the lowest byte, so that one dot clocks all of them with a handful of operations; `kHigh` and
// `kOnes` below are the top and the bottom bit of every byte.
//
// Dot 339 sends the units back to counting, if rendering is on. It takes two dots to arrive. So units whose line saw
// rendering switched off at that dot draw at once, whatever their x; and where the odd frame skips dot 340, units that
// were still shifting give their first pixel at x = 0.
#pragma once

#include <array>
#include <bit>

#include "reference/types.hpp"

namespace nesproof::reference {

struct SpritePixel {
  u8 colour = 0;  // palette in bits 2-3, pattern in bits 0-1; 0: no sprite here
  bool behind = false;
  bool zero = false;  // of unit 0
};

struct SpriteUnits {
  static_assert(std::endian::native == std::endian::little, "unit 0 is the lowest byte");

  std::array<u8, 8> counter{};
  std::array<u8, 8> low{};
  std::array<u8, 8> high{};
  std::array<u8, 8> attributes{};  // bits 0-1 palette, 5 behind the background
  u64 counting = 0;                // bit 7 of each byte: the unit waits for its counter
  u8 restart_dots = 0;             // until the signal of dot 339 arrives; 0: none under way
  bool zero_on_line = false;       // unit 0 holds the sprite that can hit

  // One pixel: dots 1-256 of a visible line.
  SpritePixel clock() {
    const u64 counters = std::bit_cast<u64>(counter);
    const u64 running = (((counters & ~kHigh) + ~kHigh) | counters) & kHigh;  // counters that are not 0
    counting &= running;
    counter = std::bit_cast<std::array<u8, 8>>(counters - (running >> 7));

    u64 low_bits = std::bit_cast<u64>(low);
    u64 high_bits = std::bit_cast<u64>(high);
    if ((low_bits | high_bits) == 0) return {};

    const u64 shifting = counting ^ kHigh;
    SpritePixel pixel;
    if (const u64 opaque = (low_bits | high_bits) & shifting) {
      const int first = std::countr_zero(opaque);  // bit 7 of the first unit with a pixel
      const int unit = first >> 3;
      pixel.colour = static_cast<u8>((low_bits >> first & 1) | (high_bits >> first & 1) << 1 |
                                     (attributes[static_cast<unsigned>(unit)] & 3u) << 2);
      pixel.behind = attributes[static_cast<unsigned>(unit)] & 0x20;
      pixel.zero = unit == 0 && zero_on_line;
    }
    const u64 moved = (shifting >> 7) * 0xFF;
    low = std::bit_cast<std::array<u8, 8>>((low_bits & ~moved) | (low_bits & moved & ~kHigh) << 1);
    high = std::bit_cast<std::array<u8, 8>>((high_bits & ~moved) | (high_bits & moved & ~kHigh) << 1);
    return pixel;
  }

  // `counting` with one bit a unit, as snapshots have it.
  u8 counting_units() const { return static_cast<u8>((counting >> 7) * 0x01020408'10204080 >> 56); }
  void set_counting_units(u8 units) {
    counting = 0;
    for (unsigned unit = 0; unit < 8; ++unit) counting |= u64{units >> unit & 1u} << (unit * 8 + 7);
  }

  // Dot 339 with rendering on.
  void request_restart() { restart_dots = 2; }
  // Dots 340, 0 and 1, after the pixel.
  void step_restart() {
    if (restart_dots != 0 && --restart_dots == 0) counting = kHigh;
  }

 private:
  static constexpr u64 kOnes = 0x01010101'01010101;
  static constexpr u64 kHigh = kOnes << 7;
};

}  // namespace nesproof::reference
