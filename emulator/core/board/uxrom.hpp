// UxROM: 16 KiB at $8000, the last 16 KiB at $C000. https://www.nesdev.org/wiki/UxROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::uxrom {

template <class S>
void write(const S& s, u32 address, u32 value) {
  if (address < 0x8000) return;
  if (s.cartridge->submapper != 1) value &= s.prg(static_cast<u16>(address));  // the ROM drives the bus as well
  s.board_registers(0) = static_cast<u8>(value);
}

template <class S>
Windows windows(const S& s) {
  Windows windows = first_windows(s);
  windows.put_prg_16k(s.board_registers(0), s.cartridge->prg_mask / 0x4000);
  return windows;
}

}  // namespace nesproof::core::uxrom
