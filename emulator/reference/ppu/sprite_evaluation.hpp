// OAM, secondary OAM and the search for the next line's sprites: https://www.nesdev.org/wiki/PPU_sprite_evaluation
//
//   dots 1-64     secondary OAM is filled with $FF; the OAM data bus reads $FF
//   dots 65-256   odd dots read OAM at OAMADDR, even dots write secondary OAM and decide where OAMADDR goes
//   dots 257-320  eight sprites are read back, four bytes and then four times the last one; OAMADDR is held at 0
//   dots 321-340  and dot 0: secondary OAM is read at 0
//
// On visible lines only, and only while rendering is on. The pre-render line reads secondary OAM back as well, whatever
// it still holds.
#pragma once

#include <array>

#include "faults/hooks.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

struct SpriteEvaluation {
  static constexpr u8 kAttributeBits = 0xE3;  // bits 2-4 of the attribute byte do not exist

  std::array<u8, 256> oam{};
  std::array<u8, 32> secondary{};
  u8 oam_address = 0;        // OAMADDR, $2003
  u8 data_bus = 0;           // what a read of $2004 gets while rendering
  u8 secondary_address = 0;  // 0-31
  u8 byte = 0;               // of the sprite that is being copied: y, tile, attributes, x
  bool full = false;         // secondary OAM has taken 32 bytes
  bool done = false;         // OAMADDR has passed the end of OAM
  bool zero_found = false;   // the first sprite examined is on the next line
  bool corrupt = false;      // a row of OAM waits for row 0
  u8 corrupt_row = 0;        // 0-31

  void write(u8 value) {
    oam[oam_address] = (oam_address & 3) == 2 ? value & kAttributeBits : value;
    ++oam_address;
  }

  static bool on_line(u16 scanline, u8 y, u8 height) {
    return static_cast<u8>(scanline) >= y && static_cast<u8>(scanline) - y < height;
  }

  // --- Dots 1-64
  void clear_bus() { data_bus = 0xFF; }  // odd dots
  void clear_byte() {                    // even dots
    secondary[secondary_address] = 0xFF;
    secondary_address = (secondary_address + 1) & 31;
  }

  // --- Dot 65, before it is evaluated. UNVERIFIED: that secondary OAM is written from 0 where rendering was off during
  // part of dots 1-64; a dump of it after such a line would settle it.
  void start() {
    secondary_address = 0;
    byte = 0;
    full = false;
    done = false;
  }

  // --- Dots 65, 67 ... 255
  void read_oam() { data_bus = oam[oam_address]; }

  // --- Dots 66, 68 ... 256. True when the sprite overflow flag is to be set.
  bool evaluate(u16 scanline, u8 height, bool first) {
    const u8 value = data_bus;
    if (full || done) {
      data_bus = secondary[secondary_address];  // the write is turned into a read
    } else {
      secondary[secondary_address] = value;  // also when the sprite turns out not to be on the line
    }
    if (done) {
      oam_address = static_cast<u8>((oam_address + 4) & 0xFC);
      return false;
    }
    const bool in_range = on_line(scanline, value, height);
    if (first) zero_found = in_range;
    if (byte == 0 && !in_range) {
      skip_sprite();
      return false;
    }
    return copy_byte(in_range);
  }

  // --- Dots 257-320: y, tile, attributes and five times x of each sprite
  u8 read_back(unsigned phase) {
    data_bus = secondary[secondary_address];
    if (phase < 3 || phase == 7) secondary_address = (secondary_address + 1) & 31;
    oam_address = 0;
    return data_bus;
  }

  // --- Dot 321
  void finish_line() {
    secondary_address = 0;
    data_bus = secondary[0];
  }

  // Rendering goes off within a rendered line: the row of OAM that secondary OAM's address points at loses its charge,
  // and takes over row 0 when rendering comes back with the first dot of a line, which is where it comes back after
  // vertical blank. https://www.nesdev.org/wiki/Errata#OAM_and_Sprites
  // UNVERIFIED: three details. Rounding up while sprites are evaluated; which address counts at the very dot of an
  // increment; and that coming back within a line spares the row, which is concluded from two tests that both pass on
  // consoles: sprite_overflow_tests/5.Emulator comes back at dot 38 and must find its sprites unharmed, AccuracyCoin
  // comes back in vertical blank and must not. Dumps of OAM after rendering went off and on at each dot would settle
  // them.
  void charge_lost(u16 dot) {
    const bool evaluating = dot > 64 && dot <= 256;
    corrupt_row = static_cast<u8>((evaluating ? (secondary_address + 3) & ~3 : secondary_address) & 31);
    corrupt = true;
  }
  // --- Dot 0 of a rendered line
  void take_over_row_zero() {
    for (unsigned i = 0; i < 8; ++i) oam[corrupt_row * 8u + i] = oam[i];
    secondary[corrupt_row] = secondary[0];
    corrupt = false;
  }

 private:
  bool copy_byte(bool in_range) {
    const bool overflow = byte == 0 && full;
    if (byte < 3) {
      ++byte;
      move_to(static_cast<u8>(oam_address + 1));
    } else {
      // The comparator looks at x as well. Where it says "not on the line", OAMADDR loses its low bits: nothing to see
      // when they were 0 after the step anyway.
      byte = 0;
      const u8 next = static_cast<u8>(oam_address + 1);
      move_to(in_range && !full ? next : next & 0xFC);
      if (full) done = true;  // one overflow ends the search
    }
    if (!full) {
      secondary_address = (secondary_address + 1) & 31;
      full = secondary_address == 0;
    }
    return overflow;
  }

  // With secondary OAM full, the low two bits count as well, without a carry: the overflow bug.
  void skip_sprite() {
    const u8 next_sprite = static_cast<u8>((oam_address & 0xFC) + 4);
    NESPROOF_FAULT(overflow_without_its_bug, {
      move_to(next_sprite);
      return;
    });
    move_to(full ? static_cast<u8>(next_sprite | ((oam_address + 1) & 3)) : next_sprite);
  }

  // Past the end of OAM the search is over. UNVERIFIED: also in the middle of a misaligned sprite.
  void move_to(u8 next) {
    if (next < oam_address && next < 4) done = true;
    oam_address = next;
  }
};

}  // namespace nesproof::reference
