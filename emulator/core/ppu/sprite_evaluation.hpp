// The search for the next line's sprites, dot by dot: https://www.nesdev.org/wiki/PPU_sprite_evaluation
//
//   dots 1-64     secondary OAM is filled with $FF; the OAM data bus reads $FF
//   dots 65-256   odd dots read OAM at OAMADDR, even dots write secondary OAM and decide where OAMADDR goes
//   dots 257-320  eight sprites are read back, four bytes and then four times the last one; OAMADDR is held at 0
//
// Visible lines only; the pre-render line reads secondary OAM back as well, whatever it still holds.
#pragma once

#include "core/ppu/fetch.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

inline constexpr u8 kOamAttributeBits = 0xE3;  // bits 2-4 of the attribute byte do not exist

template <class S>
void write_oam_byte(S s, u8 value) {
  u8& address = s.ppu_oam_address();
  s.ppu_oam(address) = (address & 3) == 2 ? value & kOamAttributeBits : value;
  ++address;
}

// --- Dots 65, 67 ... 255
template <class S>
void read_oam_dot(S s, u32 dot) {
  if (dot == 65) {
    s.ppu_secondary_address() = 0;
    s.ppu_evaluation_byte() = 0;
    s.ppu_evaluation_full() = 0;
    s.ppu_evaluation_done() = 0;
  }
  s.ppu_oam_data_bus() = s.ppu_oam(s.ppu_oam_address());
}

// OAMADDR goes on. Past the end of OAM the search is over.
template <class S>
void move_oam_address(S s, u32 next) {
  u8& address = s.ppu_oam_address();
  next &= 0xFF;
  if (next < address && next < 4) s.ppu_evaluation_done() = 1;
  address = static_cast<u8>(next);
}

// A byte of a sprite on the line; with secondary OAM full, one that only moves OAMADDR. True for the ninth sprite's y.
template <class S>
bool copy_sprite_byte(S s, bool in_range) {
  u8& byte = s.ppu_evaluation_byte();
  const bool was_full = s.ppu_evaluation_full();
  const bool overflow = byte == 0 && was_full;
  const u32 next = s.ppu_oam_address() + 1u;
  if (byte < 3) {
    ++byte;
    move_oam_address(s, next);
  } else {
    // The comparator looks at x as well: where it says "not on the line", OAMADDR loses its low bits.
    byte = 0;
    move_oam_address(s, in_range && !was_full ? next : next & 0xFC);
    if (was_full) s.ppu_evaluation_done() = 1;  // one overflow ends the search
  }
  if (!was_full) {
    const u32 secondary = (s.ppu_secondary_address() + 1u) & 31;
    s.ppu_secondary_address() = static_cast<u8>(secondary);
    s.ppu_evaluation_full() = secondary == 0;
  }
  return overflow;
}

// --- Dots 66, 68 ... 256. True when the overflow flag is to be set.
template <class S>
bool evaluate_dot(S s, u32 line, u32 dot) {
  u8& bus = s.ppu_oam_data_bus();
  const u8 value = bus;
  const bool full = s.ppu_evaluation_full(), done = s.ppu_evaluation_done();
  if (full || done) {
    bus = s.ppu_secondary_oam(s.ppu_secondary_address());  // the write is turned into a read
  } else {
    s.ppu_secondary_oam(s.ppu_secondary_address()) = value;  // also when the sprite is not on the line
  }
  if (done) {
    s.ppu_oam_address() = static_cast<u8>((s.ppu_oam_address() + 4) & 0xFC);
    return false;
  }
  const bool in_range = sprite_on_line(line, value, sprite_rows(s.ppu_control()));
  if (dot == 66) s.ppu_sprite_zero_found() = in_range;
  if (s.ppu_evaluation_byte() == 0 && !in_range) {
    // With secondary OAM full, the low two bits count as well, without a carry: the overflow bug.
    const u32 address = s.ppu_oam_address();
    const u32 next_sprite = (address & 0xFC) + 4;
    move_oam_address(s, full ? (next_sprite & 0xFF) | ((address + 1) & 3) : next_sprite);
    NESPROOF_FAULT(overflow_without_its_bug, s.ppu_oam_address() &= 0xFC);
    return false;
  }
  return copy_sprite_byte(s, in_range);
}

// --- Dots 257-320: y, tile, attributes and five times x of each sprite, `phase` 0 to 7 within it
template <class S>
u8 read_back_sprite(S s, u32 phase) {
  u8& address = s.ppu_secondary_address();
  const u8 value = s.ppu_secondary_oam(address);
  s.ppu_oam_data_bus() = value;
  if (phase < 3 || phase == 7) address = (address + 1) & 31;
  s.ppu_oam_address() = 0;
  return value;
}

// Rendering goes off within a rendered line: the row of OAM that secondary OAM's address points at loses its charge,
// and takes over row 0 when rendering comes back with dot 0 of a line.
// https://www.nesdev.org/wiki/Errata#OAM_and_Sprites
template <class S>
void lose_oam_charge(S s) {
  const u32 dot = s.ppu_dot(), address = s.ppu_secondary_address();
  const bool evaluating = dot > 64 && dot <= 256;
  s.ppu_oam_corrupt_row() = static_cast<u8>((evaluating ? (address + 3) & ~3u : address) & 31);
  s.ppu_oam_corrupt() = 1;
}
// --- Dot 0 of a rendered line
template <class S>
__attribute__((noinline)) void take_over_oam_row_zero(S s) {
  const u32 row = s.ppu_oam_corrupt_row();
  for (u32 i = 0; i < 8; ++i) s.ppu_oam(row * 8 + i) = s.ppu_oam(i);
  s.ppu_secondary_oam(row) = s.ppu_secondary_oam(0);
  s.ppu_oam_corrupt() = 0;
}

}  // namespace nesproof::core
