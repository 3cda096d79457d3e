// The boards that move windows and do nothing else. Which of them it is, is asked when a register is written; kernels,
// whose cartridge is known when compiling, ask nothing.
#pragma once

#include "core/board/axrom.hpp"
#include "core/board/camerica.hpp"
#include "core/board/cnrom.hpp"
#include "core/board/color_dreams.hpp"
#include "core/board/gxrom.hpp"
#include "core/board/mmc1.hpp"
#include "core/board/nina_001.hpp"
#include "core/board/uxrom.hpp"
#include "core/board/windows.hpp"

namespace nesproof::core {

struct Banked : WindowOffsets {
  static constexpr bool kHasRegisters = true, kHasIrq = false, kWatchesA12 = false;
  static constexpr bool kRamFollowsA12 = true;

  // A CPU write of cycle `cycle` to $4020-$FFFF, after PRG-RAM has taken it.
  template <class S>
  NESPROOF_OUTLINE static void write(S s, u32 address, u32 value, u32 cycle) {
    NESPROOF_FAULT(board_writes_lost, return);
    if (takes(s, address, value, cycle)) move_windows(s, windows(s), cycle);
  }

  // --- $6000-$7FFF, where on one board the PPU's address bus has a say
  template <class S>
  static bool ram_follows_a12(const S& s) {
    return (s.lazy_board_prg_ram_access() & mmc1::kFollowsA12) != 0;
  }
  template <class S>
  static u8 prg_ram_access(const S& s) {
    return mmc1::access_with(s.lazy_board_prg_ram_access(), s.ppu_address_bus());
  }

  template <class S>
  static void power_on(const S& s) {
    if (s.cartridge->mapper == 1) mmc1::power_on(s);
  }
  // The fields have been put in, with `now` cycles complete. The next cycle writes nothing.
  template <class S>
  static void settled(const S& s, u32 now) {
    s.lazy_board_written_at() = now;
    put_windows(s, windows(s));
  }
  template <class S>
  static void settle(const S&) {}

 private:
  // Whether a register has taken what may move windows.
  template <class S>
  static bool takes(const S& s, u32 address, u32 value, u32 cycle) {
    switch (s.cartridge->mapper) {
      case 1: return mmc1::write(s, address, value, cycle);
      case 2: return uxrom::write(s, address, value);
      case 3: return cnrom::write(s, address, value);
      case 7: return axrom::write(s, address, value);
      case 11: return color_dreams::write(s, address, value);
      case 34: return nina_001::write(s, address, value);
      case 66: return gxrom::write(s, address, value);
      case 71: return camerica::write(s, address, value);
      default: return false;
    }
  }

  // Where the registers say that the windows stand.
  template <class S>
  static Windows windows(const S& s) {
    switch (s.cartridge->mapper) {
      case 1: return mmc1::windows(s);
      case 2: return uxrom::windows(s);
      case 3: return cnrom::windows(s);
      case 7: return axrom::windows(s);
      case 11: return color_dreams::windows(s);
      case 34: return nina_001::windows(s);
      case 66: return gxrom::windows(s);
      case 71: return camerica::windows(s);
      default: return first_windows(s);
    }
  }
};

}  // namespace nesproof::core
