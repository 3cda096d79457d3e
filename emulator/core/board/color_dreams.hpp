// Color Dreams: 32 KiB of PRG-ROM, 8 KiB of CHR. https://www.nesdev.org/wiki/Color_Dreams
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::color_dreams {

template <class S>
bool write(const S& s, u32 address, u32 value) {
  return put_latch(s, address, value, true);
}

// Bits 2 and 3 go to the chip that keeps the console from resetting, or, beyond 128 KiB, to more PRG-ROM.
template <class S>
Windows windows(const S& s) {
  const u32 latch = s.board_registers(0);
  Windows windows = first_windows(s);
  windows.put_prg_32k(latch & 0x0F);
  windows.put_chr_8k(latch >> 4);
  return windows;
}

}  // namespace nesproof::core::color_dreams
