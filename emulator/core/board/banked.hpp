// The boards that move windows and do nothing else. Which of them it is, is asked when a register is written; kernels,
// whose cartridge is known when compiling, ask nothing.
#pragma once

#include "core/board/uxrom.hpp"
#include "core/board/windows.hpp"

namespace nesproof::core {

struct Banked : WindowOffsets {
  static constexpr bool kHasRegisters = true, kHasIrq = false, kWatchesA12 = false;

  // A CPU write of cycle `cycle` to $4020-$FFFF, after PRG-RAM has taken it.
  template <class S>
  static void write(const S& s, u32 address, u32 value, u32 cycle) {
    switch (s.cartridge->mapper) {
      case 2: uxrom::write(s, address, value); break;
    }
    move_windows(s, windows(s), cycle);
  }

  template <class S>
  static void power_on(const S&) {}
  template <class S>
  static void settled(const S& s, u32) {
    put_windows(s, windows(s));
  }
  template <class S>
  static void settle(const S&) {}

 private:
  // Where the registers say that the windows stand.
  template <class S>
  static Windows windows(const S& s) {
    switch (s.cartridge->mapper) {
      case 2: return uxrom::windows(s);
      default: return first_windows(s);
    }
  }
};

}  // namespace nesproof::core
