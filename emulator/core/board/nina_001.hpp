// NINA-001, and BNROM, which share a mapper number. https://www.nesdev.org/wiki/INES_Mapper_034
//
//   NINA-001   board_registers: 0 32 KiB of PRG-ROM, 1 and 2 4 KiB of CHR each; they lie over PRG-RAM's last bytes
//   BNROM      board_registers: 0 32 KiB of PRG-ROM
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::nina_001 {

// Where the submapper does not say, more CHR-ROM than BNROM could address does.
template <class S>
bool is_nina_001(const S& s) {
  constexpr u8 kNina001 = 1, kBnrom = 2;  // submappers
  if (s.cartridge->submapper == kNina001) return true;
  return s.cartridge->submapper != kBnrom && s.cartridge->chr_rom != nullptr && s.cartridge->chr_mask >= 0x2000;
}

template <class S>
bool write(const S& s, u32 address, u32 value) {
  if (!is_nina_001(s)) return put_latch(s, address, value, true);
  const u32 number = address - 0x7FFD;
  if (number > 2) return false;
  s.board_registers(number) = static_cast<u8>(value);
  return true;
}

template <class S>
Windows windows(const S& s) {
  const u32 prg = s.board_registers(0);
  Windows windows = first_windows(s);
  if (is_nina_001(s)) {
    windows.put_prg_32k(prg & 1);
    windows.put_chr_4k(s.board_registers(1) & 0x0F, s.board_registers(2) & 0x0F);
  } else {
    windows.put_prg_32k(prg);
  }
  return windows;
}

}  // namespace nesproof::core::nina_001
