// Runs warps under a schedule and counts: the step kernel's loop on a host, over consoles that write down what they do.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/snapshot.hpp"
#include "gpu/model/counts.hpp"

namespace nesproof::gpu::model {

struct Consoles {
  std::span<const u8> bodies;  // a snapshot's fields for each console
  std::size_t body_bytes;
  const u8* buttons;  // [console][frames][2]
  u32 count, frames;
};

// `frames_at_once`: after so many, the lanes of a warp wait for each other, as they do between two steps of a batch.
template <class Policy, class Board>
Counts run(const core::Cartridge& cartridge, const Consoles& consoles, u32 frames_at_once) {
  using S = core::System<Counting, Board>;
  Counts counts;
  const u32 state_bytes = cartridge.state_bytes();
  for (u32 first = 0; first < consoles.count; first += core::kLanes) {
    const u32 lanes = std::min(core::kLanes, consoles.count - first);
    std::vector<u64> memory(std::size_t{state_bytes} * lanes / sizeof(u64));
    std::vector<Trace> traces(lanes);
    const auto console = [&](u32 lane) {
      Counting layout;
      layout.base = reinterpret_cast<u8*>(memory.data()) + std::size_t{state_bytes} * lane;
      layout.trace = &traces[lane];
      return S(layout, &cartridge, nullptr);
    };
    for (u32 lane = 0; lane < lanes; ++lane) {
      core::take_fields(console(lane), consoles.bodies.data() + (first + lane) * consoles.body_bytes);
      core::settled(console(lane));
    }
    for (u32 frame = 0; frame < consoles.frames; frame += frames_at_once) {
      const u32 now = std::min(frames_at_once, consoles.frames - frame);
      std::vector<WatchedLane<S>> watched;
      for (u32 lane = 0; lane < lanes; ++lane) {
        const u8* held = consoles.buttons + (std::size_t{first + lane} * consoles.frames + frame) * 2;
        watched.emplace_back(console(lane), held, 2, now);
      }
      core::HostWarp<WatchedLane<S>> warp(watched.data(), lanes);
      core::run_warp<Policy>(warp, Counters<S>(counts, state_bytes));
      for (WatchedLane<S>& lane : watched) lane.end();
      counts.warp_frames += now;
    }
  }
  return counts;
}

}  // namespace nesproof::gpu::model
