// Camerica's BF909x: 16 KiB of PRG-ROM at $8000, the last 16 KiB at $C000; the BF9097 (Fire Hawk) also says which
// nametable all four windows show. https://www.nesdev.org/wiki/INES_Mapper_071
//
//   board_registers   0 PRG-ROM, 1 the nametable
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::camerica {

template <class S>
bool is_bf9097(const S& s) {
  return s.cartridge->submapper == 1;
}

template <class S>
bool write(const S& s, u32 address, u32 value) {
  const bool prg = address >= 0xC000, nametable = is_bf9097(s) && address >= 0x8000 && address < 0xA000;
  if (!prg && !nametable) return false;
  s.board_registers(prg ? 0 : 1) = static_cast<u8>(value);
  return true;
}

template <class S>
Windows windows(const S& s) {
  Windows windows = first_windows(s);
  windows.put_prg_16k(s.board_registers(0), kLastBank);
  if (is_bf9097(s) && !has_four_screens(s)) windows.put_one_screen(s.board_registers(1) >> 4 & 1);
  return windows;
}

}  // namespace nesproof::core::camerica
