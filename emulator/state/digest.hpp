// One number for a state: the sum over all ARCH fields and indices of mix64(field, index, value), modulo 2^64.
//
// A sum does not care for order, so that lanes, tiles and threads can add up their parts. `field` is the field's
// identity (a hash of its name); the values are zero-extended bits.
#pragma once

#include "state/visitor.hpp"

namespace nesproof::state {

// The finalizer of splitmix64: https://prng.di.unimi.it/splitmix64.c (public domain constants).
constexpr u64 scramble(u64 x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

constexpr u64 mix64(u64 field_identity, u64 index, u64 value) {
  return scramble(scramble(field_identity + index * 0x9E3779B97F4A7C15) + value);
}

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
