// Which lanes of a warp run next: one collective that every lane of a warp reaches, the same on a device and a host.
//
//   repeat: each lane names its key; one key is chosen; the lanes that have it run one basic block
//   until every lane has finished
//
// A lane is anything with `u32 key()`, `void run_block()` and `bool finished()`, and on a device `begin_block()`, whose
// answer is `kBlockDone` unless `end_block(answer)` has to follow. Its key is its stack pointer and, below that, where
// its code lies in PRG-ROM; 0 while it needs more than a block; and `kFinishedKey` once it has finished. Running the
// smallest key first lets deeper calls finish while the others wait for them at the return, so that lanes which part
// meet again. Plain SIMT, and running whoever is most, lose each other and stay lost; both are here to be compared
// with.
//
// On a device a lane is a thread, and the minimum one instruction. On a host a warp is an array of lanes, and each
// phase a loop over them: no fibers are needed, since no lane runs past a phase.
#pragma once

#include "core/state.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

inline constexpr u32 kFinishedKey = 0xFFFFFFFF;

// --- Policies: what is chosen, given the warp

struct SmallestKeyFirst {
  static constexpr bool kFree = false;
  template <class Warp>
  static u32 choose(const Warp& warp) {
    return warp.smallest_key();
  }
};

// Of groups of one size, the one with the smallest key.
struct LargestGroupFirst {
  static constexpr bool kFree = false;
  template <class Warp>
  static u32 choose(const Warp& warp) {
    return warp.key_of_largest_group();
  }
};

// No choice: every lane goes on, and whatever they have in common is left to the hardware.
struct FreeRunning {
  static constexpr bool kFree = true;
};

// What watches a run: nobody, unless a model wants to count. A warp's keys are still those from before the step.
struct NoCounters {
  template <class Warp>
  constexpr void stepped(const Warp&, u32) const {}  // the lanes whose key was chosen have run a block
  template <class Warp>
  constexpr void stepped_freely(const Warp&) const {}  // every lane that was unfinished has run a block
};

template <class Policy, class Warp, class Counters = NoCounters>
void run_warp(Warp& warp, Counters&& counters = Counters{}) {
  if constexpr (Policy::kFree) {
    warp.run_freely(counters);
  } else {
    for (;;) {
      warp.name_keys();
      const u32 chosen = Policy::choose(warp);
      if (chosen == kFinishedKey) return;
      warp.run_lanes_at(chosen);
      counters.stepped(warp, chosen);
    }
  }
}

// --- A warp on a host: up to 32 lanes one after the other

template <class Lane>
class HostWarp {
 public:
  HostWarp(Lane* lanes, u32 count) : lanes_(lanes), count_(count) {}

  u32 count() const { return count_; }
  u32 key(u32 lane) const { return keys_[lane]; }
  Lane& lane(u32 index) const { return lanes_[index]; }

  void name_keys() {
    for (u32 i = 0; i < count_; ++i) keys_[i] = lanes_[i].key();
  }

  u32 smallest_key() const {
    u32 smallest = kFinishedKey;
    for (u32 i = 0; i < count_; ++i) smallest = keys_[i] < smallest ? keys_[i] : smallest;
    NESPROOF_FAULT(largest_key_first, smallest = largest_unfinished_key(smallest));
    return smallest;
  }

  // At least `key`, which is some lane's or kFinishedKey.
  u32 largest_unfinished_key(u32 key) const {
    for (u32 i = 0; i < count_; ++i) key = keys_[i] > key && keys_[i] != kFinishedKey ? keys_[i] : key;
    return key;
  }

  u32 key_of_largest_group() const {
    u32 best = kFinishedKey, most = 0;
    for (u32 i = 0; i < count_; ++i) {
      if (keys_[i] == kFinishedKey) continue;
      u32 size = 0;
      for (u32 j = 0; j < count_; ++j) size += keys_[j] == keys_[i];
      if (size > most || (size == most && keys_[i] < best)) best = keys_[i], most = size;
    }
    return best;
  }

  void run_lanes_at(u32 chosen) {
    for (u32 i = 0; i < count_; ++i) {
      if (keys_[i] == chosen) lanes_[i].run_block();
    }
  }

  template <class Counters>
  void run_freely(Counters& counters) {
    for (;;) {
      name_keys();
      if (smallest_key() == kFinishedKey) return;
      for (u32 i = 0; i < count_; ++i) {
        if (keys_[i] != kFinishedKey) lanes_[i].run_block();
      }
      counters.stepped_freely(*this);
    }
  }

 private:
  Lane* lanes_;
  u32 count_;
  u32 keys_[kLanes] = {};
};

// --- A warp on a device: this thread's lane, and 31 more that do the same at the same time

#if defined(__CUDA_ARCH__)

template <class Lane>
class DeviceWarp {
 public:
  explicit DeviceWarp(Lane& lane) : lane_(lane) {}

  void name_keys() { key_ = lane_.key(); }

  u32 smallest_key() const { return smallest(key_); }

  u32 key_of_largest_group() const {
    const u32 matches = __match_any_sync(kEveryLane, key_);  // of the finished ones, too: it is a collective
    const u32 group = key_ == kFinishedKey ? 0 : static_cast<u32>(__popc(matches));
    const u32 largest = kLanes - smallest(kLanes - group);
    return smallest(group == largest ? key_ : kFinishedKey);
  }

  // A block's second part is seldom needed, and gone through by all lanes together: no lane of a call is away.
  void run_lanes_at(u32 chosen) {
    auto exit = Lane::kBlockDone;
    if (key_ == chosen) exit = lane_.begin_block();
    if (__any_sync(kEveryLane, exit != Lane::kBlockDone)) lane_.end_block(exit);
  }

  template <class Counters>
  void run_freely(Counters&) {
    while (!lane_.finished()) lane_.run_block();
  }

 private:
  static constexpr u32 kEveryLane = 0xFFFFFFFF;

  static u32 smallest(u32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(kEveryLane, value);
#else
    for (u32 distance = kLanes / 2; distance != 0; distance /= 2) {
      const u32 other = __shfl_xor_sync(kEveryLane, value, distance);
      value = other < value ? other : value;
    }
    return value;
#endif
  }

  Lane& lane_;
  u32 key_ = kFinishedKey;
};

#endif

}  // namespace nesproof::core
