// CNROM: a latch that selects 8 KiB of CHR. https://www.nesdev.org/wiki/CNROM
//
// Submapper 1 has no bus conflicts; the others do.
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class CnRom final : public Board {
 public:
  explicit CnRom(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = submapper_ == 1 ? value : with_bus_conflict(address, value);
    move_windows();
  }
  void move_windows() override { map_chr_8k(registers_.banks[0]); }
};

}  // namespace nesproof::reference
