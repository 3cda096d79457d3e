// A console at work: its state through a layout, its cartridge, and what it records for drawing.
//
// Every function of the core takes a System by value, a handful of pointers, and is a template over it. `Board` is
// the cartridge board's rules (core/board/), known when compiling, so that no instruction asks which board it is.
// The cartridge and the log are pointers; where a cartridge's sizes are known when compiling, or nothing is ever
// recorded, something that is used like a pointer and takes no registers stands in for them.
#pragma once

#include "core/cartridge.hpp"
#include "core/draw/log.hpp"
#include "core/state.hpp"

namespace nesproof::core {

// Stands for a log where nothing is recorded: always null.
struct NoLog {
  constexpr operator DrawLog*() const { return nullptr; }
  constexpr DrawLog* operator->() const { return nullptr; }
};

template <class Layout, class Board_, class CartridgePointer = const Cartridge*, class LogPointer = DrawLog*>
struct System : View<Layout> {
  using Board = Board_;

  [[no_unique_address]] CartridgePointer cartridge;
  [[no_unique_address]] LogPointer log;  // null while nothing is recorded

  System(Layout layout, CartridgePointer cartridge_, LogPointer log_)
      : View<Layout>{layout}, cartridge(cartridge_), log(log_) {}

  // --- The fields whose size the cartridge decides
  u8& cartridge_nametables(u32 index) const { return this->template at<u8>(cartridge->nametables_at(), index); }
  u8& cartridge_prg_ram(u32 index) const { return this->template at<u8>(cartridge->prg_ram_at(), index); }
  u8& cartridge_chr_ram(u32 index) const { return this->template at<u8>(cartridge->chr_ram_at(), index); }

  // --- CPU bus, $4020-$FFFF
  u8 prg(u16 address) const { return cartridge->prg_rom[Board::prg_offset(*this, address)]; }  // $8000-$FFFF
  // --- PPU bus, $0000-$3EFF
  u8 chr(u16 address) const {
    const u32 offset = Board::chr_offset(*this, address);
    return cartridge->chr_rom != nullptr ? cartridge->chr_rom[offset] : cartridge_chr_ram(offset);
  }
  u8& nametable(u16 address) const { return cartridge_nametables(Board::nametable_offset(*this, address)); }
  u8 video(u16 address) const { return address & 0x2000 ? nametable(address) : chr(address); }
};

}  // namespace nesproof::core
