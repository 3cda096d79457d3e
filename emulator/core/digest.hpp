// The digest of a settled console: the same number as state/digest.hpp's, through any layout.
#pragma once

#include "core/system.hpp"
#include "faults/hooks.hpp"
#include "state/mix64.hpp"

namespace nesproof::core {

namespace digest_detail {

enum class Class { ARCH, LIVE, DERIVED };

template <class T>
constexpr u64 bits(T value) {
  return sizeof(T) == 2 ? static_cast<u16>(value) : static_cast<u64>(value);
}

// What an element of OAM adds to the sum.
template <class S>
u64 part_of_oam(const S& s, u32 index) {
  return state::mix64(state::name_hash("ppu_oam"), index, s.ppu_oam(index));
}

}  // namespace digest_detail

template <class S>
u64 digest(const S& s) {
  using enum digest_detail::Class;
  struct {
    u32 prg_ram_bytes, chr_ram_bytes, nametable_bytes;
  } const sizes{s.cartridge->prg_ram_bytes, s.cartridge->chr_ram_bytes, s.cartridge->nametable_bytes};
  u64 sum = 0;
#define FIELD(name, type, count, unit, class_, max)                                                     \
  if constexpr (class_ == ARCH) {                                                                       \
    constexpr u64 identity = state::name_hash(#name);                                                   \
    for (u32 i = 0; i < (count); ++i) sum += state::mix64(identity, i, digest_detail::bits(s.name(i))); \
  }
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
  NESPROOF_FAULT(digest_blind_to_oam, for (u32 i = 0; i < 256; ++i) sum -= digest_detail::part_of_oam(s, i));
  return sum;
}

}  // namespace nesproof::core
