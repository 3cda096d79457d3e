// One number for a state: the sum over all ARCH fields and indices of mix64(field, index, value), modulo 2^64.
//
// A sum does not care for order, so that lanes, tiles and threads can add up their parts. `field` is the field's
// identity (a hash of its name); the values are zero-extended bits.
#pragma once

#include "state/mix64.hpp"
#include "state/visitor.hpp"

namespace nesproof::state {

class DigestVisitor : public ElementVisitor<DigestVisitor> {
 public:
  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag, std::size_t position, Value& value) {
    if constexpr (Tag::field_class == FieldClass::ARCH) {
      sum_ += mix64(Tag::identity, position, detail::to_bits(value));
    }
  }
  u64 sum() const { return sum_; }

 private:
  u64 sum_ = 0;
};

}  // namespace nesproof::state
