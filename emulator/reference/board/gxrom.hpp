// GxROM: a latch that selects 32 KiB of PRG-ROM and 8 KiB of CHR, with bus conflicts.
// https://www.nesdev.org/wiki/GxROM
//
//   7  bit  0
//   ..PP ..CC
//     ||   ++- 8 KiB of CHR
//     ++------ 32 KiB of PRG-ROM
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class GxRom final : public Board {
 public:
  explicit GxRom(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = with_bus_conflict(address, value);
    move_windows();
  }
  void move_windows() override {
    map_prg_32k(registers_.banks[0] >> 4 & 3);
    map_chr_8k(registers_.banks[0] & 3);
  }
};

}  // namespace nesproof::reference
