#include <cstring>

#include "batch/draw_rows.hpp"

namespace nesproof::batch {

namespace {

using core::u16;
using core::u32;
using core::u64;
using core::u8;

constexpr u64 kEveryPixel = 0x0101010101010101;

// Half an attribute byte has the palettes of four tiles in a row, two by two.
void spread_palettes(const u8* left, const u8* right, unsigned shift, TileNames& names) {
  u8* palettes = names.palette;
  for (const u8* const side : {left, right}) {
    for (u32 i = 0; i < 8; ++i, palettes += 4) {
      const u32 half = static_cast<u32>(side[i] >> shift);
      palettes[0] = palettes[1] = static_cast<u8>((half & 3) << 2);
      palettes[2] = palettes[3] = half & 0x0C;
    }
  }
}

void copy_tiles(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                TileRows& rows) {
  for (std::size_t tile = 0; tile < TileRows::kTiles; ++tile) {
    const PatternRow* const patterns = tile_of<false>(windows, names.name[names.first + tile]);
    const PatternRow palette = names.palette[names.first + tile] * kEveryPixel;
    for (unsigned row = first; row <= last; ++row) {
      const PatternRow entries = patterns[row] | palette;
      std::memcpy(&rows.entries[row][tile * 8], &entries, 8);
    }
  }
}

// Bytes of $FF where `bits` has a lowest bit.
constexpr u64 whole_pixels(u64 bits) {
  const u64 lowest = bits & kEveryPixel;
  return (lowest << 8) - lowest;
}
constexpr u64 opaque_pixels(u64 entries) { return whole_pixels(entries | entries >> 1); }

void put_sprite(const SpriteRows& sprite) {
  for (u32 i = 0; i < sprite.count; ++i) {
    u64 pixels = sprite.pattern[static_cast<std::ptrdiff_t>(i) * sprite.step];
    if (sprite.mirrored) pixels = __builtin_bswap64(pixels);
    u64 under;
    std::memcpy(&under, sprite.entries[i] + sprite.x, 8);
    const u64 opaque = opaque_pixels(pixels) & sprite.seen & ~whole_pixels(under / kTaken);
    const u64 on_top = opaque & ~(opaque_pixels(under) & sprite.behind);
    under = (under & ~on_top) | ((pixels | sprite.entry) & on_top) | (opaque & kEveryPixel * kTaken);
    std::memcpy(sprite.entries[i] + sprite.x, &under, 8);
  }
}

struct ByEntry {
  u8 colour[32];

  explicit ByEntry(const Colours& colours) {
    std::memcpy(colour, colours.background, 16);
    std::memcpy(colour + 16, colours.sprites, 16);
  }
};

void put_narrow(u8* const* entries, unsigned count, const Colours& colours, bool, u8* rows) {
  const ByEntry by_entry(colours);
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; ++x) *rows++ = by_entry.colour[entries[row][x] & 0x1F];
  }
}

void put_wide(u8* const* entries, unsigned count, const Colours& colours, bool, u16* rows) {
  const ByEntry by_entry(colours);
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; ++x) {
      *rows++ = static_cast<u16>(by_entry.colour[entries[row][x] & 0x1F] | colours.emphasis);
    }
  }
}

}  // namespace

const RowMaker kPortableRows{spread_palettes, copy_tiles, put_sprite, put_narrow, put_wide, unpack_patterns};

}  // namespace nesproof::batch
