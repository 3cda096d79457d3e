// Color Dreams: a latch that selects 32 KiB of PRG-ROM and 8 KiB of CHR, with bus conflicts.
// https://www.nesdev.org/wiki/Color_Dreams
//
//   7  bit  0
//   CCCC LLPP
//   |||| ||++- 32 KiB of PRG-ROM
//   |||| ++--- to the lockout chip's defeat; on boards with more PRG-ROM, further bits of it
//   ++++------ 8 KiB of CHR
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class ColorDreams final : public Board {
 public:
  explicit ColorDreams(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x8000) return;
    registers_.banks[0] = with_bus_conflict(address, value);
    move_windows();
  }
  // PRG-ROM of up to 128 KiB repeats, so that the upper two bits mean nothing there.
  void move_windows() override {
    map_prg_32k(registers_.banks[0] & 0x0F);
    map_chr_8k(registers_.banks[0] >> 4);
  }
};

}  // namespace nesproof::reference
