// One number for a cartridge, in every snapshot, so that a state is never loaded into another game: FNV-1a of sizes,
// board and memories as the file has them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace nesproof::state {

struct CartridgeFacts {
  std::span<const std::uint8_t> prg_rom, chr_rom, trainer;
  std::uint64_t chr_ram_bytes, prg_ram_bytes, mapper, submapper;
  std::uint64_t variant;    // bits: 1 NEC's IRQ, 2 the MMC6's RAM
  std::uint64_t mirroring;  // 0 horizontal, 1 vertical, 2 four screens
};

constexpr std::uint64_t cartridge_identity(const CartridgeFacts& facts) {
  constexpr std::uint64_t kPrime = 0x100000001B3;
  const std::array<std::uint64_t, 7> numbers{facts.prg_rom.size(), facts.chr_rom.size(),
                                             facts.chr_ram_bytes,  facts.prg_ram_bytes,
                                             facts.mapper,         facts.submapper | facts.variant << 8,
                                             facts.mirroring};
  std::uint64_t hash = 0xCBF29CE484222325;
  for (std::uint64_t number : numbers) {
    for (int byte = 0; byte < 8; ++byte, number >>= 8) hash = (hash ^ (number & 0xFF)) * kPrime;
  }
  for (const auto memory : {facts.prg_rom, facts.chr_rom, facts.trainer}) {
    for (const std::uint8_t byte : memory) hash = (hash ^ byte) * kPrime;
  }
  return hash;
}

}  // namespace nesproof::state
