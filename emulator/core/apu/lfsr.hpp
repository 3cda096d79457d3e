// The noise channel's shift register, many steps at once: https://www.nesdev.org/wiki/APU_Noise
//
// A step is linear over bits, so 2^k steps are a 15x15 matrix of bits. Each is kept as four tables, one for every four
// bits of the register: what those bits become. The matrices repeat after kLongPeriod and kShortPeriod steps.
#pragma once

#include "core/types.hpp"

namespace nesproof::core::apu {

inline constexpr u32 kLfsrBits = 15;
inline constexpr u32 kLongPeriod = 32767;
inline constexpr u32 kShortPeriod = 93;  // of the short mode's registers, some have a third of it

// `short_mode` takes bit 6 for the feedback instead of bit 1.
constexpr u32 lfsr_step(u32 shifter, bool short_mode) {
  const u32 feedback = (shifter ^ shifter >> (short_mode ? 6 : 1)) & 1;
  return shifter >> 1 | feedback << 14;
}

struct LfsrMatrix {
  u16 of_nibble[4][16] = {};

  constexpr u32 times(u32 shifter) const {
    return static_cast<u32>(of_nibble[0][shifter & 15] ^ of_nibble[1][shifter >> 4 & 15] ^
                            of_nibble[2][shifter >> 8 & 15] ^ of_nibble[3][shifter >> 12 & 7]);
  }
};

template <u32 kPowers>
struct LfsrJumps {
  LfsrMatrix steps[kPowers];  // 2^k of them

  constexpr u32 jump(u32 shifter, u32 count) const {
    for (u32 k = 0; count != 0; ++k, count >>= 1) {
      if (count & 1) shifter = steps[k].times(shifter);
    }
    return shifter;
  }

  constexpr bool repeats_after(u32 count) const {
    for (u32 bit = 0; bit < kLfsrBits; ++bit) {
      if (jump(1u << bit, count) != 1u << bit) return false;
    }
    return true;
  }
};

template <u32 kPowers>
constexpr LfsrJumps<kPowers> lfsr_jumps(bool short_mode) {
  LfsrJumps<kPowers> jumps{};
  for (u32 k = 0; k < kPowers; ++k) {
    for (u32 nibble = 0; nibble < 4; ++nibble) {
      for (u32 value = 0; value < 16; ++value) {
        const u32 from = value << 4 * nibble & 0x7FFF;
        const u32 to = k == 0 ? lfsr_step(from, short_mode) : jumps.steps[k - 1].times(jumps.steps[k - 1].times(from));
        jumps.steps[k].of_nibble[nibble][value] = static_cast<u16>(to);
      }
    }
  }
  return jumps;
}

inline constexpr LfsrJumps<15> kLongJumps = lfsr_jumps<15>(false);
inline constexpr LfsrJumps<7> kShortJumps = lfsr_jumps<7>(true);
static_assert(kLongJumps.repeats_after(kLongPeriod) && !kLongJumps.repeats_after(kLongPeriod / 7));
static_assert(kShortJumps.repeats_after(kShortPeriod) && !kShortJumps.repeats_after(kShortPeriod / 3));

constexpr u32 lfsr_after(u32 shifter, bool short_mode, u32 count) {
  return short_mode ? kShortJumps.jump(shifter, count % kShortPeriod) : kLongJumps.jump(shifter, count % kLongPeriod);
}

}  // namespace nesproof::core::apu
