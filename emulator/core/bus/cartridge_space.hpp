// $4020-$FFFF, the cartridge's part of the CPU's bus: https://www.nesdev.org/wiki/CPU_memory_map
#pragma once

#include "core/catch_up.hpp"
#include "core/system.hpp"

namespace nesproof::core {

// ppu/advance.hpp
template <class S>
void ppu_catch_up(S s, u32 dot_time, CatchUp why);

// Ahead of an access of cycle `cycle`: the PPU has to be where the access finds it, with nothing owed of what it puts
// on its bus, if PRG-RAM follows that.
template <class S>
void cartridge_meets_ppu(const S& s, u32 address, u32 cycle) {
  if constexpr (S::Board::kRamFollowsA12) {
    if ((address & 0xE000) == 0x6000 && S::Board::ram_follows_a12(s)) {
      ppu_catch_up(s, 3 * cycle - 1, CatchUp::Settle);
    }
  }
}

template <class S>
bool cartridge_answers(const S& s, u32 address) {
  return address >= 0x8000 || (address >= 0x6000 && S::Board::answers(s, address));
}

// What nothing drives reads as `open_bus`.
template <class S>
u32 cartridge_read(const S& s, u32 address, u32 open_bus) {
  if (address >= 0x8000) return s.prg(static_cast<u16>(address));
  return address >= 0x6000 ? S::Board::read_prg_ram(s, address, open_bus) : open_bus;
}

// In the access of cycle `cycle`.
template <class S>
void cartridge_write(const S& s, u32 address, u32 value, u32 cycle) {
  cartridge_meets_ppu(s, address, cycle);
  if (address >= 0x6000 && address < 0x8000) S::Board::write_prg_ram(s, address, value);
  if constexpr (S::Board::kHasRegisters) S::Board::write(s, address, value, cycle);
}

}  // namespace nesproof::core
