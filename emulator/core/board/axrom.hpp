// AxROM: 32 KiB of PRG-ROM, and which nametable all four windows show. https://www.nesdev.org/wiki/AxROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::axrom {

template <class S>
bool write(const S& s, u32 address, u32 value) {
  constexpr u8 kConflict = 2;  // a submapper: AMROM
  return put_latch(s, address, value, s.cartridge->submapper == kConflict);
}

template <class S>
Windows windows(const S& s) {
  const u32 latch = s.board_registers(0);
  Windows windows = first_windows(s);
  windows.put_prg_32k(latch & 0x0F);
  if (!has_four_screens(s)) windows.put_one_screen(latch >> 4 & 1);
  return windows;
}

}  // namespace nesproof::core::axrom
