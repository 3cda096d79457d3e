// CNROM: 8 KiB of CHR. https://www.nesdev.org/wiki/CNROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::cnrom {

template <class S>
bool write(const S& s, u32 address, u32 value) {
  constexpr u8 kNoConflict = 1;  // a submapper
  return put_latch(s, address, value, s.cartridge->submapper != kNoConflict);
}

template <class S>
Windows windows(const S& s) {
  Windows windows = first_windows(s);
  windows.put_chr_8k(s.board_registers(0));
  return windows;
}

}  // namespace nesproof::core::cnrom
