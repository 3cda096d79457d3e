// Divides the CPU clock into quarter and half frames: https://www.nesdev.org/wiki/APU_Frame_Counter
//
//   $4017  MI-- ----  mode (0: four steps, 1: five), IRQ inhibit
//
// Between its steps the frame counter only counts. lazy_apu_step is the next cycle in which it may do more; its fields
// are as of lazy_apu_time, which lags behind until there.
#pragma once

#include "core/apu/clock.hpp"
#include "core/apu/noise.hpp"
#include "core/apu/pulse.hpp"
#include "core/apu/triangle.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core::apu {

// CPU cycles since the sequence began.
inline constexpr u32 kQuarter1 = 7457, kHalf1 = 14913, kQuarter3 = 22371;
inline constexpr u32 kIrqRises = 29828, kHalf2 = 29829, kRestart = 29830;  // four steps
inline constexpr u32 kFiveHalf2 = 37281, kFiveRestart = 37282;             // five

template <class S>
bool irq_inhibited(const S& s) {
  return s.apu_frame_written() & 0x40;
}

constexpr u32 next_step(u32 frame_cycle, bool five_steps) {
  if (frame_cycle < kHalf1) return frame_cycle < kQuarter1 ? kQuarter1 : kHalf1;
  if (frame_cycle < kQuarter3) return kQuarter3;
  if (!five_steps && frame_cycle < kRestart) return frame_cycle < kIrqRises ? kIrqRises : frame_cycle + 1;
  return frame_cycle < kFiveHalf2 ? kFiveHalf2 : kFiveRestart;
}

// lazy_apu_step from the frame counter's fields.
template <class S>
void predict_step(S s) {
  const u32 frame_cycle = s.apu_frame_cycle(), reset = s.apu_frame_reset_delay();
  u32 wait = next_step(frame_cycle, s.apu_frame_five_steps()) - frame_cycle;
  if (reset > 0 && reset < wait) wait = reset;
  if (s.apu_frame_irq_clear_pending()) {
    const u32 clear = next_get(s, s.lazy_apu_time()) - s.lazy_apu_time();
    if (clear < wait) wait = clear;
  }
  s.lazy_apu_step() = s.lazy_apu_time() + wait;
}

// --- Clocks

template <class C>
void clock_counters(C c, bool half, bool waits) {
  if (!waits) settle_length(c);
  clock_envelope(c);
  if (half) clock_length(c);
  if (waits) settle_length(c);
}

// The triangle's tick in `cycle` comes after this and sees its counters as they are then.
template <class S>
void clock_triangle(Triangle<S> t, u32 cycle, bool half, bool waits) {
  const bool moved = triangle_moves(t);
  if (!waits) settle_length(t);
  clock_linear_counter(t);
  if (half) clock_length(t);
  if (waits) settle_length(t);
  if (triangle_moves(t) != moved) catch_up_triangle(t, cycle - 1, moved);
}

template <class S>
void clock_frame(S s, u32 cycle, bool half) {
  const u32 waits = s.lazy_apu_length_write() + 1 == cycle ? s.lazy_apu_length_waiting() : 0u;
  s.lazy_apu_length_waiting() = 0;
  for (u32 pulse = kPulse1; pulse <= kPulse2; ++pulse) {
    clock_counters(Pulse<S>{s, pulse}, half, waits >> pulse & 1);
    if (half) clock_sweep(Pulse<S>{s, pulse}, cycle);
  }
  clock_triangle(Triangle<S>{s}, cycle, half, waits >> kTriangle & 1);
  clock_counters(Noise<S>{s}, half, waits >> kNoise & 1);
}

// --- Steps

// The fields of the frame counter, from lazy_apu_time to `cycle`, between which there is no step.
template <class S>
void count_frame_cycles(S s, u32 cycle) {
  const u32 cycles = cycle - s.lazy_apu_time();
  s.apu_frame_cycle() = static_cast<u16>(s.apu_frame_cycle() + cycles);
  if (s.apu_frame_reset_delay() > 0) s.apu_frame_reset_delay() = static_cast<u8>(s.apu_frame_reset_delay() - cycles);
  s.lazy_apu_time() = cycle;
}

// The tick of a cycle in which there is a step. The IRQ flag is raised for three cycles running; with the IRQ inhibited
// it shows for two of them, but does not reach the CPU.
template <class S>
__attribute__((noinline)) void tick_step(S s, u32 cycle) {
  const bool resets = s.apu_frame_reset_delay() > 0 && s.apu_frame_reset_delay() == cycle - s.lazy_apu_time();
  count_frame_cycles(s, cycle);
  if (s.apu_frame_irq_clear_pending() && is_get(s, cycle)) s.apu_frame_irq() = s.apu_frame_irq_clear_pending() = 0;
  bool quarter = false, half = false;
  switch (s.apu_frame_cycle()) {
    case kQuarter1:
    case kQuarter3: quarter = true; break;
    case kHalf1:
    case kFiveHalf2: half = true; break;
    case kFiveRestart: s.apu_frame_cycle() = 0; break;
    case kIrqRises:
      NESPROOF_FAULT(frame_irq_a_cycle_late, break);
      if (!s.apu_frame_five_steps()) s.apu_frame_irq() = 1;
      break;
    case kHalf2:
      if (s.apu_frame_five_steps()) break;
      s.apu_frame_irq() = 1;
      half = true;
      break;
    case kRestart:
      if (s.apu_frame_five_steps()) break;
      s.apu_frame_irq() = !irq_inhibited(s);
      s.apu_frame_cycle() = 0;
      break;
  }
  if (resets) {
    s.apu_frame_cycle() = 0;
    s.apu_frame_five_steps() = s.apu_frame_written() >> 7;
    if (s.apu_frame_five_steps()) half = true;
  }
  if (quarter || half) clock_frame(s, cycle, half);
  predict_step(s);
}

template <class S>
void pass_steps(S s, u32 cycle) {
  while (since(cycle, s.lazy_apu_step()) >= 0) tick_step(s, s.lazy_apu_step());
}

// --- Accesses, with the steps up to `cycle` passed

template <class S>
void clear_frame_irq(S s) {
  s.apu_frame_irq() = s.apu_frame_irq_clear_pending() = 0;
}

// The sequence restarts with the APU cycle after the next: three or four CPU cycles after the write.
template <class S>
void write_frame_counter(S s, u8 value, u32 cycle) {
  count_frame_cycles(s, cycle);
  s.apu_frame_written() = value & 0xC0;
  s.apu_frame_reset_delay() = is_get(s, cycle) ? 4 : 3;
  if (irq_inhibited(s)) clear_frame_irq(s);
  predict_step(s);
}

// A read of $4015 takes the flag away when the next APU cycle begins.
template <class S>
void acknowledge_frame_irq(S s, u32 cycle) {
  if (s.apu_frame_irq() == s.apu_frame_irq_clear_pending()) return;
  count_frame_cycles(s, cycle);
  s.apu_frame_irq_clear_pending() = s.apu_frame_irq();
  predict_step(s);
}

// --- Prediction

template <class S>
bool frame_irq_line(const S& s) {
  return s.apu_frame_irq() && !irq_inhibited(s);
}

// No cycle before changes the frame counter's part of the IRQ line; `never` if nothing that is under way does.
template <class S>
u32 frame_irq_event(S s, u32 never) {
  if (irq_inhibited(s)) return never;
  if (s.apu_frame_irq_clear_pending()) return s.lazy_apu_step();
  if (s.apu_frame_irq()) return never;
  const u32 frame_cycle = s.apu_frame_cycle(), reset = s.apu_frame_reset_delay();
  bool rises = !s.apu_frame_five_steps();
  u32 wait = frame_cycle < kIrqRises  ? kIrqRises - frame_cycle
             : frame_cycle < kRestart ? 1
                                      : kFiveRestart - frame_cycle + kIrqRises;
  if (reset > 0 && (!rises || wait > reset)) {
    rises = !(s.apu_frame_written() & 0x80);
    wait = reset + kIrqRises;
  }
  return rises ? s.lazy_apu_time() + wait : never;
}

}  // namespace nesproof::core::apu
