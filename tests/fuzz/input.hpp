// A fuzzer's bytes, taken one after another; past their end everything is 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "reference/console/console.hpp"

namespace nesproof::fuzz {

using reference::u16;
using reference::u32;
using reference::u64;
using reference::u8;

class Input {
 public:
  explicit Input(std::span<const u8> bytes) : bytes_(bytes) {}

  u8 byte() {
    if (bytes_.empty()) return 0;
    const u8 value = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return value;
  }
  u16 word() {
    const u8 low = byte();
    return static_cast<u16>(low | byte() << 8);
  }
  std::span<const u8> take(std::size_t count) {
    const auto taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  std::span<const u8> rest() { return take(bytes_.size()); }

 private:
  std::span<const u8> bytes_;
};

// A broken promise ends the process just as a sanitizer's finding does, so that the input is kept.
inline void demand(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// `size` bytes: what the fuzzer gives, repeated.
inline std::vector<u8> filled(std::span<const u8> content, std::size_t size) {
  std::vector<u8> bytes(size);
  for (std::size_t i = 0; i < size && !content.empty(); ++i) bytes[i] = content[i % content.size()];
  return bytes;
}

inline std::vector<u8> snapshot_of(const reference::Console& console) {
  std::vector<u8> bytes(console.snapshot_bytes());
  console.save(bytes);
  return bytes;
}

}  // namespace nesproof::fuzz
