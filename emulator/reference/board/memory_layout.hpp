// How a ROM of any size fills the address space of its board.
#pragma once

#include <bit>
#include <vector>

#include "reference/types.hpp"

namespace nesproof::reference {

// A size that is no power of two is laid out as chips of sizes that are, the largest first, and what follows a chip
// repeats until there is as much of it as of the chip (80 KiB: 64 KiB, then the remaining 16 KiB four times; 176 KiB:
// 128 KiB, then twice 32, 16 and once more the same 16 KiB). So the last bank that a register can name holds the file's
// last bytes, and a mask stands for every bank.
inline std::vector<u8> laid_out_as_chips(std::vector<u8> rom) {
  // From the smallest chip, which is last, to the largest: each time the last chip becomes as large as the one before.
  while (!std::has_single_bit(rom.size())) {
    const std::size_t last_chip_bytes = rom.size() & ~(rom.size() - 1);
    const std::size_t before = rom.size() - last_chip_bytes;
    const std::size_t whole = before + (before & ~(before - 1));
    for (std::size_t at = rom.size(); at < whole; ++at) rom.push_back(rom[at - last_chip_bytes]);
  }
  return rom;
}

}  // namespace nesproof::reference
