// A cartridge that owns its memories, and what the core sees of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cartridge.hpp"
#include "state/fields.hpp"

namespace nesproof::batch {

enum class Mirroring : std::uint8_t { Horizontal, Vertical, FourScreen };

// As the loader found it. Sizes are in bytes.
struct CartridgeImage {
  std::vector<std::uint8_t> prg_rom;
  std::vector<std::uint8_t> chr_rom;  // empty: the board has CHR-RAM
  std::uint32_t chr_ram_bytes = 0;
  std::uint32_t prg_ram_bytes = 0;
  Mirroring mirroring = Mirroring::Horizontal;
  std::vector<std::uint8_t> trainer;  // 512 bytes at $7000, or empty
  std::uint16_t mapper = 0;
  std::uint8_t submapper = 0;
  std::uint8_t variant = 0;  // core::Variant
};

class HostCartridge {
 public:
  // Throws std::invalid_argument where the cartridge cannot be.
  HostCartridge(CartridgeImage image, bool idle_skipping);
  HostCartridge(const HostCartridge&) = delete;
  HostCartridge& operator=(const HostCartridge&) = delete;

  const core::Cartridge& view() const { return view_; }
  state::Sizes sizes() const;
  // In every snapshot; the same for every kind of console.
  std::uint64_t identity() const { return identity_; }
  // What a device is given: a word for each byte of PRG-ROM as it is laid out, no instructions fused
  // (core/cpu/code_map.hpp).
  std::vector<std::uint32_t> plain_code_map() const;
  const std::vector<std::uint8_t>& trainer() const { return trainer_; }

 private:
  std::vector<std::uint8_t> prg_rom_, chr_rom_, trainer_;
  std::vector<std::uint32_t> code_map_;
  bool idle_skipping_;
  std::uint64_t identity_;
  core::Cartridge view_{};
};

}  // namespace nesproof::batch
