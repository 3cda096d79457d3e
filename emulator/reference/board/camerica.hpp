// Camerica's BF909x: a register that selects 16 KiB of PRG-ROM at $8000; the last 16 KiB stay at $C000.
// https://www.nesdev.org/wiki/INES_Mapper_071
//
//   $8000-$9FFF  bit 4: the one nametable, on the BF9097 (submapper 1) alone
//   $C000-$FFFF  16 KiB of PRG-ROM
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class Camerica final : public Board {
 public:
  explicit Camerica(CartridgeImage image) : Board(std::move(image)) { watches_cpu_writes_ = true; }

 private:
  bool is_bf9097() const { return submapper_ == 1; }

  void on_cpu_write(u16 address, u8 value, u64 /*cycle*/) override {
    if (address >= 0xC000) {
      registers_.banks[0] = value;
    } else if (is_bf9097() && address >= 0x8000 && address < 0xA000) {
      registers_.banks[1] = value;
    } else {
      return;
    }
    move_windows();
  }
  void move_windows() override {
    map_prg_16k(0, registers_.banks[0]);
    map_prg_16k(1, kLastBank);
    if (is_bf9097()) mirror_one_screen(registers_.banks[1] >> 4 & 1);
  }
};

}  // namespace nesproof::reference
