// UxROM: a latch that selects 16 KiB of PRG-ROM at $8000; the last 16 KiB stay at $C000.
// https://www.nesdev.org/wiki/UxROM
//
// Submapper 1 has no bus conflicts; the others do, as on Nintendo's boards.
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class UxRom final : public Board {
 public:
  explicit UxRom(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = submapper_ == 1 ? value : with_bus_conflict(address, value);
    move_windows();
  }
  void move_windows() override {
    map_prg_16k(0, registers_.banks[0]);
    map_prg_16k(1, kLastBank);
  }
};

}  // namespace nesproof::reference
