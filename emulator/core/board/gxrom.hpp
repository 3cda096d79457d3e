// GxROM: 32 KiB of PRG-ROM, 8 KiB of CHR. https://www.nesdev.org/wiki/GxROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::gxrom {

template <class S>
bool write(const S& s, u32 address, u32 value) {
  return put_latch(s, address, value, true);
}

template <class S>
Windows windows(const S& s) {
  const u32 latch = s.board_registers(0);
  Windows windows = first_windows(s);
  windows.put_prg_32k(latch >> 4 & 3);
  windows.put_chr_8k(latch & 3);
  return windows;
}

}  // namespace nesproof::core::gxrom
