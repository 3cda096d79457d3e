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
    const FrameCounter::Clocks clocks = frame_counter_.tick(is_get_);
    if (clocks.quarter) clock_frame(clocks);
    if (length_written_) settle_length_counters();
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
  // $4015: DMC IRQ 80, frame IRQ 40, DMC playing 10, then noise, triangle, pulse 2, pulse 1; bit 5 is not driven.
  // Reading acknowledges the frame counter's IRQ.
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
  void restored() {
    length_written_ = true;
    dmc_.restored();
  }

 private:
  void settle_length_counters();
  void clock_frame(FrameCounter::Clocks clocks);

  bool is_get_ = false;         // the current cycle's kind
  bool length_written_ = true;  // in the last cycle; not state, since settling twice is settling once
  FrameCounter frame_counter_;
  Pulse pulse1_{true};
  Pulse pulse2_{false};
  Triangle triangle_;
  Noise noise_;
  Dmc dmc_;
};

}  // namespace nesproof::reference

#include "reference/apu/state.hpp"
