// The PPU's bus to the cartridge and what is fetched over it.
// https://www.nesdev.org/wiki/PPU_rendering  https://www.nesdev.org/wiki/PPU_pinout
//
// An access takes two dots. In the first the PPU drives all 14 address bits, and a latch on the board (ALE) keeps the
// low eight of them; in the second the same eight pins carry data, and only the high six address bits are still driven.
// So when v or PPUCTRL changes between the two, the byte comes from a mixture of both addresses.
//
//   phase of 8 dots   1 2         3 4         5 6          7 0
//   background        nametable   attribute   pattern low  pattern high
//   sprites           nametable   nametable   pattern low  pattern high
#pragma once

#include "reference/ppu/ppu.hpp"

namespace nesproof::reference {

// First dot of an access.
inline void Ppu::put_address(u16 address) {
  address_bus_ = address;
  board_.ppu_address(address);
}

// Second dot of an access: `address` is where the PPU's counters point now.
inline u8 Ppu::fetch(u16 address) {
  if ((address ^ address_bus_) & 0x3F00) {
    address_bus_ = static_cast<u16>((address & 0x3F00) | (address_bus_ & 0x00FF));
    board_.ppu_address(address_bus_);
  }
  return board_.ppu_read(address_bus_);
}

inline u16 Ppu::background_pattern_address() const {
  return static_cast<u16>(control_.background_table() | background_.next_tile << 4 | scroll_.fine_y());
}

// --- Dots 1-256 and 321-336; `phase` is the dot modulo 8
inline void Ppu::fetch_background(unsigned phase) {
  switch (phase) {
    case 1: put_address(scroll_.nametable_address()); break;
    case 2: background_.next_tile = fetch(scroll_.nametable_address()); break;
    case 3: put_address(scroll_.attribute_address()); break;
    case 4: {
      const u8 attributes = fetch(scroll_.attribute_address());
      background_.next_attribute = attributes >> scroll_.attribute_shift() & 3;
      break;
    }
    case 5: put_address(background_pattern_address()); break;
    case 6: background_.next_low = fetch(background_pattern_address()); break;
    case 7: put_address(background_pattern_address() | 8); break;
    case 0:
      background_.next_high = fetch(background_pattern_address() | 8);
      scroll_.increment_x();
      if (dot_ == 256) scroll_.increment_y();
      break;
  }
}

// The row is taken from the line that is ending, which shows the sprite one line below its y. The chip has no place for
// the result of the range check: a sprite that has left the line since it was evaluated (its height changed, or
// rendering was off in between) is checked anew, and its pattern is replaced by nothing.
inline u16 Ppu::sprite_pattern_address() const {
  const u8 flip = sprite_attributes_ & 0x80 ? 0x0F : 0;
  const u8 row = static_cast<u8>((scanline_ - sprite_y_) ^ flip);
  if (control_.tall_sprites()) {
    return static_cast<u16>((sprite_tile_ & 1) << 12 | (sprite_tile_ & 0xFE) << 4 | (row & 8) << 1 | (row & 7));
  }
  return static_cast<u16>(control_.sprite_table() | sprite_tile_ << 4 | (row & 7));
}

inline u8 mirrored(u8 bits) {
  bits = static_cast<u8>((bits & 0xF0) >> 4 | (bits & 0x0F) << 4);
  bits = static_cast<u8>((bits & 0xCC) >> 2 | (bits & 0x33) << 2);
  return static_cast<u8>((bits & 0xAA) >> 1 | (bits & 0x55) << 1);
}

// --- Dots 257-320; `phase` counts 0 to 7 within a sprite
inline void Ppu::fetch_sprite(unsigned phase) {
  const std::size_t unit = (dot_ - 257u) >> 3;
  const u8 value = sprites_.read_back(phase);
  switch (phase) {
    case 0:
      sprite_y_ = value;
      put_address(scroll_.nametable_address());
      break;
    case 1:
      sprite_tile_ = value;
      fetch(scroll_.nametable_address());
      break;
    case 2:
      sprite_attributes_ = value;
      units_.set_attributes(unit, value);
      put_address(scroll_.nametable_address());
      break;
    case 3: fetch(scroll_.nametable_address()); break;
    case 4:
      // UNVERIFIED: this dot rather than one of the next three. That the counter is not loaded in the one before is
      // what "Stale Sprite Shift Regs" of AccuracyCoin needs, which switches rendering off between the two.
      units_.set_counter(unit, value);
      put_address(sprite_pattern_address());
      break;
    case 5: units_.set_low(unit, sprite_pattern(fetch(sprite_pattern_address()))); break;
    case 6: put_address(sprite_pattern_address() | 8); break;
    case 7: units_.set_high(unit, sprite_pattern(fetch(sprite_pattern_address() | 8))); break;
  }
}

// What goes into the shift registers of the byte that was fetched.
inline u8 Ppu::sprite_pattern(u8 bits) const {
  if (!SpriteEvaluation::on_line(scanline_, sprite_y_, control_.sprite_height())) return 0;
  return sprite_attributes_ & 0x40 ? mirrored(bits) : bits;
}

}  // namespace nesproof::reference
