// The conversions of draw_colours.hpp with AVX2, which is asked for at run time: only the functions marked so may use
// it. 32 pixels go at a time, the rest is left to the portable make.
#include "batch/draw_colours.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>

#define NESPROOF_AVX2 __attribute__((target("avx2")))

namespace nesproof::batch {

namespace {

using core::u16;
using core::u8;

constexpr std::size_t kAtOnce = 32;

// 32 entries, as indices into each of the four tables of 16: where an entry is another table's, bit 7 is set and the
// shuffle gives 0.
struct Indices {
  __m256i of[4];
};

NESPROOF_AVX2 inline Indices indices_of(__m256i entries) {
  Indices indices;
  for (int table = 0; table < 4; ++table) {
    const __m256i in_table = _mm256_sub_epi8(entries, _mm256_set1_epi8(static_cast<char>(16 * table)));
    // 0-15 stay below $80, everything else goes beyond and no further than $FF.
    indices.of[table] = _mm256_adds_epu8(in_table, _mm256_set1_epi8(0x70));
  }
  return indices;
}

NESPROOF_AVX2 inline __m256i look_up(const Indices& indices, const u8 (&tables)[4][32]) {
  __m256i found = _mm256_setzero_si256();
  for (int table = 0; table < 4; ++table) {
    const __m256i values = _mm256_load_si256(reinterpret_cast<const __m256i*>(tables[table]));
    found = _mm256_or_si256(found, _mm256_shuffle_epi8(values, indices.of[table]));
  }
  return found;
}

// Where byte 0-15 of a third of 16 pixels comes from: of channel `channel` the pixel's number, else nothing.
struct Third {
  alignas(32) u8 from[32];
};
constexpr Third third_of(unsigned third, unsigned channel) {
  Third bytes{};
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned at = 16 * third + i;
    bytes.from[i] = bytes.from[i + 16] = at % 3 == channel ? static_cast<u8>(at / 3) : 0x80;
  }
  return bytes;
}
constexpr Third kThirds[3][3] = {{third_of(0, 0), third_of(0, 1), third_of(0, 2)},
                                 {third_of(1, 0), third_of(1, 1), third_of(1, 2)},
                                 {third_of(2, 0), third_of(2, 1), third_of(2, 2)}};

NESPROOF_AVX2 inline void store(u8* to, __m256i bytes) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bytes); }

NESPROOF_AVX2 inline void put_rgb(__m256i entries, const ColourTable::Channels& channels, u8* out) {
  const Indices indices = indices_of(entries);
  __m256i channel[3], third[3];
  for (int i = 0; i < 3; ++i) channel[i] = look_up(indices, channels.of[i]);
  for (int i = 0; i < 3; ++i) {
    third[i] = _mm256_setzero_si256();
    for (int of = 0; of < 3; ++of) {
      const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(kThirds[i][of].from));
      third[i] = _mm256_or_si256(third[i], _mm256_shuffle_epi8(channel[of], from));
    }
  }
  // The lower halves are the first 16 pixels, the upper ones the last.
  store(out, _mm256_permute2x128_si256(third[0], third[1], 0x20));
  store(out + 32, _mm256_permute2x128_si256(third[2], third[0], 0x30));
  store(out + 64, _mm256_permute2x128_si256(third[1], third[2], 0x31));
}

NESPROOF_AVX2 inline void put_grey(__m256i entries, const ColourTable::Channels& channels, u8* out) {
  store(out, look_up(indices_of(entries), channels.of[ColourTable::kGrey]));
}

NESPROOF_AVX2 inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

NESPROOF_AVX2 void narrow_to_rgb(const u8* pixels, std::size_t count, const ColourTable& table, u8* out) {
  std::size_t at = 0;
  for (; at + kAtOnce <= count; at += kAtOnce) put_rgb(load(pixels + at), table.channels(0), out + 3 * at);
  kPortableColours.narrow_to_rgb(pixels + at, count - at, table, out + 3 * at);
}

NESPROOF_AVX2 void narrow_to_grey(const u8* pixels, std::size_t count, const ColourTable& table, u8* out) {
  std::size_t at = 0;
  for (; at + kAtOnce <= count; at += kAtOnce) put_grey(load(pixels + at), table.channels(0), out + at);
  kPortableColours.narrow_to_grey(pixels + at, count - at, table, out + at);
}

// Of 32 wide pixels their entries; false where their emphasis is not one and the same.
NESPROOF_AVX2 inline bool entries_of(const u16* pixels, __m256i& entries) {
  const __m256i left = load(pixels), right = load(pixels + 16), first = _mm256_set1_epi16(static_cast<short>(*pixels));
  const __m256i different = _mm256_or_si256(_mm256_xor_si256(left, first), _mm256_xor_si256(right, first));
  const __m256i kept = _mm256_set1_epi16(0x3F);
  if (!_mm256_testc_si256(kept, different)) return false;
  const __m256i packed = _mm256_packus_epi16(_mm256_and_si256(left, kept), _mm256_and_si256(right, kept));
  entries = _mm256_permute4x64_epi64(packed, 0xD8);
  return true;
}

NESPROOF_AVX2 void wide_to_rgb(const u16* pixels, std::size_t count, const ColourTable& table, u8* out) {
  std::size_t at = 0;
  for (__m256i entries; at + kAtOnce <= count; at += kAtOnce) {
    if (entries_of(pixels + at, entries)) {
      put_rgb(entries, table.channels(pixels[at] >> 6), out + 3 * at);
    } else {
      kPortableColours.wide_to_rgb(pixels + at, kAtOnce, table, out + 3 * at);
    }
  }
  kPortableColours.wide_to_rgb(pixels + at, count - at, table, out + 3 * at);
}

NESPROOF_AVX2 void wide_to_grey(const u16* pixels, std::size_t count, const ColourTable& table, u8* out) {
  std::size_t at = 0;
  for (__m256i entries; at + kAtOnce <= count; at += kAtOnce) {
    if (entries_of(pixels + at, entries)) {
      put_grey(entries, table.channels(pixels[at] >> 6), out + at);
    } else {
      kPortableColours.wide_to_grey(pixels + at, kAtOnce, table, out + at);
    }
  }
  kPortableColours.wide_to_grey(pixels + at, count - at, table, out + at);
}

constexpr ColourMaker kAvx2Colours{narrow_to_rgb, wide_to_rgb, narrow_to_grey, wide_to_grey};

}  // namespace

const ColourMaker* avx2_colours() {
  static const bool available = __builtin_cpu_supports("avx2");
  return available ? &kAvx2Colours : nullptr;
}

}  // namespace nesproof::batch

#else

namespace nesproof::batch {

const ColourMaker* avx2_colours() { return nullptr; }

}  // namespace nesproof::batch

#endif
