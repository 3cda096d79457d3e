// One console's state as bytes, and the two ways to lay it out: https://www.nesdev.org/wiki/CPU_memory_map
//
// The struct, its offsets, the accessors and both layouts come from two lists: state/architecture.def, which is what a
// console is, and core/lazy.def, which is what this core remembers beside it. A field's elements lie one after the
// other; fields are aligned to their element. What the cartridge decides (nametables, PRG-RAM, CHR-RAM) comes last.
//
//   Aos               one console's bytes lie together
//   LaneInterleaved   tiles of 32 consoles: element k of lane l lies l elements behind element k of lane 0, so that
//                     lanes which read the same address read one sector
//
// Both hand out references, so that code over a view reads as if the fields were members:  s.cpu_pc() = 0xC000;
#pragma once

#include "core/types.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// Where the fields lie. Counts that the cartridge decides are 0 here.
namespace layout_detail {
struct Sizes {
  u32 prg_ram_bytes = 0, chr_ram_bytes = 0, nametable_bytes = 0;
};
inline constexpr Sizes sizes{};
constexpr u32 aligned(u32 offset, u32 width) { return (offset + width - 1) / width * width; }
}  // namespace layout_detail

enum class Field : u32 {
#define FIELD(name, type, count, unit, class_, max) name,
#include "core/lazy.def"
#include "state/architecture.def"
#undef FIELD
  kCount
};

struct FieldPlaces {
  u32 offset[static_cast<u32>(Field::kCount)] = {};
  u32 fixed_bytes = 0;
};

constexpr FieldPlaces field_places() {
  using layout_detail::sizes;
  FieldPlaces places;
  u32 at = 0, index = 0;
#define FIELD(name, type, count, unit, class_, max) \
  at = layout_detail::aligned(at, sizeof(type));    \
  places.offset[index++] = at;                      \
  at += static_cast<u32>(count) * sizeof(type);
#include "core/lazy.def"
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
  places.fixed_bytes = layout_detail::aligned(at, 64);
  return places;
}

inline constexpr FieldPlaces kPlaces = field_places();
// Bytes of a console without nametables, PRG-RAM and CHR-RAM.
inline constexpr u32 kFixedBytes = kPlaces.fixed_bytes;
static_assert(kFixedBytes + 2048 <= 8192, "a console's state has outgrown 8 KiB");

constexpr u32 place_of(Field field) { return kPlaces.offset[static_cast<u32>(field)]; }

inline constexpr u32 kLanes = 32;  // of a tile, and of a warp

struct Aos {
  u8* base;

  template <class T>
  T& at(u32 offset, u32 index) const {
    return *reinterpret_cast<T*>(base + offset + index * sizeof(T));
  }
};

struct LaneInterleaved {
  u8* tile;
  u32 lane;

  template <class T>
  T& at(u32 offset, u32 index) const {
    if constexpr (sizeof(T) > 1) {
      NESPROOF_FAULT(wide_elements_too_close, index = index * 2 / sizeof(T));
    }
    return *reinterpret_cast<T*>(tile + (offset + index * sizeof(T)) * kLanes + lane * sizeof(T));
  }
};

// The fields by name over either layout: `s.ppu_oam(i)` is a reference to element i. The three that the cartridge sizes
// are found by System (system.hpp).
template <class Layout>
struct View : Layout {
#define FIELD(name, type, count, unit, class_, max) \
  type& name(u32 index = 0) const {                 \
    constexpr u32 offset = place_of(Field::name);   \
    return this->template at<type>(offset, index);  \
  }
#include "core/lazy.def"
#include "state/architecture.def"
#undef FIELD
};

}  // namespace nesproof::core
