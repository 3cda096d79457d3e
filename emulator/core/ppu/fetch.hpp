// The PPU's bus to the cartridge: https://www.nesdev.org/wiki/PPU_rendering  https://www.nesdev.org/wiki/PPU_pinout
//
// An access takes two dots: an address, then the byte. A latch on the board keeps the low eight address bits of the
// first dot; the high six are driven in both. So where v or PPUCTRL changes between the two, the byte comes from a
// mixture of both addresses.
#pragma once

#include "core/board/a12.hpp"
#include "core/ppu/registers.hpp"
#include "core/ppu/scroll.hpp"
#include "core/system.hpp"

namespace nesproof::core {

// --- Addresses as numbers
constexpr u16 background_pattern_address(u8 control, u8 tile, u16 v) {
  return static_cast<u16>((control & kControlBackgroundTable) << 8 | tile << 4 | fine_y(v));
}
// The low plane of the row that the line below `line` shows; the high plane's address has bit 3 set as well.
constexpr u16 sprite_pattern_address(u8 control, u32 line, u8 y, u8 tile, u8 attributes) {
  const u32 row = ((line - y) & 0xFF) ^ (attributes & 0x80 ? 0x0F : 0);
  if (control & kControlTallSprites) {
    return static_cast<u16>((tile & 1) << 12 | (tile & 0xFE) << 4 | (row & 8) << 1 | (row & 7));
  }
  return static_cast<u16>((control & kControlSpriteTable) << 9 | tile << 4 | (row & 7));
}

// The comparator of evaluation and fetches: the low eight bits of the line's number against y.
constexpr bool sprite_on_line(u32 line, u8 y, u32 height) { return (line & 0xFF) >= y && (line & 0xFF) - y < height; }

constexpr u8 mirrored_row(u8 bits) {
  u32 b = bits;
  b = (b & 0xF0) >> 4 | (b & 0x0F) << 4;
  b = (b & 0xCC) >> 2 | (b & 0x33) << 2;
  return static_cast<u8>((b & 0xAA) >> 1 | (b & 0x55) << 1);
}

// What goes into a sprite's shift register of the byte that was fetched: nothing where the sprite is not on the line.
constexpr u8 sprite_pattern(u8 control, u32 line, u8 y, u8 attributes, u8 bits) {
  if (!sprite_on_line(line, y, sprite_rows(control))) return 0;
  return attributes & 0x40 ? mirrored_row(bits) : bits;
}

// --- The bus itself
// First dot of an access.
template <class S>
void put_address(S s, u16 address) {
  s.ppu_address_bus() = address;
  if constexpr (S::Board::kWatchesA12) a12_shows(s, address);
}

// Second dot of an access: `address` is where the PPU's counters point now.
template <class S>
u8 fetch(S s, u16 address) {
  u16& bus = s.ppu_address_bus();
  bus = static_cast<u16>((address & 0x3F00) | (bus & 0x00FF));
  if constexpr (S::Board::kWatchesA12) a12_shows(s, bus);
  return s.video(bus);
}

// --- Writing
template <class S>
void write_video(S s, u16 address, u8 value) {
  if (address & 0x2000) {
    s.nametable(address) = value;
  } else if (s.cartridge->chr_rom == nullptr) {
    s.cartridge_chr_ram(S::Board::chr_offset(s, address)) = value;
  }
}

}  // namespace nesproof::core
