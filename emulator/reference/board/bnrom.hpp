// BNROM: a latch that selects 32 KiB of PRG-ROM, with bus conflicts. https://www.nesdev.org/wiki/INES_Mapper_034
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class BnRom final : public Board {
 public:
  explicit BnRom(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = with_bus_conflict(address, value);
    move_windows();
  }
  void move_windows() override { map_prg_32k(registers_.banks[0]); }
};

}  // namespace nesproof::reference
