// Which sprites stand on which line: https://www.nesdev.org/wiki/PPU_sprite_evaluation
//
// Evaluation dot by dot, from any state to any other, and the questions about whole lines that need no dots.
#pragma once

#include "core/ppu/fetch.hpp"

namespace nesproof::core {

namespace line_detail {

// The search's registers while a jump works on them.
struct Evaluation {
  u8 address;    // OAMADDR
  u8 bus;        // what a read of $2004 gets
  u8 secondary;  // 0-31
  u8 byte;       // of the sprite that is being copied
  u8 full, done, zero_found;
};

template <class S>
Evaluation evaluation(S s) {
  return {
      .address = s.ppu_oam_address(),
      .bus = s.ppu_oam_data_bus(),
      .secondary = s.ppu_secondary_address(),
      .byte = s.ppu_evaluation_byte(),
      .full = s.ppu_evaluation_full(),
      .done = s.ppu_evaluation_done(),
      .zero_found = s.ppu_sprite_zero_found(),
  };
}

template <class S>
void put_evaluation(S s, const Evaluation& e) {
  s.ppu_oam_address() = e.address;
  s.ppu_oam_data_bus() = e.bus;
  s.ppu_secondary_address() = e.secondary;
  s.ppu_evaluation_byte() = e.byte;
  s.ppu_evaluation_full() = e.full;
  s.ppu_evaluation_done() = e.done;
  s.ppu_sprite_zero_found() = e.zero_found;
}

// Past the end of OAM the search is over.
constexpr void move_to(Evaluation& e, u32 next) {
  next &= 0xFF;
  if (next < e.address && next < 4) e.done = 1;
  e.address = static_cast<u8>(next);
}

// An even dot whose search is not over and whose byte is on the bus. True when the sprite overflow flag is to be set.
constexpr bool examine(Evaluation& e, bool in_range) {
  if (e.byte == 0 && !in_range) {
    const u32 next = (e.address & 0xFCu) + 4;
    move_to(e, e.full ? next | ((e.address + 1u) & 3) : next);  // full: the low bits count too, without a carry
    return false;
  }
  const bool overflow = e.byte == 0 && e.full;
  if (e.byte < 3) {
    ++e.byte;
    move_to(e, e.address + 1u);
  } else {
    // The comparator looks at x as well: where it says no, OAMADDR loses its low bits.
    e.byte = 0;
    const u32 next = e.address + 1u;
    move_to(e, in_range && !e.full ? next : next & 0xFC);
    if (e.full) e.done = 1;
  }
  if (!e.full) {
    e.secondary = (e.secondary + 1) & 31;
    e.full = e.secondary == 0;
  }
  return overflow;
}

// From dot `at` to dot `to`, 64 <= at < to <= 256. Returns the dot in which a sprite overflow is found; 0: in none.
// Secondary OAM is written only if `kWrites`; without, `bus` is worth nothing afterwards.
template <bool kWrites, class S>
[[gnu::noinline]] u32 evaluate(S s, Evaluation& e, u32 line, u32 height, u32 at, u32 to) {
  u32 overflow = 0;
  if (at == 64) {
    e.secondary = e.byte = e.full = e.done = 0;
    e.bus = s.ppu_oam(e.address);
    at = 65;
  }
  while (at < to) {
    if (!(at & 1)) {
      e.bus = s.ppu_oam(e.address);
      ++at;
      continue;
    }
    if (e.done) break;
    ++at;
    const u8 value = e.bus;
    if constexpr (kWrites) {
      if (e.full) {
        e.bus = s.ppu_secondary_oam(e.secondary);
      } else {
        s.ppu_secondary_oam(e.secondary) = value;
      }
    }
    const bool in_range = sprite_on_line(line, value, height);
    if (at == 66) e.zero_found = in_range;
    if (examine(e, in_range) && overflow == 0) overflow = at;
  }
  if (at < to) {  // over: `at` is odd, its byte is on the bus
    const u32 steps = (to + 1 - at) / 2;
    e.address = static_cast<u8>((e.address + 4 * steps) & 0xFC);
    e.bus = to & 1 ? s.ppu_oam(e.address) : s.ppu_secondary_oam(e.secondary);
  }
  return overflow;
}

// The dot of `line` in which a sprite overflow is found, with OAMADDR at 0 at its dot 65; 0: in none.
template <class S>
u32 overflow_dot(S s, u32 line, u32 height) {
  u32 sprite = 0, found = 0, dot = 64;
  for (; sprite < 64 && found < 8; ++sprite) {
    const bool in_range = sprite_on_line(line, s.ppu_oam(sprite * 4), height);
    found += in_range;
    dot += in_range ? 8 : 2;
  }
  for (u32 byte = 0; sprite < 64; ++sprite, byte = (byte + 1) & 3) {
    dot += 2;
    if (sprite_on_line(line, s.ppu_oam(sprite * 4 + byte), height)) return dot;
  }
  return 0;
}

// A bit for each line.
struct LineSet {
  u64 words[4];
  bool holds(u32 line) const { return words[line >> 6] >> (line & 63) & 1; }
};

// Whether a line may have eight sprites in range: false is certain. Sprites are counted in bands of eight lines; the
// sprites of a line begin in two neighbouring bands, or three if they are tall.
template <class S>
bool may_be_crowded(S s, u32 height) {
  u64 bands[4] = {0, 0, 0, 0};
  for (u32 sprite = 0; sprite < 64; ++sprite) {
    const u32 y = s.ppu_oam(sprite * 4);
    const u64 one = u64{1} << (y & 0x38);
    bands[0] += y >> 6 == 0 ? one : 0;
    bands[1] += y >> 6 == 1 ? one : 0;
    bands[2] += y >> 6 == 2 ? one : 0;
    bands[3] += y >> 6 == 3 && y < 240 ? one : 0;
  }
  u64 before = 0;
  u64 crowded = 0;
  for (const u64 band : bands) {
    u64 sum = band + (band << 8 | before >> 56);
    if (height == 16) sum += band << 16 | before >> 48;
    crowded |= sum + 0x0101010101010101 * (0x80 - 8);  // 64 sprites: no byte overflows
    before = band;
  }
  return crowded & 0x8080808080808080;
}

// The lines with eight sprites or more in range. Counters of one bit a line stand above each other: `ones`, `twos`,
// `fours`, and `eights`, which keeps what it has.
template <class S>
[[gnu::noinline]] LineSet crowded_lines(S s, u32 height) {
  LineSet eights{};
  for (u32 word = 0; word < 4; ++word) {
    u64 ones = 0, twos = 0, fours = 0;
    for (u32 sprite = 0; sprite < 64; ++sprite) {
      const i32 from = static_cast<i32>(s.ppu_oam(sprite * 4)) - static_cast<i32>(word * 64);
      if (from >= 64 || from <= -static_cast<i32>(height)) continue;
      const u64 rows = (u64{1} << height) - 1;
      u64 carry = from >= 0 ? rows << from : rows >> -from, both;
      both = ones & carry, ones ^= carry, carry = both;
      both = twos & carry, twos ^= carry, carry = both;
      both = fours & carry, fours ^= carry, carry = both;
      eights.words[word] |= carry;
    }
  }
  return eights;
}

}  // namespace line_detail

}  // namespace nesproof::core
