// A step of the warp that a thread is in: frame after frame, under the schedule.
#pragma once

#include "core/run.hpp"
#include "gpu/console.hpp"

namespace nesproof::gpu {

// `buttons` are [frames][2]. A lane without a console takes part with nothing to do, since the schedule is a
// collective.
template <class S>
void step_console(S s, bool present, const u8* buttons, u32 frames) {
  // Lanes that wait for each other at a frame's end enter the next one's interrupt together.
  const u32 at_once = NESPROOF_ALIGNED_FRAMES ? 1 : frames;
  for (u32 frame = 0; frame < frames; frame += at_once) {
    Lane<S> lane(s, buttons + 2 * frame, 2, present ? at_once : 0);
    DeviceWarp<Lane<S>> warp(lane);
    run_warp<Policy>(warp);
    lane.end();
  }
}

}  // namespace nesproof::gpu
