// MMC1 (SxROM): registers of five bits that are written a bit at a time. https://www.nesdev.org/wiki/MMC1
//
//   board_registers   0 control, 1 CHR 0, 2 CHR 1, 3 PRG
//   board_select      the shift register, a 1 above the bits that have come
#pragma once

#include "core/board/windows.hpp"

namespace nesproof::core::mmc1 {

inline constexpr u32 kControl = 0, kChr0 = 1, kChr1 = 2, kPrg = 3;
inline constexpr u8 kNoBits = 0x10;
inline constexpr u8 kLastBankFixed = 0x0C;  // of the control register

template <class S>
void power_on(const S& s) {
  s.board_select() = kNoBits;
  s.board_registers(kControl) = kLastBankFixed;
}

// Of two writes in a row, as read-modify-write instructions make them, the port takes a bit from the first alone; it is
// emptied by either.
template <class S>
bool write(const S& s, u32 address, u32 value, u32 cycle) {
  if (address < 0x8000) return false;
  bool follows = cycle - s.lazy_board_written_at() == 1;
  NESPROOF_FAULT(mmc1_takes_the_second_write, follows = false);
  s.lazy_board_written_at() = cycle;
  if (value & 0x80) {
    s.board_select() = kNoBits;
    s.board_registers(kControl) |= kLastBankFixed;
    return true;
  }
  if (follows) return false;
  const u32 bits = s.board_select(), shifted = (bits >> 1 & 0x0F) | (value & 1) << 4;
  const bool complete = bits & 1;
  s.board_select() = static_cast<u8>(complete ? kNoBits : shifted);
  if (complete) s.board_registers(address >> 13 & 3) = static_cast<u8>(shifted);
  return complete;
}

// What lies behind bits of a CHR register that CHR itself has no use for. In CHR banks of 4 KiB hardware takes them
// from the register that the PPU's A12 selects; programs keep both alike, and it is always CHR 0 here.
template <class S>
u32 prg_ram_bank(const S& s) {
  const u32 bits = s.board_registers(kChr0), bytes = s.cartridge->prg_ram_bytes;
  if (bytes > 0x4000) return bits >> 2 & 3;  // SXROM
  if (bytes < 0x4000) return 0;
  return s.cartridge->chr_mask >= 0x2000 ? bits >> 4 & 1 : bits >> 3 & 1;  // SZROM, SOROM
}

// SNROM, by its sizes, turns PRG-RAM off by the highest bit of CHR: in banks of 4 KiB by that of the register which the
// PPU's A12 selects. What PRG-RAM lets through is then said for both levels.
inline constexpr u8 kFollowsA12 = 4, kOnWhileHigh = 8;  // of Windows::prg_ram_access, in place of what it has else

template <class S>
bool is_snrom(const S& s) {
  return s.cartridge->prg_mask < 0x40000 && s.cartridge->chr_mask < 0x2000 && s.cartridge->prg_ram_bytes == 0x2000;
}
template <class S>
u8 prg_ram_access(const S& s) {
  constexpr u8 kOn = kReadsRam | kTakesRam;
  if (s.board_registers(kPrg) & 0x10) return 0;
  if (!is_snrom(s)) return kOn;
  const bool low_is_off = s.board_registers(kChr0) & 0x10;
  const bool high_is_off = s.board_registers(s.board_registers(kControl) & 0x10 ? kChr1 : kChr0) & 0x10;
  if (low_is_off == high_is_off) return low_is_off ? 0 : kOn;
  return kFollowsA12 | (low_is_off ? kOnWhileHigh : 0);
}
// What such a byte lets through while the PPU has `address` on its bus.
constexpr u8 access_with(u8 access, u16 address) {
  if (!(access & kFollowsA12)) return access;
  return ((address & 0x1000) != 0) == ((access & kOnWhileHigh) != 0) ? kReadsRam | kTakesRam : 0;
}

template <class S>
Windows windows(const S& s) {
  const u32 control = s.board_registers(kControl), prg = s.board_registers(kPrg);
  const u32 chr0 = s.board_registers(kChr0), chr1 = s.board_registers(kChr1);
  Windows windows = first_windows(s);
  control & 0x10 ? windows.put_chr_4k(chr0, chr1) : windows.put_chr_8k(chr0 >> 1);

  const u32 half = s.cartridge->prg_mask >= 0x40000 ? chr0 & 0x10 : 0;  // of 512 KiB, in banks of 16 (SUROM, SXROM)
  const u32 bank = half | (prg & 0x0F);
  constexpr u8 kFixedPrg = 5;  // the submapper of SEROM, SHROM and SH1ROM
  if (s.cartridge->submapper != kFixedPrg) {
    switch (control >> 2 & 3) {
      case 2: windows.put_prg_16k(half, bank); break;
      case 3: windows.put_prg_16k(bank, half | 0x0F); break;
      default: windows.put_prg_32k(bank >> 1); break;
    }
  }

  if (!has_four_screens(s)) {
    switch (control & 3) {
      case 2: windows.put_vertical(); break;
      case 3: windows.put_horizontal(); break;
      default: windows.put_one_screen(control & 1); break;
    }
  }

  windows.prg_ram = prg_ram_bank(s) * 0x2000;
  windows.prg_ram_access = prg_ram_access(s);
  return windows;
}

}  // namespace nesproof::core::mmc1
