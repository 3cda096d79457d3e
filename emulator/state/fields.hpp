// The field list of architecture.def as C++: one tag type a field, and one table of all of them.
//
// A field's identity is a hash of its name, so that digests survive a reordering of the list. Its count may depend on
// the cartridge (`Sizes`); everything else is known when compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "state/mix64.hpp"

namespace nesproof::state {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;

// The counts that a cartridge decides. `nametable_bytes` is 2048, or 4096 with four-screen mirroring.
struct Sizes {
  u32 prg_ram_bytes = 0;
  u32 chr_ram_bytes = 0;
  u32 nametable_bytes = 2048;
};

enum class FieldClass : u8 { ARCH, LIVE, DERIVED };

enum class ValueType : u8 { of_u8, of_u16, of_u32, of_u64, of_i16 };

constexpr std::size_t width_bytes(ValueType type) {
  switch (type) {
    case ValueType::of_u8: return 1;
    case ValueType::of_u16:
    case ValueType::of_i16: return 2;
    case ValueType::of_u32: return 4;
    case ValueType::of_u64: return 8;
  }
  return 0;
}

// A field's identity; no two names have the same (asserted below).
constexpr u64 identity_of(std::string_view name) { return name_hash(name.data(), name.data() + name.size()); }

// Position of a field in the list.
enum class Index : std::size_t {
#define FIELD(name, type, count, unit, class_, max) name,
#include "state/architecture.def"
#undef FIELD
  kCount
};

inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Index::kCount);

struct FieldInfo {
  std::string_view name;
  ValueType type;
  std::size_t (*count)(const Sizes&);
  std::string_view unit;
  FieldClass field_class;
  u64 max;  // largest valid value (of the bits; i16 uses 0xFFFF)
  u64 identity;
};

inline constexpr std::array<FieldInfo, kFieldCount> kFields{{
#define FIELD(name, type, count, unit, class_, max)                                                         \
  FieldInfo{#name,                                                                                          \
            ValueType::of_##type,                                                                           \
            [](const Sizes& sizes) -> std::size_t { return static_cast<void>(sizes), std::size_t{count}; }, \
            #unit,                                                                                          \
            FieldClass::class_,                                                                             \
            max,                                                                                            \
            identity_of(#name)},
#include "state/architecture.def"
#undef FIELD
}};

constexpr bool identities_are_distinct() {
  for (std::size_t i = 0; i < kFieldCount; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (kFields[i].identity == kFields[j].identity) return false;
    }
  }
  return true;
}
static_assert(identities_are_distinct(), "two fields share a name, or their hashes collide");

// One tag a field: what a visit names it by, with its type known to the compiler.
namespace fields {
#define FIELD(name, type, count, unit, class_, max)                                                     \
  struct name##_tag {                                                                                   \
    using value_type = ::nesproof::state::type;                                                         \
    static constexpr ::nesproof::state::Index index = ::nesproof::state::Index::name;                   \
    static constexpr ::nesproof::state::FieldClass field_class = ::nesproof::state::FieldClass::class_; \
    static constexpr ::nesproof::state::u64 max_value = max;                                            \
    static constexpr ::nesproof::state::u64 identity = ::nesproof::state::identity_of(#name);           \
  };                                                                                                    \
  inline constexpr name##_tag name{};
#include "state/architecture.def"
#undef FIELD
}  // namespace fields

}  // namespace nesproof::state
