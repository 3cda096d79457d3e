// The PPU's registers as types: https://www.nesdev.org/wiki/PPU_registers
#pragma once

#include "reference/types.hpp"

namespace nesproof::reference {

// PPUCTRL, $2000, write only.
//
//   7  bit  0
//   VPHB SINN
//   |||| ||||
//   |||| ||++- nametable of the scroll (goes to t, bits 10-11)
//   |||| |+--- v moves by 32 instead of 1 after a $2007 access
//   |||| +---- sprites of 8x8: pattern table
//   |||+------ background: pattern table
//   ||+------- sprites are 8x16
//   |+-------- master/slave of the EXT pins; grounded in the console, no effect
//   +--------- NMI while the vblank flag is set
struct Control {
  u8 bits = 0;

  u16 address_step() const { return bits & 0x04 ? 32 : 1; }
  u16 sprite_table() const { return static_cast<u16>((bits & 0x08) << 9); }
  u16 background_table() const { return static_cast<u16>((bits & 0x10) << 8); }
  bool tall_sprites() const { return bits & 0x20; }
  u8 sprite_height() const { return bits & 0x20 ? 16 : 8; }
  bool nmi_enabled() const { return bits & 0x80; }
};

// PPUMASK, $2001, write only.
//
//   7  bit  0
//   BGRs bMmG
//   |||| ||||
//   |||| |||+- greyscale
//   |||| ||+-- background in the leftmost 8 pixels
//   |||| |+--- sprites in the leftmost 8 pixels
//   |||| +---- background
//   |||+------ sprites
//   +++------- emphasis of red, green, blue
struct Mask {
  u8 bits = 0;

  u8 colour_mask() const { return bits & 0x01 ? 0x30 : 0x3F; }
  bool background() const { return bits & 0x08; }
  bool sprites() const { return bits & 0x10; }
  // Either layer keeps fetches, shifters and sprite evaluation running for both.
  bool rendering() const { return bits & 0x18; }
  u16 emphasis() const { return static_cast<u16>((bits & 0xE0) << 1); }  // in bits 6-8, as in the frame
  // The first x at which a layer is seen: 256 when it is off.
  u16 first_background_x() const { return !background() ? 256 : bits & 0x02 ? 0 : 8; }
  u16 first_sprite_x() const { return !sprites() ? 256 : bits & 0x04 ? 0 : 8; }
};

// PPUSTATUS, $2002, read only; bits 4-0 are not driven.
//
//   7  bit  0
//   VSO. ....
//   |||
//   ||+------- sprite overflow
//   |+-------- sprite-0 hit
//   +--------- vblank; a read clears it
struct Status {
  bool vblank = false;
  bool sprite_zero_hit = false;
  bool sprite_overflow = false;

  u8 bits() const { return static_cast<u8>(vblank << 7 | sprite_zero_hit << 6 | sprite_overflow << 5); }
};

}  // namespace nesproof::reference
