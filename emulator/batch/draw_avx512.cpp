// The rows of draw_rows.hpp with AVX-512 (VBMI), which is asked for at run time: only the functions marked so may use
// it. Eight tiles of eight rows go at a time, 64 pixels to a register.
#include <cstring>

#include "batch/draw_rows.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

// GCC 12 takes the "undefined" operands of its own intrinsics for a mistake of whoever uses them (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define NESPROOF_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

namespace nesproof::batch {

namespace {

using core::u16;
using core::u8;

constexpr std::size_t kTilesAtOnce = 8;

// Row `i` of tile `k` to row `k` of tile `i`: each step swaps twice as much as the one before.
NESPROOF_AVX512 inline void turn(__m512i (&rows)[8]) {
  __m512i pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);      // rows 0, 2, 4 and 6 of two tiles
    pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);  // rows 1, 3, 5 and 7
  }
  for (int odd = 0; odd < 2; ++odd) {
    for (int half = 0; half < 8; half += 4) {
      fours[half + odd] = _mm512_shuffle_i64x2(pairs[half + odd], pairs[half + 2 + odd], 0x88);      // rows 0 and 4
      fours[half + 2 + odd] = _mm512_shuffle_i64x2(pairs[half + odd], pairs[half + 2 + odd], 0xDD);  // rows 2 and 6
    }
  }
  for (int row = 0; row < 4; ++row) {
    rows[row] = _mm512_shuffle_i64x2(fours[row], fours[4 + row], 0x88);
    rows[row + 4] = _mm512_shuffle_i64x2(fours[row], fours[4 + row], 0xDD);
  }
}

template <bool kOneTable>
NESPROOF_AVX512 void copy_tiles_of(const TileNames& names, const PatternRow* const* windows, TileRows& rows) {
  // Eight bytes to eight pixels each.
  const __m512i widen = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
                                         0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const u8* const name = names.name + names.first;
  const u8* const palettes = names.palette + names.first;
  for (std::size_t at = 0; at + kTilesAtOnce <= TileRows::kTiles; at += kTilesAtOnce) {
    __m512i row[kTilesAtOnce];
    for (std::size_t i = 0; i < kTilesAtOnce; ++i)
      row[i] = _mm512_loadu_si512(tile_of<kOneTable>(windows, name[at + i]));
    turn(row);
    long long eight;
    std::memcpy(&eight, palettes + at, 8);
    const __m512i palette = _mm512_shuffle_epi8(_mm512_set1_epi64(eight), widen);
    for (std::size_t i = 0; i < kRowsPerTile; ++i) {
      _mm512_store_si512(rows.entries[i] + at * 8, _mm512_or_si512(row[i], palette));
    }
  }
  copy_last_tile(names, windows, 0, kRowsPerTile - 1, rows);
}

// All eight rows: those outside of `first` to `last` are nobody's.
NESPROOF_AVX512 void copy_tiles(const TileNames& names, const PatternRow* const* windows, unsigned, unsigned,
                                TileRows& rows) {
  is_one_table(windows) ? copy_tiles_of<true>(names, windows, rows) : copy_tiles_of<false>(names, windows, rows);
}

// 64 colours by the low six bits of an entry, of which the uppermost does not count.
NESPROOF_AVX512 inline __m512i table_of(const Colours& colours) {
  const __m256i low = _mm256_inserti128_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(colours.background)),
                                              _mm_load_si128(reinterpret_cast<const __m128i*>(colours.sprites)), 1);
  return _mm512_broadcast_i64x4(low);
}

NESPROOF_AVX512 void put_narrow(u8* const* entries, unsigned count, const Colours& colours, bool, u8* rows) {
  const __m512i table = table_of(colours);
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; x += 64, rows += 64) {
      _mm512_storeu_si512(rows, _mm512_permutexvar_epi8(_mm512_loadu_si512(entries[row] + x), table));
    }
  }
}

NESPROOF_AVX512 void put_wide(u8* const* entries, unsigned count, const Colours& colours, bool, u16* rows) {
  const __m512i table = table_of(colours), emphasis = _mm512_set1_epi16(static_cast<short>(colours.emphasis));
  for (unsigned row = 0; row < count; ++row) {
    for (unsigned x = 0; x < 256; x += 64, rows += 64) {
      const __m512i colour = _mm512_permutexvar_epi8(_mm512_loadu_si512(entries[row] + x), table);
      const __m512i left = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(colour));
      const __m512i right = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(colour, 1));
      _mm512_storeu_si512(rows, _mm512_or_si512(left, emphasis));
      _mm512_storeu_si512(rows + 32, _mm512_or_si512(right, emphasis));
    }
  }
}

}  // namespace

// What AVX-512 does no better is left to AVX2.
const RowMaker* avx512_rows() {
  static const bool available = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                __builtin_cpu_supports("avx512vbmi") && avx2_rows() != nullptr;
  if (!available) return nullptr;
  static const RowMaker rows{avx2_rows()->spread_palettes, copy_tiles, avx2_rows()->put_sprite, put_narrow, put_wide,
                             avx2_rows()->unpack};
  return &rows;
}

}  // namespace nesproof::batch

#else

namespace nesproof::batch {

const RowMaker* avx512_rows() { return nullptr; }

}  // namespace nesproof::batch

#endif
