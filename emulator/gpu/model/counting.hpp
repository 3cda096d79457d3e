// A layout that writes down what is touched, so that a warp's memory traffic can be counted where there is no GPU.
//
// An access is a place in a console's state; which sector that is follows from a layout's arithmetic, so that one run
// counts for every layout.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/state.hpp"

namespace nesproof::gpu::model {

using core::u32;
using core::u64;
using core::u8;

struct Access {
  u32 at;     // byte in the console's state
  u32 bytes;  // of it
};

// What one lane touches while it runs one block, in order.
using Trace = std::vector<Access>;

struct Counting : core::Aos {
  Trace* trace;

  template <class T>
  T& at(u32 offset, u32 index) const {
    trace->push_back({offset + index * static_cast<u32>(sizeof(T)), sizeof(T)});
    return Aos::at<T>(offset, index);
  }
};

inline constexpr u32 kSectorBytes = 32;

// The sector of an access in each of the two layouts; tiles begin at multiples of a sector.
struct Interleaved {
  static u64 sector(const Access& access, u32 lane, u32) {
    return (u64{access.at} * core::kLanes + u64{lane} * access.bytes) / kSectorBytes;
  }
};
struct OneByOne {
  static u64 sector(const Access& access, u32 lane, u32 state_bytes) {
    return (u64{lane} * state_bytes + access.at) / kSectorBytes;
  }
};

// Sectors that the warp's memory instructions touch in a step: the k-th access of all lanes is one instruction, since
// they run the same code. `wanted` chooses accesses by their place.
template <class Layout, class Wanted>
u64 sectors(const std::vector<const Trace*>& traces, const std::vector<u32>& lanes, u32 state_bytes, Wanted wanted) {
  std::size_t longest = 0;
  for (const Trace* trace : traces) longest = std::max(longest, trace->size());
  u64 count = 0;
  std::vector<u64> touched;
  for (std::size_t k = 0; k < longest; ++k) {
    touched.clear();
    for (std::size_t i = 0; i < traces.size(); ++i) {
      if (k >= traces[i]->size() || !wanted((*traces[i])[k])) continue;
      touched.push_back(Layout::sector((*traces[i])[k], lanes[i], state_bytes));
    }
    std::ranges::sort(touched);
    count += static_cast<u64>(std::unique(touched.begin(), touched.end()) - touched.begin());
  }
  return count;
}

}  // namespace nesproof::gpu::model
