// What the CPU would read from a settled console, without side effects and without time; and changes from outside.
#pragma once

#include "core/apu/apu.hpp"
#include "core/bus/cartridge_space.hpp"
#include "core/ppu/ppu.hpp"
#include "core/system.hpp"

namespace nesproof::core {

template <class S>
u8 peek(S s, u16 address) {
  if (address < 0x2000) return s.bus_ram(address & 0x07FFu);
  if (address >= 0x4020) return static_cast<u8>(cartridge_read(s, address, s.bus_data()));
  if (address < 0x4000) return ppu_peek(s, address & 7u);
  switch (address) {
    case 0x4015: return static_cast<u8>(apu_peek_status(s) | (s.bus_internal_data() & 0x20));
    case 0x4016:
    case 0x4017: return static_cast<u8>((s.controller_shift(address & 1u) & 1) | (s.bus_data() & 0xE0));
    default: return s.bus_data();
  }
}

// False for an address that is neither RAM nor PRG-RAM.
template <class S>
bool poke(S s, u16 address, u8 value) {
  if (address < 0x2000) {
    s.bus_ram(address & 0x07FFu) = value;
    return true;
  }
  u32 offset;
  if (address < 0x6000 || address >= 0x8000 || !S::Board::prg_ram_place(s, address, offset)) return false;
  s.cartridge_prg_ram(offset) = value;
  return true;
}

}  // namespace nesproof::core
