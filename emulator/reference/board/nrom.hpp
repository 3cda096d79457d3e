// NROM: no registers; 16 KiB of PRG-ROM appear twice, 32 KiB once. https://www.nesdev.org/wiki/NROM
#pragma once

#include <utility>

#include "reference/board/board.hpp"

namespace nesproof::reference {

// The windows stay where they are at first.
class Nrom final : public Board {
 public:
  explicit Nrom(CartridgeImage image) : Board(std::move(image)) {}
};

}  // namespace nesproof::reference
