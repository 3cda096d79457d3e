// The scroll registers v, t, x and w: https://www.nesdev.org/wiki/PPU_scrolling
//
//   v and t, 15 bits
//   yyy NN YYYYY XXXXX
//   ||| || ||||| +++++- coarse x
//   ||| || +++++------- coarse y
//   ||| ++------------- nametable
//   +++---------------- fine y
#pragma once

#include "reference/types.hpp"

namespace nesproof::reference {

struct Scroll {
  u16 v = 0;            // address of the current fetch
  u16 t = 0;            // address of the top left corner, to be copied to v
  u8 fine_x = 0;        // x, 3 bits
  bool second = false;  // w: the next write to $2005 or $2006 is the second one

  u16 nametable_address() const { return 0x2000 | (v & 0x0FFF); }
  u16 attribute_address() const { return 0x23C0 | (v & 0x0C00) | ((v >> 4) & 0x38) | ((v >> 2) & 0x07); }
  // Which two bits of an attribute byte belong to v's tile.
  u8 attribute_shift() const { return static_cast<u8>(((v >> 4) & 4) | (v & 2)); }
  u8 fine_y() const { return static_cast<u8>(v >> 12 & 7); }

  // Dots 8, 16 ... 256, 328, 336.
  void increment_x() {
    if ((v & 0x001F) == 0x001F) {
      v ^= 0x041F;  // coarse x wraps into the next nametable
    } else {
      ++v;
    }
  }
  // Dot 256. Coarse y wraps at 30; from 30 or 31, the attribute table, it wraps at 32 and keeps its nametable.
  void increment_y() {
    if ((v & 0x7000) != 0x7000) {
      v += 0x1000;
      return;
    }
    v &= 0x0FFF;
    switch (v & 0x03E0) {
      case 0x03A0: v ^= 0x0BA0; break;
      case 0x03E0: v ^= 0x03E0; break;
      default: v += 0x0020; break;
    }
  }
  // Dot 257.
  void copy_x() { v = static_cast<u16>((v & 0x7BE0) | (t & 0x041F)); }
  // Dots 280-304 of the pre-render line.
  void copy_y() { v = static_cast<u16>((v & 0x041F) | (t & 0x7BE0)); }

  void write_control(u8 value) { t = static_cast<u16>((t & 0x73FF) | (value & 0x03) << 10); }
  void write_scroll(u8 value) {
    if (second) {
      t = static_cast<u16>((t & 0x0C1F) | (value & 0x07) << 12 | (value & 0xF8) << 2);
    } else {
      t = static_cast<u16>((t & 0x7FE0) | value >> 3);
      fine_x = value & 0x07;
    }
    second = !second;
  }
  // True after the second write, when t is to go to v.
  bool write_address(u8 value) {
    if (second) {
      t = static_cast<u16>((t & 0x7F00) | value);
    } else {
      t = static_cast<u16>((t & 0x00FF) | (value & 0x3F) << 8);
    }
    second = !second;
    return !second;
  }
};

}  // namespace nesproof::reference
