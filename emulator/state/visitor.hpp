// How a console hands its state out and takes it in.
//
// The visit protocol. A chip has one function
//
//     template <class V> void visit(V& v) {
//       v(state::fields::ppu_v, v_);                  // one value
//       v(state::fields::ppu_oam, oam_);              // std::array, std::vector or std::span of the field's count
//       v(state::fields::ppu_dot, dot_);              // enums and bools go where their field is u8
//     }
//
// that names each of its fields once, whatever the order. The same function writes a snapshot, reads one, and adds up
// the digest, so that the three cannot disagree. What is checked:
//
//   - compiling:  the member's type is the field's (bool and u8-based enums count as u8);
//   - at run time, once per console:  every field of the list is visited exactly once (`Completeness`), with its count;
//   - on loading:  each value is at most the field's `max`, so that a hostile snapshot cannot make an index of
//   nonsense.
//
// A field that is DERIVED is visited as well; the visitors below skip it, and the chip recomputes it in `restored()`.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "state/fields.hpp"

namespace nesproof::state {

// Snapshot bytes that this console cannot take; the message is for people.
class SnapshotError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

template <class Member>
concept Sequence = requires(Member& member) { std::span(member); };

// bool and enums travel as the u8 that they are; anything else must be the field's own type.
template <class Tag, class Value>
constexpr bool fits() {
  if constexpr (std::is_same_v<Value, bool>) {
    return std::is_same_v<typename Tag::value_type, u8> && Tag::max_value == 1;
  } else if constexpr (std::is_enum_v<Value>) {
    return std::is_same_v<typename Tag::value_type, std::underlying_type_t<Value>>;
  } else {
    return std::is_same_v<typename Tag::value_type, Value>;
  }
}

// The bits of a value, zero-extended.
template <class Value>
constexpr u64 to_bits(Value value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::is_enum_v<Value>) {
    return static_cast<u64>(value);
  } else {
    return static_cast<u64>(static_cast<std::make_unsigned_t<Value>>(value));
  }
}

template <class Value>
constexpr Value from_bits(u64 bits) {
  if constexpr (std::is_same_v<Value, bool>) {
    return bits != 0;
  } else {
    return static_cast<Value>(bits);
  }
}

}  // namespace detail

// Turns a scalar or a sequence into one call `element(tag, position, reference)` for each value.
template <class Derived>
class ElementVisitor {
 public:
  template <class Tag, class Member>
  void operator()(Tag tag, Member&& member) {
    using Plain = std::remove_cvref_t<Member>;
    Derived& self = static_cast<Derived&>(*this);
    if constexpr (detail::Sequence<Plain>) {
      std::span values(member);
      using Value = typename decltype(values)::value_type;
      static_assert(detail::fits<Tag, Value>(), "the member's type is not the field's");
      self.begin(tag, values.size());
      for (std::size_t position = 0; position < values.size(); ++position) {
        self.element(tag, position, values[position]);
      }
    } else {
      static_assert(detail::fits<Tag, Plain>(), "the member's type is not the field's");
      self.begin(tag, 1);
      self.element(tag, 0, member);
    }
  }
};

}  // namespace nesproof::state
