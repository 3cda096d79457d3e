// The sprites of a drawn line: https://www.nesdev.org/wiki/PPU_sprite_evaluation
//
// A line shows the first eight sprites of OAM that are on it; sets of sprites are 64 bits, sprite 0 in the lowest.
// This is what an evaluation finds that begins at OAM 0 and is not disturbed, which is all that a record describes.
#pragma once

#include "core/draw/background.hpp"
#include "core/ppu/fetch.hpp"
#include "core/ppu/registers.hpp"
#include "core/system.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

namespace draw_detail {

// The number of the first sprite of a set that is not empty.
inline u32 first_of(u64 set) {
#ifdef __CUDACC_RTC__
  return static_cast<u32>(__ffsll(static_cast<long long>(set)) - 1);
#else
  return static_cast<u32>(__builtin_ctzll(set));
#endif
}

}  // namespace draw_detail

// Sprite `i` is on the lines y + 1 to y + height, and so never on line 0.
template <class S>
bool sprite_is_on(const S& s, u32 i, u32 line, u32 height) {
  return line - 1 - s.ppu_oam(i * 4) < height && line != 0;
}

// Of the sprites that are on a line those that it shows.
constexpr u64 first_eight(u64 set) {
  u64 others = set;
  for (u32 i = 0; i < 8 && others != 0; ++i) others &= others - 1;
  return set ^ others;
}

// The sprites that a line shows. (Threads that share a line find them sooner together, a few sprites each.)
template <class S>
u64 sprites_of_line(const S& s, u32 line, u32 height) {
  u64 set = 0;
  for (u32 i = 0; i < 64; ++i) set |= static_cast<u64>(sprite_is_on(s, i, line, height)) << i;
  return first_eight(set);
}

// The sprites of each of `kLines` lines, found by one pass through OAM. A sprite's bit is turned over at its
// first line and behind its last, so that what has been turned over up to a line is on it.
template <u32 kLines>
struct SpritesOfLines {
  u32 first = 0, height = 0;  // height 0: nothing has been looked for
  u64 sets[kLines + 1];       // all that are on the lines from `first` on; the last is behind them

  bool hold(u32 line, u32 height_of_line) const { return height == height_of_line && line - first < kLines; }
  u64 on(u32 line) const { return sets[line - first]; }
  u64 shown_by(u32 line) const { return first_eight(on(line)); }

  template <class S>
  void find(const S& s, u32 first_line, u32 sprite_lines) {
    first = first_line;
    height = sprite_lines;
    for (u64& set : sets) set = 0;
    for (u32 i = 0; i < 64; ++i) {
      const u32 begin = s.ppu_oam(i * 4) + 1u, end = begin + height;
      if (end <= first || begin >= first + kLines) continue;
      const u64 bit = u64{1} << i;
      sets[begin <= first ? 0 : begin - first] ^= bit;
      sets[end >= first + kLines ? kLines : end - first] ^= bit;
    }
    for (u32 i = 1; i < kLines; ++i) sets[i] ^= sets[i - 1];
  }
};

namespace draw_detail {

// The pixels of sprites in eight pixels of a line.
struct SpritePlanes {
  TilePlanes planes = 0;
  u32 taken = 0;   // a sprite has a pixel here: the first one in OAM, whatever its priority
  u32 behind = 0;  // which stands behind the background
};

// `set` is what the line shows, `x` the first of the eight pixels.
template <class S>
SpritePlanes sprites_at(const S& s, u8 control, u32 line, u64 set, u32 x) {
  SpritePlanes found;
  for (; set != 0; set &= set - 1) {
    const u32 at = first_of(set) * 4;
    const u32 moved = s.ppu_oam(at + 3) + 8u - x;  // 8: it stands right here
    if (moved - 1 >= 15) continue;
    const u8 attributes = s.ppu_oam(at + 2);
    const u16 pattern = sprite_pattern_address(control, line - 1, s.ppu_oam(at), s.ppu_oam(at + 1), attributes);
    u8 low = s.chr(pattern), high = s.chr(pattern | 8);
    if (attributes & 0x40) low = mirrored_row(low), high = mirrored_row(high);
    const u32 low_here = low << 8 >> moved, high_here = high << 8 >> moved;
    const u32 shown = (low_here | high_here) & 0xFF & ~found.taken;
    found.planes |= (low_here & shown) | (high_here & shown) << 8 | (attributes & 1 ? shown << 16 : 0) |
                    (attributes & 2 ? shown << 24 : 0);
    found.taken |= shown;
    if (attributes & 0x20) found.behind |= shown;
    NESPROOF_FAULT(sprites_always_in_front, found.behind = 0);
  }
  return found;
}

}  // namespace draw_detail

}  // namespace nesproof::core
