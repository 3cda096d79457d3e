// UxROM: 16 KiB of PRG-ROM at $8000, the last 16 KiB at $C000. https://www.nesdev.org/wiki/UxROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::uxrom {

template <class S>
bool write(const S& s, u32 address, u32 value) {
  constexpr u8 kNoConflict = 1;  // a submapper
  return put_latch(s, address, value, s.cartridge->submapper != kNoConflict);
}

template <class S>
Windows windows(const S& s) {
  Windows windows = first_windows(s);
  windows.put_prg_16k(s.board_registers(0), kLastBank);
  return windows;
}

}  // namespace nesproof::core::uxrom
