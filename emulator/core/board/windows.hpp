// Windows that registers move: where each stands, and what happens when one does.
// https://www.nesdev.org/wiki/Mapper
//
// A board's registers say where all its windows stand (`Windows`, made by board/banked.hpp and board/mmc3.hpp). The
// console keeps that in its lazy fields, so that a read adds an offset and asks nothing.
#pragma once

#include "core/cpu/inlining.hpp"
#include "core/types.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// What PRG-RAM lets through: bits of `Windows::prg_ram_access`.
inline constexpr u8 kReadsRam = 1, kTakesRam = 2;

// The last bank of any size, of a memory of any size.
inline constexpr u32 kLastBank = 0xFFFFFFFF;

// Offsets in bytes; they are masked by the memories' sizes when they are put.
struct Windows {
  u32 prg[4];        // $8000, $A000, $C000, $E000
  u32 chr[8];        // $0000, $0400 ... $1C00
  u16 nametable[4];  // $2000, $2400, $2800, $2C00
  u32 prg_ram = 0;   // $6000
  u8 prg_ram_access = kReadsRam | kTakesRam;

  constexpr void put_prg_16k(u32 low, u32 high) {
    prg[0] = low * 0x4000, prg[1] = low * 0x4000 + 0x2000;
    prg[2] = high * 0x4000, prg[3] = high * 0x4000 + 0x2000;
  }
  constexpr void put_prg_32k(u32 bank) { put_prg_16k(bank * 2, bank * 2 + 1); }
  constexpr void put_chr_4k(u32 low, u32 high) {
    for (u32 i = 0; i < 4; ++i) chr[i] = low * 0x1000 + i * 0x400, chr[i + 4] = high * 0x1000 + i * 0x400;
  }
  constexpr void put_chr_8k(u32 bank) { put_chr_4k(bank * 2, bank * 2 + 1); }
  constexpr void put_one_screen(u32 page) {
    NESPROOF_FAULT(one_screen_page_stuck, page = 0);
    for (u16& window : nametable) window = static_cast<u16>(page * 0x400);
  }
  constexpr void put_horizontal() { nametable[0] = nametable[1] = 0, nametable[2] = nametable[3] = 0x400; }
  constexpr void put_vertical() { nametable[0] = nametable[2] = 0, nametable[1] = nametable[3] = 0x400; }
};

template <class S>
bool has_four_screens(const S& s) {
  return s.cartridge->nametable_bytes > 2048;
}

// The windows of a board whose registers are all 0: PRG-ROM's first 32 KiB, CHR's first 8, the header's mirroring.
template <class S>
Windows first_windows(const S& s) {
  Windows windows{};
  windows.put_prg_32k(0);
  windows.put_chr_8k(0);
  for (u32 i = 0; i < 4; ++i) windows.nametable[i] = s.cartridge->nametable_bank[i];
  NESPROOF_FAULT(four_screens_folded, if (has_four_screens(s)) windows.put_vertical());
  return windows;
}

// A latch at $8000-$FFFF, kept in the first register. Where ROM answers a write as well (a bus conflict), a bit is 1 if
// both say so. False where nothing was taken.
template <class S>
bool put_latch(const S& s, u32 address, u32 value, bool conflicts) {
  if (address < 0x8000) return false;
  NESPROOF_FAULT(bus_conflicts_missing, conflicts = false);
  s.board_registers(0) = static_cast<u8>(conflicts ? value & s.prg(static_cast<u16>(address)) : value);
  return true;
}

// --- Keeping them
template <class S>
void put_windows(const S& s, const Windows& windows) {
  for (u32 i = 0; i < 4; ++i) s.lazy_board_prg(i) = windows.prg[i] & s.cartridge->prg_mask;
  for (u32 i = 0; i < 8; ++i) s.lazy_board_chr(i) = windows.chr[i] & s.cartridge->chr_mask;
  for (u32 i = 0; i < 4; ++i) s.lazy_board_nametable(i) = windows.nametable[i];
  s.lazy_board_prg_ram() = windows.prg_ram & (s.cartridge->prg_ram_bytes - 1);
  s.lazy_board_prg_ram_access() = s.cartridge->prg_ram_bytes != 0 ? windows.prg_ram_access : 0;
  NESPROOF_FAULT(prg_ram_never_protected,
                 if (s.cartridge->prg_ram_bytes != 0) s.lazy_board_prg_ram_access() = kReadsRam | kTakesRam);
}

// Whether the PPU would find other bytes.
template <class S>
bool shows_otherwise(const S& s, const Windows& windows) {
  u32 differences = 0;
  for (u32 i = 0; i < 8; ++i) differences |= s.lazy_board_chr(i) ^ (windows.chr[i] & s.cartridge->chr_mask);
  for (u32 i = 0; i < 4; ++i) differences |= s.lazy_board_nametable(i) ^ u32 { windows.nametable[i] };
  return differences != 0;
}

// ppu/windows_move.hpp and ppu/recording.hpp
template <class S>
void picture_windows_will_move(S s, u32 cycle);
template <class S>
void windows_have_moved(S s);

// After a register was written in cycle `cycle`.
template <class S>
void move_windows(const S& s, const Windows& windows, u32 cycle) {
  NESPROOF_FAULT(windows_stay_behind, return);
  NESPROOF_FAULT(windows_move_behind_the_picture, return put_windows(s, windows));
  const bool seen = shows_otherwise(s, windows);
  if (seen) picture_windows_will_move(s, cycle);
  put_windows(s, windows);
  if (seen) windows_have_moved(s);
}

// --- What every board with windows says of its addresses
struct WindowOffsets {
  template <class S>
  static u32 prg_offset(const S& s, u16 address) {
    return (s.lazy_board_prg(address >> 13 & 3) + (address & 0x1FFFu)) & s.cartridge->prg_mask;
  }
  template <class S>
  static u32 chr_offset(const S& s, u16 address) {
    return (s.lazy_board_chr(address >> 10 & 7) + (address & 0x3FFu)) & s.cartridge->chr_mask;
  }
  template <class S>
  static u32 nametable_offset(const S& s, u16 address) {
    return s.lazy_board_nametable(address >> 10 & 3) + (address & 0x3FFu);
  }

  template <class S>
  static bool prg_ram_place(const S& s, u32 address, u32& offset) {
    offset = (s.lazy_board_prg_ram() + (address & 0x1FFF)) & (s.cartridge->prg_ram_bytes - 1);
    return s.cartridge->prg_ram_bytes != 0;
  }
  // What it lets through now.
  template <class S>
  static u8 prg_ram_access(const S& s) {
    return s.lazy_board_prg_ram_access();
  }
  template <class S>
  static bool answers(const S& s, u32) {
    return (S::Board::prg_ram_access(s) & kReadsRam) != 0;
  }
  template <class S>
  static u32 read_prg_ram(const S& s, u32 address, u32 open_bus) {
    u32 offset;
    return answers(s, address) && prg_ram_place(s, address, offset) ? s.cartridge_prg_ram(offset) : open_bus;
  }
  template <class S>
  static void write_prg_ram(const S& s, u32 address, u32 value) {
    u32 offset;
    if ((S::Board::prg_ram_access(s) & kTakesRam) && prg_ram_place(s, address, offset)) {
      s.cartridge_prg_ram(offset) = static_cast<u8>(value);
    }
  }
};

}  // namespace nesproof::core
