// $4020-$FFFF, the cartridge's part of the CPU's bus: https://www.nesdev.org/wiki/CPU_memory_map
#pragma once

#include "core/system.hpp"

namespace nesproof::core {

template <class S>
bool cartridge_answers(const S& s, u32 address) {
  return address >= 0x8000 || (address >= 0x6000 && s.cartridge->prg_ram_bytes != 0);
}

// What nothing drives reads as `open_bus`.
template <class S>
u32 cartridge_read(const S& s, u32 address, u32 open_bus) {
  if (address >= 0x8000) return s.prg(static_cast<u16>(address));
  if (!cartridge_answers(s, address)) return open_bus;
  return s.cartridge_prg_ram(address & (s.cartridge->prg_ram_bytes - 1));
}

template <class S>
void cartridge_write(const S& s, u32 address, u32 value) {
  if (address >= 0x6000 && address < 0x8000 && s.cartridge->prg_ram_bytes != 0) {
    s.cartridge_prg_ram(address & (s.cartridge->prg_ram_bytes - 1)) = static_cast<u8>(value);
  }
  if constexpr (S::Board::kHasRegisters) S::Board::write(s, static_cast<u16>(address), static_cast<u8>(value));
}

}  // namespace nesproof::core
