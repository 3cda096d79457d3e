// Clocks of address bit 12 in whole lines with sprites of 8x16, of which each says by itself where its pattern lies.
//
// Lines are bits of words, and all of them are searched for sprites at once: sprite after sprite goes to the next unit
// of each line that it stands on, as long as the line has one. Counts stand in bits above each other.
#pragma once

#include "core/ppu/a12_line.hpp"

namespace nesproof::core {

namespace a12_detail {

// How many clocks each line has: at most four.
struct LineClocks {
  line_detail::LineSet ones{}, twos{}, fours{};

  u32 of_line(u32 line) const {
    const u32 word = line >> 6, bit = line & 63;
    return static_cast<u32>((ones.words[word] >> bit & 1) | (twos.words[word] >> bit & 1) << 1 |
                            (fours.words[word] >> bit & 1) << 2);
  }
  // Of lines `from` to `end` - 1.
  u32 of_lines(u32 from, u32 end) const {
    u32 count = 0;
    for (u32 word = from >> 6; word * 64 < end; ++word) {
      const u32 first = from > word * 64 ? from & 63 : 0, last = end - word * 64;
      const u64 lines = ~u64{0} << first & (last < 64 ? (u64{1} << last) - 1 : ~u64{0});
      count += size_of(ones.words[word] & lines) + 2 * size_of(twos.words[word] & lines) +
               4 * size_of(fours.words[word] & lines);
    }
    return count;
  }
};

// Those of lines whose search for sprites is undisturbed, and that follow a line with the same background table.
template <class S>
__attribute__((noinline)) LineClocks clocks_of_lines_of_tall_sprites(S s) {
  using line_detail::LineSet;
  const u64 background = s.ppu_control() & kControlBackgroundTable ? ~u64{0} : 0;
  LineClocks clocks;
  LineSet found_ones{}, found_twos{}, found_fours{}, full{};       // units
  LineSet high{{background, background, background, background}};  // the last slot
  const auto count = [&clocks](u32 word, u64 lines) {
    const u64 carry = clocks.ones.words[word] & lines;
    clocks.ones.words[word] ^= lines;
    clocks.fours.words[word] ^= clocks.twos.words[word] & carry;
    clocks.twos.words[word] ^= carry;
  };
  for (u32 sprite = 0; sprite < 64; ++sprite) {
    const u32 y = s.ppu_oam(sprite * 4), shift = y & 63;
    if (y >= kDrawnLines) continue;
    const bool is_high = s.ppu_oam(sprite * 4 + 1) & 1;
    u64 lines = u64{0xFFFF} << shift;
    for (u32 word = y >> 6;; ++word) {
      lines &= ~full.words[word];
      if (is_high) {
        count(word, lines & ~high.words[word]);
        high.words[word] |= lines;
      } else {
        high.words[word] &= ~lines;
      }
      const u64 two = found_ones.words[word] & lines, four = found_twos.words[word] & two;
      found_ones.words[word] ^= lines;
      found_twos.words[word] ^= two;
      full.words[word] |= found_fours.words[word] & four;
      found_fours.words[word] ^= four;
      if (word != y >> 6 || shift <= 48 || word == 3) break;
      lines = u64{0xFFFF} >> (64 - shift);
    }
  }
  // Units without a sprite are high, and so may be the background behind them.
  for (u32 word = 0; word < 4; ++word) count(word, ~high.words[word] & (~full.words[word] | background));
  return clocks;
}

}  // namespace a12_detail

}  // namespace nesproof::core
