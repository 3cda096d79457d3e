// The eight sprite output units: a counter, two shift registers and an attribute latch each.
// https://www.nesdev.org/wiki/PPU_rendering
//
// A unit counts its x down, then shifts its pattern out, leftmost pixel in bit 7. The units stand in the eight bytes of
// 64-bit words, unit 0 in the lowest byte, so that one dot clocks all of them with a handful of operations; `kHigh` and
// `kOnes` below are the top and the bottom bit of every byte.
//
// Counters run down in every pixel of a visible line, patterns shift only while rendering is on. Dot 339 sends the
// units back to counting, if rendering is on; the signal takes two dots to arrive. So units whose line saw rendering
// switched off at that dot draw at once, whatever their x; and where the odd frame skips dot 340, units that were still
// shifting give their first pixel at x = 0.
#pragma once

#include <array>
#include <bit>

#include "reference/types.hpp"
#include "state/fields.hpp"

namespace nesproof::reference {

struct SpritePixel {
  u8 colour = 0;  // palette in bits 2-3, pattern in bits 0-1; 0: no sprite here
  bool behind = false;
  bool zero = false;  // of unit 0
};

class SpriteUnits {
 public:
  static_assert(std::endian::native == std::endian::little, "unit 0 is the lowest byte");

  u8 restart_dots = 0;        // until the signal of dot 339 arrives; 0: none under way
  bool zero_on_line = false;  // unit 0 holds the sprite that can hit

  // One pixel of a visible line, dots 1-256, in which nothing is shifted: rendering is off, or no unit holds a pattern.
  // The counters are told later.
  void pass_pixel() { ++owed_pixels_; }
  bool empty() const { return (std::bit_cast<u64>(low_) | std::bit_cast<u64>(high_)) == 0; }

  // One pixel of a visible line, dots 1-256, with rendering on.
  SpritePixel clock() {
    const u64 low = std::bit_cast<u64>(low_);
    const u64 high = std::bit_cast<u64>(high_);
    settle();
    count_down();
    const u64 shifting = counting_ ^ kHigh;
    const u64 moved = (shifting >> 7) * 0xFF;
    low_ = std::bit_cast<Bytes>((low & ~moved) | (low & moved & ~kHigh) << 1);
    high_ = std::bit_cast<Bytes>((high & ~moved) | (high & moved & ~kHigh) << 1);

    const u64 opaque = (low | high) & shifting;
    if (opaque == 0) return {};
    const int top_bit = std::countr_zero(opaque);  // of the first unit that shows a pixel
    const auto unit = static_cast<std::size_t>(top_bit) >> 3;
    return {
        .colour = static_cast<u8>((low >> top_bit & 1) | (high >> top_bit & 1) << 1 | (attributes_[unit] & 3u) << 2),
        .behind = (attributes_[unit] & 0x20) != 0,
        .zero = unit == 0 && zero_on_line,
    };
  }

  // Dots 257-320
  void set_attributes(std::size_t unit, u8 value) { attributes_[unit] = value; }
  void set_counter(std::size_t unit, u8 value) {
    settle();
    counter_[unit] = value;
  }
  void set_low(std::size_t unit, u8 value) {
    settle();
    low_[unit] = value;
  }
  void set_high(std::size_t unit, u8 value) {
    settle();
    high_[unit] = value;
  }

  // Dot 339 with rendering on.
  void request_restart() { restart_dots = 2; }
  // Dots 340, 0 and 1, after the pixel, whether rendering is still on or not.
  void step_restart() {
    if (restart_dots == 0 || --restart_dots != 0) return;
    settle();
    counting_ = kHigh;
  }

  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    settle();
    v(f::ppu_unit_counter, counter_);
    v(f::ppu_unit_low, low_);
    v(f::ppu_unit_high, high_);
    v(f::ppu_unit_attributes, attributes_);
    u8 counting = static_cast<u8>((counting_ >> 7) * 0x01020408'10204080 >> 56);  // one bit a unit
    v(f::ppu_unit_counting, counting);
    counting_ = 0;
    for (unsigned unit = 0; unit < 8; ++unit) counting_ |= u64{counting >> unit & 1u} << (unit * 8 + 7);
    v(f::ppu_unit_restart, restart_dots);
    v(f::ppu_unit_zero_on_line, zero_on_line);
  }

 private:
  using Bytes = std::array<u8, 8>;
  static constexpr u64 kOnes = 0x01010101'01010101;
  static constexpr u64 kHigh = kOnes << 7;

  void count_down() {
    const u64 counters = std::bit_cast<u64>(counter_);
    const u64 running = (((counters & ~kHigh) + ~kHigh) | counters) & kHigh;  // counters that are not 0
    counting_ &= running;
    counter_ = std::bit_cast<Bytes>(counters - (running >> 7));
  }
  // Pays the pixels that were passed to the counters: what so many calls of `count_down` would have done.
  void settle() {
    if (owed_pixels_ == 0) return;
    for (std::size_t unit = 0; unit < counter_.size(); ++unit) {
      if (counter_[unit] < owed_pixels_) {
        counter_[unit] = 0;
        counting_ &= ~(u64{0x80} << (unit * 8));
      } else {
        counter_[unit] = static_cast<u8>(counter_[unit] - owed_pixels_);
      }
    }
    owed_pixels_ = 0;
  }

  Bytes counter_{};
  Bytes low_{};
  Bytes high_{};
  Bytes attributes_{};   // bits 0-1 palette, 5 behind the background
  u64 counting_ = 0;     // bit 7 of each byte: the unit waits for its counter
  u32 owed_pixels_ = 0;  // always 0 in a snapshot
};

}  // namespace nesproof::reference
