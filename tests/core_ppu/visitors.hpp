// The reference's PPU as the values of its fields, both ways.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "core/types.hpp"
#include "state/visitor.hpp"

namespace lockstep {

namespace core = nesproof::core;
namespace state = nesproof::state;
using core::u64;

// What a snapshot of the reference's PPU would hold.
struct Collector : state::ElementVisitor<Collector> {
  std::array<std::vector<u64>, state::kFieldCount> values;

  template <class Tag>
  void begin(Tag, std::size_t count) {
    values[static_cast<std::size_t>(Tag::index)].assign(count, 0);
  }
  template <class Tag, class Value>
  void element(Tag, std::size_t position, Value& value) {
    values[static_cast<std::size_t>(Tag::index)][position] = state::detail::to_bits(value);
  }
};

// Puts values into the reference's PPU, as loading a snapshot does.
struct Setter : state::ElementVisitor<Setter> {
  std::array<std::vector<u64>, state::kFieldCount> values;

  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag, std::size_t position, Value& value) {
    value =
        state::detail::from_bits<std::remove_cvref_t<Value>>(values[static_cast<std::size_t>(Tag::index)][position]);
  }
};

}  // namespace lockstep
