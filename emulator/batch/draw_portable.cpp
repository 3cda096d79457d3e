#include <cstring>

#include "batch/draw_rows.hpp"

namespace nesproof::batch {

namespace {

using core::u16;
using core::u8;

void copy_tiles(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                TileRows& rows) {
  constexpr PatternRow kEveryPixel = 0x0101010101010101;
  for (std::size_t tile = 0; tile < TileRows::kTiles; ++tile) {
    const PatternRow* const patterns = tile_of(windows, names.name[names.first + tile]);
    const PatternRow palette = names.palette[names.first + tile] * kEveryPixel;
    for (unsigned row = first; row <= last; ++row) {
      const PatternRow entries = patterns[row] | palette;
      std::memcpy(&rows.entries[row][tile * 8], &entries, 8);
    }
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

const RowMaker kPortableRows{copy_tiles, put_narrow, put_wide, unpack_patterns};

}  // namespace nesproof::batch
