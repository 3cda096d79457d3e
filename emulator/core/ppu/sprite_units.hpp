// The eight sprite output units: a counter, two shift registers and an attribute latch each.
// https://www.nesdev.org/wiki/PPU_rendering
//
// A unit counts its x down, then shifts its pattern out, leftmost pixel in bit 7. The eight stand in the bytes of
// 64-bit words, unit 0 in the lowest, so that one dot clocks all of them. Counters run in every pixel of a visible
// line, patterns shift only while rendering is on. Dot 339 with rendering on sends the units back to counting, two dots
// later.
#pragma once

#include "core/ppu/fetch.hpp"

namespace nesproof::core {

inline constexpr u64 kUnitOnes = 0x0101010101010101;  // the lowest bit of every unit
inline constexpr u64 kUnitTops = kUnitOnes << 7;

// Eight bytes as a word and back; compilers make one access of them where they lie together.
template <class Element>
u64 gather_units(Element element) {
  return u64{element(0)} | u64{element(1)} << 8 | u64{element(2)} << 16 | u64{element(3)} << 24 |
         u64{element(4)} << 32 | u64{element(5)} << 40 | u64{element(6)} << 48 | u64{element(7)} << 56;
}
template <class Element>
void scatter_units(Element element, u64 word) {
  element(0) = static_cast<u8>(word);
  element(1) = static_cast<u8>(word >> 8);
  element(2) = static_cast<u8>(word >> 16);
  element(3) = static_cast<u8>(word >> 24);
  element(4) = static_cast<u8>(word >> 32);
  element(5) = static_cast<u8>(word >> 40);
  element(6) = static_cast<u8>(word >> 48);
  element(7) = static_cast<u8>(word >> 56);
}

// One bit a unit to the top bit of each byte, and back.
constexpr u64 units_of_bits(u8 bits) {
  const u64 spread = bits * kUnitOnes & 0x8040201008040201;
  return (((spread & ~kUnitTops) + ~kUnitTops) | spread) & kUnitTops;
}
constexpr u8 bits_of_units(u64 tops) { return static_cast<u8>((tops >> 7) * 0x0102040810204080 >> 56); }
static_assert(units_of_bits(0x81) == 0x8000000000000080 && bits_of_units(0x8000000000000080) == 0x81);
static_assert(units_of_bits(0xFF) == kUnitTops && bits_of_units(units_of_bits(0x2C)) == 0x2C);

// What the units show in one dot.
struct SpritePixel {
  u8 colour;  // palette in bits 2-3, pattern in bits 0-1; 0: no sprite here
  bool behind;
  bool zero;  // of unit 0, holding sprite 0
};

// `pixels` dots of a visible line in which nothing is shifted, within one line or across lines.
template <class S>
void count_units_down(S s, u32 pixels) {
  u32 counting = s.ppu_unit_counting();
  for (u32 unit = 0; unit < 8; ++unit) {
    u8& counter = s.ppu_unit_counter(unit);
    if (counter < pixels) {
      counter = 0;
      counting &= ~(1u << unit);
    } else {
      counter = static_cast<u8>(counter - pixels);
    }
  }
  s.ppu_unit_counting() = static_cast<u8>(counting);
}

// One pixel with rendering on.
template <class S>
SpritePixel clock_units(S s) {
  const auto counter_at = [s](u32 i) -> u8& { return s.ppu_unit_counter(i); };
  const auto low_at = [s](u32 i) -> u8& { return s.ppu_unit_low(i); };
  const auto high_at = [s](u32 i) -> u8& { return s.ppu_unit_high(i); };
  const u64 low = gather_units(low_at), high = gather_units(high_at);
  const u64 counters = gather_units(counter_at);

  const u64 running = (((counters & ~kUnitTops) + ~kUnitTops) | counters) & kUnitTops;  // those that are not 0
  scatter_units(counter_at, counters - (running >> 7));
  const u8 still_counting = s.ppu_unit_counting() & bits_of_units(running);
  s.ppu_unit_counting() = still_counting;
  if ((low | high) == 0) return {};

  const u64 shifting = units_of_bits(still_counting) ^ kUnitTops;
  const u64 moved = (shifting >> 7) * 0xFF;
  scatter_units(low_at, (low & ~moved) | (low & moved & ~kUnitTops) << 1);
  scatter_units(high_at, (high & ~moved) | (high & moved & ~kUnitTops) << 1);

  const u64 opaque = (low | high) & shifting;
  if (opaque == 0) return {};
  u32 unit = 0;  // the first that shows a pixel
  while (!(opaque >> (unit * 8 + 7) & 1)) ++unit;
  const u32 bit = unit * 8 + 7;
  const u32 attributes = s.ppu_unit_attributes(unit);
  return {static_cast<u8>((low >> bit & 1) | (high >> bit & 1) << 1 | (attributes & 3) << 2), (attributes & 0x20) != 0,
          unit == 0 && s.ppu_unit_zero_on_line()};
}

// --- Dots 340 and 0 of every line and dot 1 of visible ones, after the pixel
template <class S>
void step_unit_restart(S s) {
  u8& restart = s.ppu_unit_restart();
  if (restart != 0 && --restart == 0) s.ppu_unit_counting() = 0xFF;
}

// --- Dots 257-320, `phase` counts 0 to 7 within a sprite
template <class S>
void fetch_sprite_dot(S s, u32 line, u32 dot) {
  const u32 unit = (dot - 257) >> 3, phase = (dot - 257) & 7;
  const u8 value = read_back_sprite(s, phase);
  const u8 control = s.ppu_control(), y = s.ppu_sprite_y(), attributes = s.ppu_sprite_attributes();
  const u16 pattern = sprite_pattern_address(control, line, y, s.ppu_sprite_tile(), attributes);
  const u16 unused = nametable_address(s.ppu_v());
  switch (phase) {
    case 0:
      s.ppu_sprite_y() = value;
      put_address(s, unused);
      break;
    case 1:
      s.ppu_sprite_tile() = value;
      fetch(s, unused);
      break;
    case 2:
      s.ppu_sprite_attributes() = value;
      s.ppu_unit_attributes(unit) = value;
      put_address(s, unused);
      break;
    case 3: fetch(s, unused); break;
    case 4:
      s.ppu_unit_counter(unit) = value;
      put_address(s, pattern);
      break;
    case 5: s.ppu_unit_low(unit) = sprite_pattern(control, line, y, attributes, fetch(s, pattern)); break;
    case 6: put_address(s, pattern | 8); break;
    default: s.ppu_unit_high(unit) = sprite_pattern(control, line, y, attributes, fetch(s, pattern | 8)); break;
  }
}

}  // namespace nesproof::core
