// The console as the kernels see it: its state in tiles of 32, its cartridge's sizes known when compiling.
//
// Everything named NESPROOF_* comes from the compiler's command line (gpu/specialisation.py). The ROMs' addresses are
// the only thing that a running program has to be told; they lie in constant memory, where all lanes read them at once.
#pragma once

#include "core/board/banked.hpp"
#include "core/board/kinds.hpp"
#include "core/board/mmc3.hpp"
#include "core/board/nrom.hpp"
#include "core/schedule.hpp"
#include "core/system.hpp"

namespace nesproof::gpu {

using namespace nesproof::core;

// A ROM that is there or not, decided when compiling.
template <bool kPresent>
struct Rom {
  const u8* bytes;

  constexpr operator const u8*() const { return kPresent ? bytes : nullptr; }
  constexpr bool operator==(decltype(nullptr)) const { return !kPresent; }
  u8 operator[](u32 index) const { return bytes[index]; }
};

// As core's Cartridge, with constants in the place of numbers.
struct FixedCartridge {
  Rom<true> prg_rom;
  Rom<NESPROOF_CHR_IS_ROM> chr_rom;
  const u32* code_map;

  static constexpr u32 prg_mask = NESPROOF_PRG_MASK;
  static constexpr u32 chr_mask = NESPROOF_CHR_MASK;
  static constexpr u32 prg_ram_bytes = NESPROOF_PRG_RAM_BYTES;
  static constexpr u32 chr_ram_bytes = NESPROOF_CHR_RAM_BYTES;
  static constexpr u32 nametable_bytes = NESPROOF_NAMETABLE_BYTES;
  static constexpr u16 mapper = NESPROOF_MAPPER;
  static constexpr u8 submapper = NESPROOF_SUBMAPPER;
  static constexpr u8 variant = NESPROOF_VARIANT;

  static constexpr u32 window_bytes() { return code_window_bytes(mapper, prg_mask + 1); }

  struct Banks {
    constexpr u16 operator[](u32 window) const { return static_cast<u16>(NESPROOF_NAMETABLE_BANKS >> 16 * window); }
  };
  static constexpr Banks nametable_bank{};

  static constexpr u32 nametables_at() { return kFixedBytes; }
  static constexpr u32 prg_ram_at() { return kFixedBytes + nametable_bytes; }
  static constexpr u32 chr_ram_at() { return prg_ram_at() + prg_ram_bytes; }
  static constexpr u32 state_bytes() { return layout_detail::aligned(chr_ram_at() + chr_ram_bytes, 64); }

  // For what asks for a description, and not for speed.
  constexpr operator Cartridge() const {
    constexpr Banks bank{};
    return {prg_rom,       chr_rom,         code_map,
            prg_mask,      chr_mask,        prg_ram_bytes,
            chr_ram_bytes, nametable_bytes, {bank[0], bank[1], bank[2], bank[3]},
            mapper,        submapper,       variant};
  }
};

// The host fills in where the ROMs lie.
extern "C" {
__constant__ FixedCartridge nesproof_cartridge;
}

// Used like a pointer to it, and takes no register.
struct CartridgeInUse {
  const FixedCartridge* operator->() const { return &nesproof_cartridge; }
  const FixedCartridge& operator*() const { return nesproof_cartridge; }
};

// As core's LaneInterleaved, in the arithmetic of addresses: what is known when compiling becomes part of a memory
// instruction, and an index takes one instruction more. Bytes, of which there are most, need no lane.
struct Interleaved {
  u8* byte_of_lane;
  u32 lane;

  template <class T>
  T& at(u32 offset, u32 index) const {
    constexpr u64 kBytes = sizeof(T);
    return *reinterpret_cast<T*>(byte_of_lane + lane * (kBytes - 1) + index * (kBytes * kLanes) +
                                 static_cast<u64>(offset) * kLanes);
  }
};

template <BoardKind kKind>
struct BoardOf;
template <>
struct BoardOf<BoardKind::Nrom> {
  using Type = Nrom;
};
template <>
struct BoardOf<BoardKind::Banked> {
  using Type = Banked;
};
template <>
struct BoardOf<BoardKind::Mmc3> {
  using Type = Mmc3;
};
using Board = BoardOf<board_kind(NESPROOF_MAPPER)>::Type;

using Console = System<Interleaved, Board, CartridgeInUse, NoLog>;
using RecordingConsole = System<Interleaved, Board, CartridgeInUse, DrawLog*>;
using Policy = NESPROOF_SCHEDULE;

inline constexpr u32 kStateBytes = FixedCartridge::state_bytes();
inline constexpr u32 kTileBytes = kStateBytes * kLanes;

inline Interleaved place_of_console(u8* tiles, u32 console) {
  return {tiles + static_cast<u64>(console / kLanes) * kTileBytes + console % kLanes, console % kLanes};
}

inline Console console_at(u8* tiles, u32 console) { return {place_of_console(tiles, console), {}, {}}; }

inline RecordingConsole recording_console_at(u8* tiles, u32 console, u8* logs, u32 log) {
  return {place_of_console(tiles, console), {}, reinterpret_cast<DrawLog*>(logs) + log};
}

}  // namespace nesproof::gpu
