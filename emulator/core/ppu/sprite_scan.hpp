// Which sprites stand on which line: https://www.nesdev.org/wiki/PPU_sprite_evaluation
//
// Evaluation dot by dot, from any state to any other, and the questions about whole lines that need no dots.
#pragma once

#include "core/draw/sprites.hpp"
#include "core/ppu/fetch.hpp"
#include "faults/hooks.hpp"

// Loops over OAM: a device unrolls them all the way otherwise, and this code is seldom run.
#if defined(__CUDACC_RTC__)
#define NESPROOF_UNROLL_LITTLE _Pragma("unroll 4")
#define NESPROOF_UNROLL_NOT _Pragma("unroll 1")
#else
#define NESPROOF_UNROLL_LITTLE
#define NESPROOF_UNROLL_NOT
#endif

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
    NESPROOF_FAULT(overflow_without_its_bug, e.address &= 0xFC);
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

// Sprites that are not on the line, from an odd dot whose byte is on the bus on, while the search is not over: two dots
// each. Returns the last dot of them, which is odd and has the next byte on the bus or is `to`.
template <bool kWrites, class S>
u32 pass_absent_sprites(S s, Evaluation& e, u32 line, u32 height, u32 at, u32 to) {
  u32 address = e.address, value = e.bus, written = 0;
  const u32 from = address;
  while (at < to && !sprite_on_line(line, static_cast<u8>(value), height)) {
    written = value;
    address += 4;
    ++at;
    if (address == 256) e.done = 1;
    if (at == to) break;
    value = s.ppu_oam(address & 0xFF);
    ++at;
    if (e.done) break;
  }
  if (kWrites && address != from) s.ppu_secondary_oam(e.secondary) = static_cast<u8>(written);
  e.address = static_cast<u8>(address);
  e.bus = static_cast<u8>(value);
  return at;
}

// From dot `at` to dot `to`, 64 <= at < to <= 256. Returns the dot in which a sprite overflow is found; 0: in none.
// Secondary OAM is written only if `kWrites`; without, `bus` is worth nothing afterwards.
template <bool kWrites, class S>
__attribute__((noinline)) u32 evaluate(S s, Evaluation& e, u32 line, u32 height, u32 at, u32 to) {
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
    if (((e.byte | e.full | e.done) == 0) && (e.address & 3) == 0 && at >= 67) {
      at = pass_absent_sprites<kWrites>(s, e, line, height, at, to);
      if (at >= to) break;
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

// The y of four sprites from `sprite` on, in lanes of 16 bits; their order is 0, 2, 1, 3.
template <class S>
u64 four_sprites_y(S s, u32 sprite) {
  u64 words[2];
  __builtin_memcpy(words, &s.ppu_oam(sprite * 4), sizeof words);
  constexpr u64 kY = 0x000000FF000000FF;
  return (words[0] & kY) | (words[1] & kY) << 16;
}

// The sprites that the search for the next line finds in range, all of them, from OAMADDR 0.
template <class S>
u64 sprites_in_range(S s, u32 line, u32 height) {
  u64 set = 0;
  if constexpr (requires { s.base; }) {
    // Where OAM lies together: line - y + 256 has bit 8 set and no other above those of a row.
    constexpr u64 kLanes = 0x0001000100010001;
    const u64 lines = kLanes * (line + 256), rest = kLanes * (0x1FF & ~(height - 1));
    for (u32 sprite = 0; sprite < 64; sprite += 4) {
      const u64 off = ((lines - four_sprites_y(s, sprite)) ^ kLanes * 256) & rest;
      const u64 in_range = (kLanes * 0x8000 - off) & kLanes * 0x8000;
      if (in_range != 0) set |= ((in_range >> 15) * 0x1000400020008000 >> 60) << sprite;
    }
  } else {
    NESPROOF_UNROLL_LITTLE
    for (u32 sprite = 0; sprite < 64; ++sprite) {
      set |= u64{line - s.ppu_oam(sprite * 4) < height} << sprite;
    }
  }
  return set;
}

// The dot of `line` in which a sprite overflow is found, with OAMADDR at 0 at its dot 65; 0: in none.
template <class S>
u32 overflow_dot(S s, u32 line, u32 height) {
  u64 set = sprites_in_range(s, line, height);
  for (u32 found = 0; found < 7; ++found) set &= set - 1;
  if (set == 0) return 0;
  u32 sprite = draw_detail::first_of(set) + 1;  // after the eighth
  u32 dot = 64 + 2 * sprite + 6 * 8;
  for (u32 byte = 0; sprite < 64; ++sprite, byte = (byte + 1) & 3) {
    dot += 2;
    NESPROOF_FAULT(overflow_without_its_bug, byte = 0);
    if (sprite_on_line(line, s.ppu_oam(sprite * 4 + byte), height)) return dot;
  }
  return 0;
}

// A bit for each line.
struct LineSet {
  u64 words[4];
};

// Whether a line may have eight sprites in range: false is certain. Sprites are counted in bands of eight lines; the
// sprites of a line begin in two neighbouring bands, or three if they are tall.
template <class S>
bool may_be_crowded(S s, u32 height) {
  u64 bands[4] = {0, 0, 0, 0};
  NESPROOF_UNROLL_LITTLE
  for (u32 sprite = 0; sprite < 64; ++sprite) {
    const u32 y = s.ppu_oam(sprite * 4);
    if (y < 240) bands[y >> 6] += u64{1} << (y & 0x38);
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
__attribute__((noinline)) LineSet crowded_lines(S s, u32 height) {
  LineSet ones{}, twos{}, fours{}, eights{};
  const u64 rows = (u64{1} << height) - 1;
  NESPROOF_UNROLL_NOT
  for (u32 sprite = 0; sprite < 64; ++sprite) {
    const u32 y = s.ppu_oam(sprite * 4), shift = y & 63;
    if (y >= 240) continue;
    u64 carry = rows << shift;
    for (u32 word = y >> 6;; ++word) {
      u64 both = ones.words[word] & carry;
      ones.words[word] ^= carry;
      carry = twos.words[word] & both;
      twos.words[word] ^= both;
      both = fours.words[word] & carry;
      fours.words[word] ^= carry;
      eights.words[word] |= both;
      if (word != y >> 6 || shift + height <= 64 || word == 3) break;
      carry = rows >> (64 - shift);
    }
  }
  return eights;
}

}  // namespace line_detail

}  // namespace nesproof::core

#undef NESPROOF_UNROLL_LITTLE
#undef NESPROOF_UNROLL_NOT
