// What is counted of a warp's run. A step is one choice of the schedule, in which the chosen lanes run a block; where
// every lane goes on freely, lanes at different places are different steps, since a warp runs one place at a time.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/cpu/code_map.hpp"
#include "gpu/model/watched_lane.hpp"

namespace nesproof::gpu::model {

struct Counts {
  u64 warp_frames = 0;  // frames of warps: what everything is divided by
  u64 steps = 0;
  u64 lane_steps = 0;           // lanes that ran in them
  u64 waiting_lane_steps = 0;   // lanes that waited for their turn
  u64 finished_lane_steps = 0;  // lanes that had finished and waited for the slowest
  u64 instructions = 0;         // of the fast machine: the most that a step's lanes ran
  u64 exact_steps = 0;          // steps that needed the exact machine
  u64 exact_cycles = 0;         // of the exact machine: the most that a step's lanes ran
  u64 ram_sectors_interleaved = 0, ram_sectors_one_by_one = 0;
  u64 state_sectors_interleaved = 0, state_sectors_one_by_one = 0;  // of the whole state, RAM included
  u64 code_sectors = 0;                               // of PRG-ROM as the fast machine reads it, a word an instruction
  std::array<u64, core::kFastOpcodeCount> opcodes{};  // of `instructions`
};

template <class S>
class Counters {
 public:
  explicit Counters(Counts& counts, u32 state_bytes) : counts_(counts), state_bytes_(state_bytes) {}

  template <class Warp>
  void stepped(const Warp& warp, u32 chosen) {
    u32 finished = 0;
    for (u32 lane = 0; lane < warp.count(); ++lane) finished += warp.key(lane) == core::kFinishedKey;
    count(warp, chosen, finished);
  }

  template <class Warp>
  void stepped_freely(const Warp& warp) {
    std::vector<u32> keys;
    u32 finished = 0;
    for (u32 lane = 0; lane < warp.count(); ++lane) {
      if (warp.key(lane) == core::kFinishedKey) {
        ++finished;
      } else {
        keys.push_back(warp.key(lane));
      }
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const u32 key : keys) count(warp, key, finished);
  }

 private:
  template <class Warp>
  void count(const Warp& warp, u32 chosen, u32 finished) {
    traces_.clear();
    lanes_.clear();
    const WatchedLane<S>* longest = nullptr;
    u32 exact_cycles = 0;
    for (u32 lane = 0; lane < warp.count(); ++lane) {
      if (warp.key(lane) != chosen) continue;
      const WatchedLane<S>& watched = warp.lane(lane);
      traces_.push_back(&watched.trace());
      lanes_.push_back(lane);
      if (longest == nullptr || watched.block().instructions > longest->block().instructions) longest = &watched;
      exact_cycles = std::max(exact_cycles, watched.block().exact_cycles);
    }
    const auto active = static_cast<u32>(lanes_.size());
    ++counts_.steps;
    counts_.lane_steps += active;
    counts_.finished_lane_steps += finished;
    counts_.waiting_lane_steps += warp.count() - finished - active;
    counts_.exact_cycles += exact_cycles;
    counts_.exact_steps += exact_cycles != 0;
    count_code(*longest);
    const auto anything = [](const Access&) { return true; };
    counts_.ram_sectors_interleaved += sectors<Interleaved>(traces_, lanes_, state_bytes_, is_ram);
    counts_.ram_sectors_one_by_one += sectors<OneByOne>(traces_, lanes_, state_bytes_, is_ram);
    counts_.state_sectors_interleaved += sectors<Interleaved>(traces_, lanes_, state_bytes_, anything);
    counts_.state_sectors_one_by_one += sectors<OneByOne>(traces_, lanes_, state_bytes_, anything);
  }

  // All of a step's lanes read the same code, the longest block of them all of it.
  void count_code(const WatchedLane<S>& longest) {
    const Block& block = longest.block();
    counts_.instructions += block.instructions;
    longest.for_each_instruction([this](core::FastOpcode opcode) { ++counts_.opcodes[static_cast<u32>(opcode)]; });
    constexpr u32 kWordBytes = 4;
    if (block.instructions == 0) return;
    counts_.code_sectors += (block.end * kWordBytes - 1) / kSectorBytes - block.begin * kWordBytes / kSectorBytes + 1;
  }

  static bool is_ram(const Access& access) { return access.at - core::place_of(core::Field::bus_ram) < 2048; }

  Counts& counts_;
  u32 state_bytes_;
  std::vector<const Trace*> traces_;
  std::vector<u32> lanes_;
};

}  // namespace nesproof::gpu::model
