// Rows of pixels, the inner loops of drawing, in makes that give the same bytes: portable, AVX2 and AVX-512.
//
// A row under way holds entries, a byte a pixel: the background's palette in bits 2-3 and pattern in bits 0-1; where a
// sprite is shown, bit 4 and the sprite's palette and pattern; bit 5 where a sprite has had its say.
#pragma once

#include <cstddef>
#include <cstring>

#include "batch/draw_patterns.hpp"
#include "core/types.hpp"

namespace nesproof::batch {

inline constexpr core::u8 kOfSprite = 0x10, kTaken = 0x20;

// The pattern tables as eight windows of 1 KiB, 64 tiles each.
struct PatternWindows {
  const PatternRow* rows[8];
};

// The rows that one row of tiles covers; the first pixel of the picture is `fine_x` pixels in.
struct TileRows {
  static constexpr std::size_t kTiles = 33;
  // Room for a sprite that begins at the last pixel.
  static constexpr std::size_t kStride = 320;

  alignas(64) core::u8 entries[kRowsPerTile][kStride];
};

// Two nametables' row of tiles side by side, and where in it the picture begins.
struct TileNames {
  static constexpr std::size_t kCount = 64;

  alignas(32) core::u8 name[kCount], palette[kCount];  // palette: 0, 4, 8 or 12
  core::u32 first;                                     // 0-31
};

// Where the rows of a tile lie: in one table of 256 tiles, or in four windows of 64 each.
template <bool kOneTable>
inline const PatternRow* tile_of(const PatternRow* const* windows, std::size_t name) {
  if constexpr (kOneTable) return windows[0] + name * kRowsPerTile;
  return windows[name >> 6] + (name & 63) * kRowsPerTile;
}
inline bool is_one_table(const PatternRow* const* windows) {
  constexpr std::ptrdiff_t kWindowRows = 64 * kRowsPerTile;
  return windows[1] - windows[0] == kWindowRows && windows[2] - windows[1] == kWindowRows &&
         windows[3] - windows[2] == kWindowRows;
}

// The 33rd tile, of which the makes that copy several at once have too many.
inline void copy_last_tile(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                           TileRows& rows) {
  constexpr std::size_t kLast = TileRows::kTiles - 1;
  const PatternRow* const tile = tile_of<false>(windows, names.name[names.first + kLast]);
  const PatternRow palette = names.palette[names.first + kLast] * PatternRow{0x0101010101010101};
  for (unsigned row = first; row <= last; ++row) {
    const PatternRow entries = tile[row] | palette;
    std::memcpy(rows.entries[row] + kLast * 8, &entries, 8);
  }
}

// Rows of a sprite on lines that follow each other.
struct SpriteRows {
  const PatternRow* pattern;  // of the first line
  std::ptrdiff_t step;        // to the next line's pattern: 1, or -1 where it is upside down
  core::u8* const* entries;   // of each line
  core::u32 x, count;
  core::u64 seen;    // bytes of $FF where the picture shows it
  core::u64 behind;  // all ones where it stands behind the background
  core::u64 entry;   // eight times what its pixels are beside their pattern
  bool mirrored;
};

// What entries look like in a picture.
struct Colours {
  alignas(32) core::u8 background[32];  // by the low four bits of an entry, twice; 0, 4, 8 and 12 are the backdrop
  alignas(32) core::u8 sprites[32];     // the same for sprites
  core::u16 emphasis;
};

struct RowMaker {
  // The palettes of two nametables' row of tiles, from eight attribute bytes each; `shift` is 0 or 4.
  void (*spread_palettes)(const core::u8* left, const core::u8* right, unsigned shift, TileNames& names);
  // Rows `first` to `last` of tiles from `windows`, which begin at window 0 or 4, into the rows of the same number.
  void (*copy_tiles)(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                     TileRows& rows);
  void (*put_sprite)(const SpriteRows& sprite);
  // 256 entries each to `count` rows of a picture.
  void (*put_narrow)(core::u8* const* entries, unsigned count, const Colours& colours, bool has_sprites,
                     core::u8* rows);
  void (*put_wide)(core::u8* const* entries, unsigned count, const Colours& colours, bool has_sprites, core::u16* rows);
  void (*unpack)(const core::u8* chr, std::size_t bytes, PatternRow* rows);
};

extern const RowMaker kPortableRows;
// Null where the compiler or the processor has them not.
const RowMaker* avx2_rows();
const RowMaker* avx512_rows();
// The best of this processor.
const RowMaker& fastest_rows();

}  // namespace nesproof::batch
