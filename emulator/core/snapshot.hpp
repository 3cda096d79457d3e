// A settled console's fields as bytes, and back: the body of a snapshot, as state/snapshot.hpp lays it out.
//
// ARCH and LIVE fields in the list's order, little-endian, without padding. The header and every check are the host's
// (state/snapshot.hpp); what comes in here has passed them. After `take_fields` the caller calls `settled`.
#pragma once

#include "core/system.hpp"

namespace nesproof::core {

namespace snapshot_detail {

enum class Class { ARCH, LIVE, DERIVED };

struct Counts {
  u32 prg_ram_bytes, chr_ram_bytes, nametable_bytes;
};

constexpr Counts counts_of(const Cartridge& cartridge) {
  return {cartridge.prg_ram_bytes, cartridge.chr_ram_bytes, cartridge.nametable_bytes};
}

template <class T>
u8* put(u8* out, const T& value) {
  const u64 bits = static_cast<u64>(value);
  for (u32 byte = 0; byte < sizeof(T); ++byte) *out++ = static_cast<u8>(bits >> 8 * byte);
  return out;
}

template <class T>
const u8* take(const u8* in, T& value) {
  u64 bits = 0;
  for (u32 byte = 0; byte < sizeof(T); ++byte) bits |= static_cast<u64>(*in++) << 8 * byte;
  value = static_cast<T>(bits);
  return in;
}

}  // namespace snapshot_detail

// Bytes of a snapshot without its header.
constexpr u32 snapshot_body_bytes(const Cartridge& cartridge) {
  using enum snapshot_detail::Class;
  const auto sizes = snapshot_detail::counts_of(cartridge);
  u32 bytes = 0;
#define FIELD(name, type, count, unit, class_, max) \
  if constexpr (class_ != DERIVED) bytes += static_cast<u32>(count) * sizeof(type);
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
  return bytes;
}

template <class S>
void put_fields(const S& s, u8* out) {
  using enum snapshot_detail::Class;
  const auto sizes = snapshot_detail::counts_of(*s.cartridge);
#define FIELD(name, type, count, unit, class_, max)                                     \
  if constexpr (class_ != DERIVED) {                                                    \
    for (u32 i = 0; i < (count); ++i) out = snapshot_detail::put<type>(out, s.name(i)); \
  }
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
}

template <class S>
void take_fields(const S& s, const u8* in) {
  using enum snapshot_detail::Class;
  const auto sizes = snapshot_detail::counts_of(*s.cartridge);
#define FIELD(name, type, count, unit, class_, max)                                    \
  if constexpr (class_ != DERIVED) {                                                   \
    for (u32 i = 0; i < (count); ++i) in = snapshot_detail::take<type>(in, s.name(i)); \
  }
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
}

}  // namespace nesproof::core
