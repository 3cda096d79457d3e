// AxROM: a latch that selects 32 KiB of PRG-ROM and the one nametable. https://www.nesdev.org/wiki/AxROM
//
//   7  bit  0
//   ...M PPPP
//      | ++++- 32 KiB of PRG-ROM
//      +------ nametable, the same one four times
//
// Submapper 2 (AMROM, AOROM without its extra gate) has bus conflicts.
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class AxRom final : public Board {
 public:
  explicit AxRom(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = submapper_ == 2 ? with_bus_conflict(address, value) : value;
    move_windows();
  }
  void move_windows() override {
    map_prg_32k(registers_.banks[0] & 0x0F);
    mirror_one_screen(registers_.banks[0] >> 4 & 1);
  }
};

}  // namespace nesproof::reference
