// The scroll registers v and t as numbers: https://www.nesdev.org/wiki/PPU_scrolling
//
//   yyy NN YYYYY XXXXX
//   ||| || ||||| +++++- coarse x
//   ||| || +++++------- coarse y
//   ||| ++------------- nametable
//   +++---------------- fine y
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

inline constexpr u16 kScrollX = 0x041F;  // coarse x and the nametable's column
inline constexpr u16 kScrollY = 0x7BE0;  // fine y, coarse y and the nametable's row

constexpr u16 nametable_address(u16 v) { return static_cast<u16>(0x2000 | (v & 0x0FFF)); }
constexpr u16 attribute_address(u16 v) {
  return static_cast<u16>(0x23C0 | (v & 0x0C00) | (v >> 4 & 0x38) | (v >> 2 & 0x07));
}
// Which two bits of an attribute byte belong to v's tile.
constexpr u32 attribute_shift(u16 v) { return (v >> 4 & 4u) | (v & 2u); }
constexpr u32 fine_y(u16 v) { return v >> 12 & 7u; }

// v after a tile: dots 8, 16 ... 256, 328 and 336.
constexpr u16 next_tile_of(u16 v) {
  return (v & 0x1F) == 0x1F ? static_cast<u16>(v ^ 0x041F) : static_cast<u16>(v + 1);
}
// v after `tiles` tiles: coarse x and the nametable's column count as six bits.
constexpr u16 after_tiles(u16 v, u32 tiles) {
  const u32 x = ((v & 0x1Fu) | (v >> 5 & 0x20u)) + tiles;
  return static_cast<u16>((v & ~u32{kScrollX}) | (x & 0x1F) | (x & 0x20) << 5);
}
// v one row down: dot 256. Coarse y wraps at 30; from 30 or 31, the attribute table, at 32 within its nametable.
constexpr u16 next_row_of(u16 v) {
  if ((v & 0x7000) != 0x7000) return static_cast<u16>(v + 0x1000);
  const u32 top = v & 0x0FFFu;
  switch (top & 0x03E0) {
    case 0x03A0: return static_cast<u16>(top ^ 0x0BA0);
    case 0x03E0: return static_cast<u16>(top ^ 0x03E0);
    default: return static_cast<u16>(top + 0x0020);
  }
}
// Dot 257, and dots 280 to 304 of the pre-render line.
constexpr u16 with_x_of(u16 v, u16 t) { return static_cast<u16>((v & kScrollY) | (t & kScrollX)); }
constexpr u16 with_y_of(u16 v, u16 t) { return static_cast<u16>((v & kScrollX) | (t & kScrollY)); }

static_assert(next_tile_of(0x041F) == 0x0000 && next_tile_of(0x7BFF) == 0x7FE0 && next_tile_of(0x0007) == 0x0008);
static_assert(after_tiles(0x041F, 1) == 0x0000 && after_tiles(0x7BFF, 1) == 0x7FE0 &&
              after_tiles(0x001F, 34) == 0x0001);
static_assert(next_row_of(0x73A0) == 0x0800 && next_row_of(0x73E0) == 0x0000 && next_row_of(0x7000) == 0x0020);

}  // namespace nesproof::core
