// Whether bytes are a snapshot of the kernels' cartridge: its header, and every value one that can be. What is wrong
// with one is put into words on the host (state/snapshot.hpp).
#pragma once

#include "gpu/console.hpp"

namespace nesproof::gpu {

// `bytes` fields of `width` bytes each, none above `max`.
inline bool are_within(const u8* values, u32 count, u32 width, u64 max) {
  for (u32 i = 0; i < count; ++i) {
    u64 value = 0;
    for (u32 byte = 0; byte < width; ++byte) value |= static_cast<u64>(values[i * width + byte]) << 8 * byte;
    if (value > max) return false;
  }
  return true;
}

inline bool is_snapshot(const u8* row, const u8* header, u32 header_bytes) {
  for (u32 i = 0; i < header_bytes; ++i) {
    if (row[i] != header[i]) return false;
  }
  enum class Class { ARCH, LIVE, DERIVED };
  using enum Class;
  constexpr FixedCartridge sizes{};
  const u8* at = row + header_bytes;
  bool valid = true;
#define FIELD(name, type, count, unit, class_, max)                                                      \
  if constexpr (class_ != DERIVED) {                                                                     \
    constexpr u64 kAllOnes = ~0ull >> (64 - 8 * sizeof(type));                                           \
    if constexpr (static_cast<u64>(max) < kAllOnes) valid &= are_within(at, (count), sizeof(type), max); \
    at += static_cast<u32>(count) * sizeof(type);                                                        \
  }
#include "state/architecture.def"
#undef FIELD
  static_cast<void>(sizes);
  return valid;
}

}  // namespace nesproof::gpu
