// NINA-001: three registers in the last bytes of PRG-RAM, which takes what is written there as well.
// https://www.nesdev.org/wiki/INES_Mapper_034
//
//   $7FFD  bit 0     32 KiB of PRG-ROM
//   $7FFE  bits 0-3  4 KiB of CHR at $0000
//   $7FFF  bits 0-3  4 KiB of CHR at $1000
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class Nina001 final : public Board {
 public:
  explicit Nina001(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address < 0x7FFD || address > 0x7FFF) return;
    registers_.banks[address - 0x7FFD] = value;
    move_windows();
  }
  void move_windows() override {
    map_prg_32k(registers_.banks[0] & 0x01);
    map_chr_4k(0, registers_.banks[1] & 0x0F);
    map_chr_4k(1, registers_.banks[2] & 0x0F);
  }
};

}  // namespace nesproof::reference
