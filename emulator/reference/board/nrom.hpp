// NROM: no registers; 16 KiB of PRG-ROM appear twice, 32 KiB once. https://www.nesdev.org/wiki/NROM
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

class Nrom final : public Board {
 public:
  explicit Nrom(CartridgeImage image) : Board(std::move(image)) {
    prg_bank_ = {0x0000, 0x2000, 0x4000, 0x6000};
    for (u32 window = 0; window < chr_bank_.size(); ++window) chr_bank_[window] = window * 0x400;
  }
};

}  // namespace nesproof::reference
