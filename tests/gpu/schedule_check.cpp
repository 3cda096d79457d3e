// The warp schedule over toy lanes: a call here and there, branches that lanes take or not, and a loop of their own
// length. Prints what a test wants to know, a line a policy.
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "core/schedule.hpp"

using namespace nesproof::core;

namespace {

// 0: call or go on; 1-3: one way round; 4: the meeting point; 5: a loop; 6: the end. 10-12: the subroutine.
struct Lane {
  u32 number = 0, place = 0, stack = 0xFF, rounds = 0;
  std::vector<u32> visited = {};

  bool finished() const { return place == 6; }
  u32 key() const { return finished() ? kFinishedKey : stack << 24 | place; }
  void run_block() {
    visited.push_back(place);
    switch (place) {
      case 0:
        if (number % 3 == 0) {
          stack -= 2;
          place = 10;
        } else {
          place = number % 2 != 0 ? 1 : 4;
        }
        return;
      case 10:
      case 11: ++place; return;
      case 12:
        stack += 2;
        place = 4;
        return;
      case 4:
        rounds = number % 5;
        place = 5;
        return;
      case 5:
        if (rounds-- == 0) place = 6;
        return;
      default: ++place; return;
    }
  }
};

struct Counters {
  u32 steps = 0, lane_steps = 0, wrong = 0;
  bool smallest = false;

  void stepped(const auto& warp, u32 chosen) {
    ++steps;
    for (u32 lane = 0; lane < warp.count(); ++lane) lane_steps += warp.key(lane) == chosen;
    if (smallest && chosen != warp.smallest_key()) ++wrong;
  }
  void stepped_freely(const auto& warp) {
    ++steps;
    for (u32 lane = 0; lane < warp.count(); ++lane) lane_steps += warp.key(lane) != kFinishedKey;
  }
};

std::vector<Lane> lanes_of(u32 count) {
  std::vector<Lane> lanes(count);
  for (u32 lane = 0; lane < count; ++lane) lanes[lane].number = lane;
  return lanes;
}

template <class Policy>
void check(const char* name, u32 count) {
  std::vector<Lane> lanes = lanes_of(count), alone = lanes;
  HostWarp<Lane> warp(lanes.data(), count);
  Counters counters;
  counters.smallest = std::is_same_v<Policy, SmallestKeyFirst>;
  run_warp<Policy>(warp, counters);
  u32 differ = counters.wrong;
  for (u32 lane = 0; lane < count; ++lane) {
    while (!alone[lane].finished()) alone[lane].run_block();
    differ += !lanes[lane].finished() || lanes[lane].visited != alone[lane].visited;
  }
  std::printf("%s %u %u %u %u\n", name, count, counters.steps, counters.lane_steps, differ);
}

}  // namespace

int main() {
  for (const u32 count : {1u, 2u, 31u, 32u}) {
    check<SmallestKeyFirst>("smallest-key", count);
    check<LargestGroupFirst>("largest-group", count);
    check<FreeRunning>("free-running", count);
  }
  return EXIT_SUCCESS;
}
