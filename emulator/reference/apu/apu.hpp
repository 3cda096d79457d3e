// The sound unit's registers and time: https://www.nesdev.org/wiki/APU
//
// Nothing is mixed to samples; what a program can see (length counters, IRQs, DMA) and what will drive a mixer is kept
// exactly. An APU cycle is two CPU cycles: a get, in which DMA may read, and a put, in which it may write.
#pragma once

#include "reference/apu/dmc.hpp"
#include "reference/apu/frame_counter.hpp"
#include "reference/apu/noise.hpp"
#include "reference/apu/pulse.hpp"
#include "reference/apu/triangle.hpp"
#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

class Apu {
 public:
  void power_on();
  void reset();

  // One CPU cycle, before the CPU's access in it.
  void tick() {
    is_get_ = !is_get_;
    begin_length_counters();
    const FrameCounter::Clocks clocks = frame_counter_.tick(is_get_);
    if (clocks.quarter) [[unlikely]]
      clock_frame(clocks);
    triangle_.tick();
    if (is_get_) {
      pulse1_.tick();
      pulse2_.tick();
      noise_.tick();
      dmc_.tick();
    }
    dmc_.tick_delays();
  }

  // $4000-$4013, $4015, $4017; anything else is ignored.
  void write(u16 address, u8 value);
  // $4015, bit 5 clear: IF-D NT21. Reading acknowledges the frame counter's IRQ.
  u8 status() const;
  u8 read_status() {
    const u8 value = status();
    frame_counter_.acknowledge();
    return value;
  }

  bool irq_line() const { return frame_counter_.irq_line() || dmc_.irq_flag; }
  bool is_get() const { return is_get_; }
  Dmc& dmc() { return dmc_; }

  template <class V>
  void visit(V& v);

 private:
  void begin_length_counters() {
    pulse1_.length.begin_cycle();
    pulse2_.length.begin_cycle();
    triangle_.length.begin_cycle();
    noise_.length.begin_cycle();
  }
  void clock_frame(FrameCounter::Clocks clocks);

  bool is_get_ = false;  // the current cycle's kind
  FrameCounter frame_counter_;
  Pulse pulse1_{true};
  Pulse pulse2_{false};
  Triangle triangle_;
  Noise noise_;
  Dmc dmc_;
};

}  // namespace nesproof::reference

#include "reference/apu/state.hpp"
