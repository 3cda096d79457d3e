// A step of the warp that a thread is in: frame after frame, under the schedule.
#pragma once

#include "core/run.hpp"
#include "gpu/console.hpp"

namespace nesproof::gpu {

inline constexpr u32 kMostThreads = 128;  // of a block that steps

// Where this thread is, asked anew: what follows from it is computed anew, too, and takes no register over a frame.
struct Thread {
  u32 block, threads, thread;
};
inline Thread thread_asked_anew() {
#if defined(__CUDACC_RTC__)
  Thread now;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(now.block));
  asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(now.threads));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(now.thread));
  return now;
#else
  return {blockIdx.x, blockDim.x, threadIdx.x};
#endif
}

// `count` consoles, for each a row of `row_bytes` of buttons, [frames][2]; `console_of` makes a console of its number.
// A lane without a console takes part with nothing to do, since the schedule is a collective.
//
// `frame_of_thread` is shared memory, [kMostThreads]: a frame is too long to keep a register for counting frames.
template <class Of>
void step_consoles(u32 count, const u8* buttons, u32 row_bytes, u32 frames, volatile u32* frame_of_thread,
                   Of console_of) {
  // Lanes that wait for each other at a frame's end enter the next one's interrupt together.
  const u32 at_once = NESPROOF_ALIGNED_FRAMES ? 1 : frames;
  frame_of_thread[threadIdx.x] = 0;
  for (;;) {
    const Thread now = thread_asked_anew();
    const u32 frame = frame_of_thread[now.thread];
    if (frame >= frames) return;
    frame_of_thread[now.thread] = frame + at_once;
    const u32 console = now.block * now.threads + now.thread;
    const bool present = console < count;
    const u8* held = buttons + static_cast<u64>(present ? console : 0) * row_bytes + 2 * frame;
    Lane lane(console_of(console), held, 2, present ? at_once : 0);
    DeviceWarp warp(lane);
    run_warp<Policy>(warp);
    lane.end();
  }
}

}  // namespace nesproof::gpu
