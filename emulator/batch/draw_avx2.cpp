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
using core::u64;
using core::u8;

NESPROOF_AVX2 inline __m128i load_eight(const void* from) { return _mm_loadl_epi64(static_cast<const __m128i*>(from)); }

// Half an attribute byte has the palettes of four tiles in a row, two by two.
NESPROOF_AVX2 void spread_palettes(const u8* left, const u8* right, unsigned shift, TileNames& names) {
  const __m128i bytes = _mm_unpacklo_epi64(load_eight(left), load_eight(right));
  const __m128i halves = _mm_srl_epi16(bytes, _mm_cvtsi32_si128(static_cast<int>(shift)));
  const __m128i first = _mm_slli_epi16(_mm_and_si128(halves, _mm_set1_epi8(3)), 2);
  const __m128i second = _mm_and_si128(halves, _mm_set1_epi8(0x0C));
  __m128i* const to = reinterpret_cast<__m128i*>(names.palette);
  const __m128i firsts = _mm_unpacklo_epi8(first, first), seconds = _mm_unpacklo_epi8(second, second);
  _mm_store_si128(to, _mm_unpacklo_epi16(firsts, seconds));
  _mm_store_si128(to + 1, _mm_unpackhi_epi16(firsts, seconds));
  const __m128i right_firsts = _mm_unpackhi_epi8(first, first), right_seconds = _mm_unpackhi_epi8(second, second);
  _mm_store_si128(to + 2, _mm_unpacklo_epi16(right_firsts, right_seconds));
  _mm_store_si128(to + 3, _mm_unpackhi_epi16(right_firsts, right_seconds));
}

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

template <bool kOneTable>
NESPROOF_AVX2 void copy_tiles_of(const TileNames& names, const PatternRow* const* windows, unsigned first,
                                 unsigned last, TileRows& rows) {
  // Four bytes to eight pixels each.
  const __m256i widen = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const u8* const name = names.name + names.first;
  const u8* const palettes = names.palette + names.first;
  const bool all_rows = first == 0 && last == 7;
  for (std::size_t at = 0; at + 4 <= TileRows::kTiles; at += 4) {
    const PatternRow* tile[4];
    for (std::size_t i = 0; i < 4; ++i) tile[i] = tile_of<kOneTable>(windows, name[at + i]);
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

NESPROOF_AVX2 void copy_tiles(const TileNames& names, const PatternRow* const* windows, unsigned first, unsigned last,
                              TileRows& rows) {
  const auto copy = is_one_table(windows) ? copy_tiles_of<true> : copy_tiles_of<false>;
  copy(names, windows, first, last, rows);
}

// What a sprite's rows have in common, for two rows at once.
struct SpriteSetting {
  __m128i order, seen, behind, entry;
};

NESPROOF_AVX2 inline __m128i put_over(__m128i under, __m128i pattern, const SpriteSetting& setting) {
  const __m128i zero = _mm_setzero_si128(), taken = _mm_set1_epi8(kTaken);
  const __m128i pixels = _mm_shuffle_epi8(pattern, setting.order);
  const __m128i free = _mm_cmpeq_epi8(_mm_and_si128(under, taken), zero);
  const __m128i opaque = _mm_and_si128(_mm_and_si128(_mm_cmpgt_epi8(pixels, zero), setting.seen), free);
  const __m128i background = _mm_cmpgt_epi8(_mm_and_si128(under, _mm_set1_epi8(3)), zero);
  const __m128i on_top = _mm_andnot_si128(_mm_and_si128(background, setting.behind), opaque);
  const __m128i shown = _mm_blendv_epi8(under, _mm_or_si128(pixels, setting.entry), on_top);
  return _mm_or_si128(shown, _mm_and_si128(opaque, taken));
}

NESPROOF_AVX2 inline __m128i twice(u64 eight) { return _mm_set1_epi64x(static_cast<long long>(eight)); }

NESPROOF_AVX2 void put_sprite(const SpriteRows& sprite) {
  const __m128i forward = _mm_set_epi64x(0x0F0E0D0C0B0A0908, 0x0706050403020100);
  const __m128i backward = _mm_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607);
  const SpriteSetting setting{sprite.mirrored ? backward : forward, twice(sprite.seen), twice(sprite.behind),
                              twice(sprite.entry)};
  const PatternRow* pattern = sprite.pattern;
  u8* const* entries = sprite.entries;
  u32 left = sprite.count;
  for (; left >= 2; left -= 2, pattern += 2 * sprite.step, entries += 2) {
    u8 *const upper = entries[0] + sprite.x, *const lower = entries[1] + sprite.x;
    const __m128i patterns = _mm_unpacklo_epi64(load_eight(pattern), load_eight(pattern + sprite.step));
    const __m128i both = put_over(_mm_unpacklo_epi64(load_eight(upper), load_eight(lower)), patterns, setting);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(upper), both);
    _mm_storeh_pd(reinterpret_cast<double*>(lower), _mm_castsi128_pd(both));
  }
  if (left == 0) return;
  u8* const last = entries[0] + sprite.x;
  _mm_storel_epi64(reinterpret_cast<__m128i*>(last), put_over(load_eight(last), load_eight(pattern), setting));
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

constexpr RowMaker kAvx2Rows{spread_palettes, copy_tiles, put_sprite, put_narrow, put_wide, unpack};

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
