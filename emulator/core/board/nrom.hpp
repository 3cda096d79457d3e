// NROM: no registers; 16 KiB of PRG-ROM appear twice, 32 KiB once. https://www.nesdev.org/wiki/NROM
//
// What a board is to the core: offsets of its windows now, what a write to it does, and when it will pull the IRQ line.
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

struct Nrom {
  static constexpr u16 kMapper = 0;
  static constexpr bool kHasRegisters = false;  // a CPU write may move windows
  static constexpr bool kHasIrq = false;

  // $8000-$FFFF to an offset in PRG-ROM, of which its size is a power of two.
  template <class S>
  static u32 prg_offset(const S& s, u16 address) {
    return (address & 0x7FFFu) & s.cartridge->prg_mask;
  }
  template <class S>
  static u32 chr_offset(const S& s, u16 address) {
    return (address & 0x1FFFu) & s.cartridge->chr_mask;
  }
  template <class S>
  static u32 nametable_offset(const S& s, u16 address) {
    return s.cartridge->nametable_bank[address >> 10 & 3] + (address & 0x3FFu);
  }
};

}  // namespace nesproof::core
