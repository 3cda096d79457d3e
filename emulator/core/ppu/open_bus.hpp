// The PPU's data bus towards the CPU, which keeps what it last carried for a while.
// https://www.nesdev.org/wiki/Open_bus_behavior#PPU_open_bus
//
// Each bit ages by itself, in frames; a bit that is 0 has the age 0.
#pragma once

#include "core/types.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

inline constexpr u8 kOpenBusFrames = 36;  // until a bit that is 1 falls

template <class S>
void drive_open_bus(S s, u8 value) {
  s.ppu_open_bus() = value;
  for (u32 bit = 0; bit < 8; ++bit) s.ppu_open_bus_age(bit) = 0;
}

// $2002 drives bits 5 to 7.
template <class S>
void drive_open_bus_status(S s, u8 flags) {
  s.ppu_open_bus() = static_cast<u8>((s.ppu_open_bus() & 0x1F) | flags);
  s.ppu_open_bus_age(5) = s.ppu_open_bus_age(6) = s.ppu_open_bus_age(7) = 0;
}

// Palette RAM drives bits 0 to 5.
template <class S>
void drive_open_bus_colour(S s, u8 colour) {
  s.ppu_open_bus() = static_cast<u8>((s.ppu_open_bus() & 0xC0) | colour);
  for (u32 bit = 0; bit < 6; ++bit) s.ppu_open_bus_age(bit) = 0;
}

// Once a frame.
template <class S>
void age_open_bus(S s) {
  NESPROOF_FAULT(open_bus_never_decays, return);
  u32 value = s.ppu_open_bus();
  for (u32 bit = 0; bit < 8; ++bit) {
    if (!(value >> bit & 1)) continue;
    u8& age = s.ppu_open_bus_age(bit);
    if (++age < kOpenBusFrames) continue;
    value &= ~(1u << bit);
    age = 0;
  }
  s.ppu_open_bus() = static_cast<u8>(value);
}

}  // namespace nesproof::core
