// A board that watches bit 12 of the PPU's address bus, and how long it stayed low: https://www.nesdev.org/wiki/MMC3
//
// A rise is a clock if M2 has fallen three times or more while the bit was low. A cycle's dots are 3c - 2 to 3c, and M2
// falls before the last one, so that between a fall of the bit in dot f and a rise in dot r it does so
// floor(r / 3) - floor(f / 3) times. Times are those of lazy_ppu_time: the number of the dot.
//
// Who makes single dots reports each address (`a12_shows`); jumps over dots are followed by ppu/a12_jump.hpp.
#pragma once

#include "core/types.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// Between a fall in `fell_at` and a rise in dot `at`, which is none of the distant past. In 9 dots M2 falls three times
// wherever they lie, in 7 if it falls in the last of them.
template <class S>
bool a12_was_low(S s, u32 fell_at, u32 at) {
  NESPROOF_FAULT(mmc3_a12_unfiltered, return true);
  const u32 dots = at - fell_at;
  if (dots >= 9) return true;
  return dots >= 7 + (at - 3 * s.lazy_ppu_anchor_cycle()) % 3;
}

// The dot that has just been made, or the access after it, left `address` on the bus.
template <class S>
void a12_shows(S s, u16 address) {
  const u8 level = address >> 12 & 1;
  if (level == s.lazy_board_a12()) return;
  const u32 at = s.lazy_ppu_time();
  s.lazy_board_a12() = level;
  if (level == 0) {
    s.lazy_board_a12_fell_at() = at;
  } else if (a12_was_low(s, s.lazy_board_a12_fell_at(), at)) {
    S::Board::clock_irq(s, 1);
  }
}

// Times that are to be compared stay near: how long the bit has been low does not count any more.
template <class S>
void keep_a12_near(S s) {
  constexpr u32 kLong = 1000;
  if (s.lazy_ppu_time() - s.lazy_board_a12_fell_at() + kLong > 2 * kLong) {
    s.lazy_board_a12_fell_at() = s.lazy_ppu_time() - kLong;
  }
}

// --- The field and what is derived from it, with `now` cycles complete
inline constexpr u32 kEnoughLowCycles = 3;

template <class S>
void a12_settled(S s, u32 now) {
  s.lazy_board_a12() = s.ppu_address_bus() >> 12 & 1;
  s.lazy_board_a12_fell_at() = 3 * (now - s.board_a12_low_cycles());
}
template <class S>
void a12_settle(S s) {
  const u32 cycles = (s.lazy_ppu_time() + 2 - s.lazy_board_a12_fell_at()) / 3;
  s.board_a12_low_cycles() = static_cast<u8>(s.lazy_board_a12()          ? 0
                                             : cycles < kEnoughLowCycles ? cycles
                                                                         : kEnoughLowCycles);
}

}  // namespace nesproof::core
