// The PPU's data bus towards the CPU: it keeps the last value for a while.
// https://www.nesdev.org/wiki/Open_bus_behavior#PPU_open_bus
//
// Each bit is a capacitor of its own. A bit that was driven high falls to 0 about 600 ms after it was last driven; a
// frame is the unit of its age, so that the state does not depend on when in a frame it is looked at.
#pragma once

#include <array>

#include "faults/hooks.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

struct OpenBus {
  static constexpr u8 kDecayFrames = 36;

  u8 value = 0;
  std::array<u8, 8> age_frames{};  // of each bit that is 1; 0 for a bit that is 0

  // The bits in `driven` take their new value and are fresh.
  void drive(u8 new_value, u8 driven = 0xFF) {
    value = static_cast<u8>((value & ~driven) | (new_value & driven));
    if (driven == 0xFF) {
      age_frames = {};
      return;
    }
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (driven >> bit & 1) age_frames[bit] = 0;
    }
  }

  // Once a frame, at scanline 241, dot 1.
  void age() {
    NESPROOF_FAULT(open_bus_never_decays, return);
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (!(value >> bit & 1)) continue;
      if (++age_frames[bit] < kDecayFrames) continue;
      value = static_cast<u8>(value & ~(1u << bit));
      age_frames[bit] = 0;
    }
  }
};

}  // namespace nesproof::reference
