// A cartridge as the core sees it: plain pointers and sizes, the same on a host and on a device.
#pragma once

#include "core/state.hpp"

namespace nesproof::core {

// What one mapper number leaves open beside its submapper; bits of `variant`.
enum Variant : u8 {
  kNecIrq = 1,   // MMC3: the older IRQ counter
  kMmc6Ram = 2,  // MMC3: the MMC6's RAM of 1 KiB
};

// PRG-ROM moves in windows that are no smaller than this, and code in one never runs into the next.
constexpr u32 code_window_bytes(u16 mapper, u32 prg_bytes) {
  const u32 window = mapper == 4 ? 0x2000u : mapper == 1 || mapper == 2 || mapper == 71 ? 0x4000u : 0x8000u;
  return prg_bytes < window ? prg_bytes : window;
}

struct Cartridge {
  const u8* prg_rom;      // a power of two of bytes
  const u8* chr_rom;      // a power of two of bytes; null where the board has CHR-RAM
  const u32* code_map;    // a word for each byte of PRG-ROM (cpu/code_map.hpp); null: every cycle one by one
  u32 prg_mask;           // bytes - 1
  u32 chr_mask;           // of CHR-ROM or CHR-RAM
  u32 prg_ram_bytes;      // 0 or a power of two
  u32 chr_ram_bytes;      // 0 or a power of two
  u32 nametable_bytes;    // 2048, or 4096 with four screens
  u16 nametable_bank[4];  // offsets of the windows at $2000, $2400, $2800 and $2C00, unless the board moves them
  u16 mapper;
  u8 submapper;
  u8 variant;

  constexpr u32 window_bytes() const { return code_window_bytes(mapper, prg_mask + 1); }

  constexpr u32 nametables_at() const { return kFixedBytes; }
  constexpr u32 prg_ram_at() const { return kFixedBytes + nametable_bytes; }
  constexpr u32 chr_ram_at() const { return prg_ram_at() + prg_ram_bytes; }
  // Of a console with this cartridge; a multiple of 64.
  constexpr u32 state_bytes() const { return layout_detail::aligned(chr_ram_at() + chr_ram_bytes, 64); }
};

}  // namespace nesproof::core
