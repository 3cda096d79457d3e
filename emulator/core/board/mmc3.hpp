// MMC3 and MMC6 (TxROM, HKROM): 8 KiB of PRG-ROM, 1 and 2 KiB of CHR, and an IRQ that counts rises of the PPU's A12.
// https://www.nesdev.org/wiki/MMC3
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core {

struct Mmc3 : WindowOffsets {
  static constexpr bool kHasRegisters = true, kHasIrq = true, kWatchesA12 = true;

  // A CPU write of cycle `cycle` to $4020-$FFFF, after PRG-RAM has taken it.
  template <class S>
  static void write(const S& s, u32 address, u32 value, u32 cycle) {
    static_cast<void>(address), static_cast<void>(value);
    move_windows(s, first_windows(s), cycle);
  }

  // In no cycle before does the IRQ line rise by itself. `now`: cycles that are complete, or that of an access.
  template <class S>
  static u32 next_event(const S&, u32 now) {
    return now + 1;
  }

  template <class S>
  static void power_on(const S&) {}
  // The fields have been put in, with `now` cycles complete.
  template <class S>
  static void settled(const S& s, u32) {
    put_windows(s, first_windows(s));
  }
  // Everything of the board's as of now; the PPU has caught up.
  template <class S>
  static void settle(const S&) {}
};

}  // namespace nesproof::core
