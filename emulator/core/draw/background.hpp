// The background of a drawn line, tile by tile: https://www.nesdev.org/wiki/PPU_scrolling
#pragma once

#include "core/ppu/fetch.hpp"
#include "core/ppu/registers.hpp"
#include "core/ppu/scroll.hpp"
#include "core/system.hpp"

namespace nesproof::core {

// Eight pixels as bit planes of a byte each, the leftmost pixel in the top bit: pattern low and high in bits 0-7 and
// 8-15, the palette's two bits in 16-23 and 24-31.
using TilePlanes = u32;

namespace draw_detail {

constexpr u32 kEveryPlane = 0x01010101;  // times a byte: that byte in each plane

// Tile `k` of a line, 0-32; tile 0 holds the first pixel.
template <class S>
TilePlanes background_tile(const S& s, const LineRecord& record, u32 k) {
  constexpr u32 kBack = 64 - 2;  // a line's v stands two tiles on, and 64 tiles are once around
  const u16 v = after_tiles(record.v, k + kBack);
  const u8 tile = s.nametable(nametable_address(v));
  const u32 palette = s.nametable(attribute_address(v)) >> attribute_shift(v);
  const u16 pattern = background_pattern_address(record.control, tile, v);
  return s.chr(pattern) | static_cast<u32>(s.chr(pattern | 8)) << 8 | (palette & 1 ? 0x00FF0000u : 0) |
         (palette & 2 ? 0xFF000000u : 0);
}

// The eight pixels that begin `fine_x` pixels into `left`.
constexpr TilePlanes shifted(TilePlanes left, TilePlanes right, u32 fine_x) {
  const u32 from_right = kEveryPlane * ((1u << fine_x) - 1);
  return (left << fine_x & ~from_right) | (right >> (8 - fine_x) & from_right);
}

}  // namespace draw_detail

}  // namespace nesproof::core
