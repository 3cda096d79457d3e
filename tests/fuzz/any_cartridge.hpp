// A cartridge of the NROM board as the input chooses: sizes first, then what is in its ROMs.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "input.hpp"
#include "reference/board/board.hpp"

namespace nesproof::fuzz {

inline u32 ram_bytes(u8 nibble) { return nibble == 0 ? 0 : std::min(u32{64} << (nibble - 1), u32{8192}); }

inline reference::CartridgeImage image_from(Input& input) {
  const u8 kind = input.byte();
  const u8 sizes = input.byte();
  constexpr std::size_t kPrgSizes[] = {8192, 16384, 32768, 24576};
  reference::CartridgeImage image;
  image.mirroring = static_cast<reference::Mirroring>(std::min((kind >> 2) & 3, 2));
  image.prg_ram_bytes = ram_bytes(sizes >> 4);
  if (kind & 0x20) image.trainer = std::vector<u8>(512, 0xEA);
  image.prg_rom.resize(kPrgSizes[kind & 3]);
  if (kind & 0x10) {
    image.chr_rom.resize(8192);
  } else {
    image.chr_ram_bytes = std::max(ram_bytes(sizes & 15), u32{64});
  }
  return image;
}

inline void fill_roms(reference::CartridgeImage& image, std::span<const u8> content) {
  image.prg_rom = filled(content, image.prg_rom.size());
  const auto after = content.size() > image.prg_rom.size() ? content.subspan(image.prg_rom.size()) : content;
  if (!image.chr_rom.empty()) image.chr_rom = filled(after, image.chr_rom.size());
  // NMI, reset and IRQ vectors point into ROM, else most programs would run RAM full of zeros.
  for (std::size_t i = 1; i <= 5; i += 2) image.prg_rom[image.prg_rom.size() - i] |= 0x80;
}

}  // namespace nesproof::fuzz
