// How a ROM of any size fills the address space of its board.
#pragma once

#include <bit>
#include <vector>

#include "reference/types.hpp"

namespace nesproof::reference {

// A size that is no power of two is laid out as chips of sizes that are: the largest first, and each later one repeats
// until the next power of two is full (80 KiB: 64 KiB, then the remaining 16 KiB four times). So the last bank that a
// register can name holds the file's last bytes, and a mask stands for every bank.
inline std::vector<u8> laid_out_as_chips(std::vector<u8> rom) {
  const std::size_t size = rom.size();
  const std::size_t whole = std::bit_ceil(size);
  std::size_t chip = 0;  // where the chips begin that are not yet followed by a repetition
  for (std::size_t rest = size; !std::has_single_bit(rest); rest = size - chip) chip += std::bit_floor(rest);
  const std::size_t last_chip_bytes = size - chip;
  rom.resize(whole);
  // The chips but the last fill more than half of what they are given, so only the last one repeats.
  for (std::size_t at = size; at < whole; ++at) rom[at] = rom[at - last_chip_bytes];
  return rom;
}

}  // namespace nesproof::reference
