// NROM: no registers; 16 KiB of PRG-ROM appear twice, 32 KiB once. https://www.nesdev.org/wiki/NROM
//
// What a board is to the core: offsets of its windows now, what answers at $6000-$7FFF, what a write to it does, and
// when it will pull the IRQ line. Boards that move windows are banked.hpp and mmc3.hpp.
#pragma once

#include "core/types.hpp"

namespace nesproof::core {

struct Nrom {
  static constexpr bool kHasRegisters = false;   // a CPU write may move windows
  static constexpr bool kHasIrq = false;         // it has an IRQ line, and foretells it
  static constexpr bool kWatchesA12 = false;     // it looks at the PPU's address bus
  static constexpr bool kRamFollowsA12 = false;  // what $6000-$7FFF let through may hang on that bus

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

  // --- $6000-$7FFF
  // Where in PRG-RAM an address lies, whatever it is protected from; false where nothing is.
  template <class S>
  static bool prg_ram_place(const S& s, u32 address, u32& offset) {
    offset = address & (s.cartridge->prg_ram_bytes - 1);
    return s.cartridge->prg_ram_bytes != 0;
  }
  // Whether a read finds anything that drives the bus.
  template <class S>
  static bool answers(const S& s, u32) {
    return s.cartridge->prg_ram_bytes != 0;
  }
  template <class S>
  static u32 read_prg_ram(const S& s, u32 address, u32 open_bus) {
    u32 offset;
    return prg_ram_place(s, address, offset) ? s.cartridge_prg_ram(offset) : open_bus;
  }
  template <class S>
  static void write_prg_ram(const S& s, u32 address, u32 value) {
    u32 offset;
    if (prg_ram_place(s, address, offset)) s.cartridge_prg_ram(offset) = static_cast<u8>(value);
  }

  // --- Power, and what is derived from the fields
  template <class S>
  static void power_on(const S&) {}
  template <class S>
  static void settled(const S&, u32) {}
  template <class S>
  static void settle(const S&) {}
};

}  // namespace nesproof::core
