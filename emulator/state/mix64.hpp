// The two hashes that a state's digest is made of, without the standard library.
#pragma once

namespace nesproof::state {

// FNV-1a of a field's name: simple, stable, and without a collision among the names (asserted in fields.hpp).
constexpr unsigned long long name_hash(const char* begin, const char* end) {
  unsigned long long hash = 0xCBF29CE484222325;
  for (; begin != end; ++begin) hash = (hash ^ static_cast<unsigned char>(*begin)) * 0x100000001B3;
  return hash;
}

// The same of a string literal or an array of characters with its closing zero.
template <unsigned long long size>
constexpr unsigned long long name_hash(const char (&name)[size]) {
  return name_hash(name, name + size - 1);
}

// The finalizer of splitmix64: https://prng.di.unimi.it/splitmix64.c (public domain constants).
constexpr unsigned long long scramble(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

constexpr unsigned long long mix64(unsigned long long field_identity, unsigned long long index,
                                   unsigned long long value) {
  return scramble(scramble(field_identity + index * 0x9E3779B97F4A7C15) + value);
}

}  // namespace nesproof::state
