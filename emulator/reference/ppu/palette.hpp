// Palette RAM: 32 entries of 6 bits inside the PPU. https://www.nesdev.org/wiki/PPU_palettes
#pragma once

#include <array>

#include "faults/hooks.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

struct Palette {
  // $3F10, $3F14, $3F18 and $3F1C are $3F00, $3F04, $3F08 and $3F0C. Both copies are kept equal, so that drawing reads
  // without a test.
  std::array<u8, 32> entries{};

  static bool holds(u16 address) { return (address & 0x3F00) == 0x3F00; }

  u8 read(u16 address) const { return entries[address & 0x1F]; }
  void write(u16 address, u8 value) {
    entries[address & 0x1F] = value & 0x3F;
    NESPROOF_FAULT(palette_not_mirrored, return);
    if ((address & 0x03) == 0) entries[(address & 0x1F) ^ 0x10] = value & 0x3F;
  }

  // Every console comes up with a palette of its own; this one is what the hardware test power_up_palette expects.
  static constexpr std::array<u8, 32> kPowerOn{0x09, 0x01, 0x00, 0x01, 0x00, 0x02, 0x02, 0x0D, 0x08, 0x10, 0x08,
                                               0x24, 0x00, 0x00, 0x04, 0x2C, 0x09, 0x01, 0x34, 0x03, 0x00, 0x04,
                                               0x00, 0x14, 0x08, 0x3A, 0x00, 0x02, 0x00, 0x20, 0x2C, 0x08};
};

}  // namespace nesproof::reference
