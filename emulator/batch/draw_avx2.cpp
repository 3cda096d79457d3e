// The rows of draw_rows.hpp with AVX2, which is asked for at run time: only the functions marked kAvx2 may use it.
#include <cstring>

#include "batch/draw_rows.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define NESPROOF_AVX2 __attribute__((target("avx2")))

namespace nesproof::batch {

namespace {

using core::u16;
using core::u32;
using core::u8;

NESPROOF_AVX2 inline __m128i load_two_rows(const PatternRow* rows) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows));
}

// Two rows of four tiles: two rows of a tile lie side by side, so that unpacking the halves puts the tiles in order.
NESPROOF_AVX2 inline void copy_two_rows(const PatternRow* const (&tile)[4], unsigned row, __m256i palette, u8* upper) {
  const __m256i even =
      _mm256_inserti128_si256(_mm256_castsi128_si256(load_two_rows(tile[0] + row)), load_two_rows(tile[2] + row), 1);
  const __m256i odd =
      _mm256_inserti128_si256(_mm256_castsi128_si256(load_two_rows(tile[1] + row)), load_two_rows(tile[3] + row), 1);
  const __m256i first = _mm256_or_si256(_mm256_unpacklo_epi64(even, odd), palette);
  const __m256i second = _mm256_or_si256(_mm256_unpackhi_epi64(even, odd), palette);
  _mm256_store_si256(reinterpret_cast<__m256i*>(upper), first);
  _mm256_store_si256(reinterpret_cast<__m256i*>(upper + TileRows::kStride), second);
}

NESPROOF_AVX2 void copy_tiles(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                              TileRows& rows) {
  // Four bytes to eight pixels each.
  const __m256i widen = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const u8* const name = names.name + names.first;
  const u8* const palettes = names.palette + names.first;
  const bool all_rows = first == 0 && last == 7;
  for (std::size_t at = 0; at + 4 <= TileRows::kTiles; at += 4) {
    const PatternRow* tile[4];
    for (std::size_t i = 0; i < 4; ++i) tile[i] = tile_of(windows, name[at + i]);
    u32 four;
    std::memcpy(&four, palettes + at, 4);
    const __m256i palette = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(four)), widen);
    u8* const to = rows.entries[0] + at * 8;
    if (all_rows) {
      copy_two_rows(tile, 0, palette, to);
      copy_two_rows(tile, 2, palette, to + 2 * TileRows::kStride);
      copy_two_rows(tile, 4, palette, to + 4 * TileRows::kStride);
      copy_two_rows(tile, 6, palette, to + 6 * TileRows::kStride);
    } else {
      for (unsigned row = first & ~1u; row <= last; row += 2) {
        copy_two_rows(tile, row, palette, to + row * TileRows::kStride);
      }
    }
  }
  copy_last_tile(names, windows, first, last, rows);
}

// 32 colours. The shuffle looks at bits 0-3 and 7 of an entry.
template <bool kHasSprites>
NESPROOF_AVX2 inline __m256i colours_of(const u8* entries, __m256i background, __m256i sprites) {
  const __m256i entry = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entries));
  const __m256i colour = _mm256_shuffle_epi8(background, entry);
  if constexpr (!kHasSprites) return colour;
  const __m256i of_sprite = _mm256_slli_epi16(entry, 3);  // bit 4 to the top of its byte
  return _mm256_blendv_epi8(colour, _mm256_shuffle_epi8(sprites, entry), of_sprite);
}

NESPROOF_AVX2 inline __m256i load_table(const u8* colours) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(colours));
}

template <bool kHasSprites>
NESPROOF_AVX2 void put_narrow_rows(u8* const* entries, unsigned count, const Colours& colours, u8* rows) {
  const __m256i background = load_table(colours.background), sprites = load_table(colours.sprites);
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; x += 32, rows += 32) {
      const __m256i colour = colours_of<kHasSprites>(entries[row] + x, background, sprites);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows), colour);
    }
  }
}

template <bool kHasSprites>
NESPROOF_AVX2 void put_wide_rows(u8* const* entries, unsigned count, const Colours& colours, u16* rows) {
  const __m256i background = load_table(colours.background), sprites = load_table(colours.sprites);
  const __m256i emphasis = _mm256_set1_epi16(static_cast<short>(colours.emphasis));
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; x += 32, rows += 32) {
      const __m256i colour = colours_of<kHasSprites>(entries[row] + x, background, sprites);
      const __m256i left = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(colour));
      const __m256i right = _mm256_cvtepu8_epi16(_mm256_extracti128_si256(colour, 1));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows), _mm256_or_si256(left, emphasis));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + 16), _mm256_or_si256(right, emphasis));
    }
  }
}

NESPROOF_AVX2 void put_narrow(u8* const* entries, unsigned count, const Colours& colours, bool has_sprites, u8* rows) {
  const auto put = has_sprites ? put_narrow_rows<true> : put_narrow_rows<false>;
  put(entries, count, colours, rows);
}
NESPROOF_AVX2 void put_wide(u8* const* entries, unsigned count, const Colours& colours, bool has_sprites, u16* rows) {
  const auto put = has_sprites ? put_wide_rows<true> : put_wide_rows<false>;
  put(entries, count, colours, rows);
}

// 1 in each byte whose bit is set; `rows` are four bytes of one plane, in each half all four.
NESPROOF_AVX2 inline __m256i plane_of(__m256i rows, __m256i widen, __m256i bits) {
  return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(rows, widen), bits), bits);
}

NESPROOF_AVX2 void unpack(const u8* chr, std::size_t bytes, PatternRow* rows) {
  const __m256i widen = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const __m256i bits = _mm256_set1_epi64x(0x0102040810204080);
  for (std::size_t tile = 0; tile < bytes; tile += kChrBytesPerTile) {
    for (std::size_t row = 0; row < kRowsPerTile; row += 4) {
      int low, high;
      std::memcpy(&low, chr + tile + row, 4);
      std::memcpy(&high, chr + tile + row + 8, 4);
      const __m256i one = _mm256_and_si256(plane_of(_mm256_set1_epi32(low), widen, bits), _mm256_set1_epi8(1));
      const __m256i two = _mm256_and_si256(plane_of(_mm256_set1_epi32(high), widen, bits), _mm256_set1_epi8(2));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows), _mm256_or_si256(one, two));
      rows += 4;
    }
  }
}

constexpr RowMaker kAvx2Rows{copy_tiles, put_narrow, put_wide, unpack};

}  // namespace

const RowMaker* avx2_rows() {
  static const bool available = __builtin_cpu_supports("avx2");
  return available ? &kAvx2Rows : nullptr;
}

}  // namespace nesproof::batch

#else

namespace nesproof::batch {

const RowMaker* avx2_rows() { return nullptr; }

}  // namespace nesproof::batch

#endif
