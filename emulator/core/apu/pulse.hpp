// Square waves with a sweep: https://www.nesdev.org/wiki/APU_Pulse
//
//   $4000  DDLC VVVV  duty, length halt, constant volume, volume or envelope period
//   $4001  EPPP NSSS  sweep enable, period, negate, shift
//   $4002  TTTT TTTT  timer, low 8 bits
//   $4003  LLLL LTTT  length index, timer, high 3 bits
#pragma once

#include "core/apu/clock.hpp"
#include "core/apu/length.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core::apu {

template <class S>
__attribute__((noinline)) void catch_up_pulse(Pulse<S> p, u32 cycle) {
  const Divided after = divided(p.timer(), p.period(), gets_between(p.s, p.time(), cycle));
  p.time() = cycle;
  p.timer() = static_cast<u16>(after.timer);
  p.step() = (p.step() - after.reloads) & 7;
}

// The timer runs on with the old period up to `cycle`.
template <class S>
void set_pulse_period(Pulse<S> p, u32 period, u32 cycle) {
  if (p.period() == period) return;
  catch_up_pulse(p, cycle);
  p.period() = static_cast<u16>(period);
}

template <class S>
void write_pulse(Pulse<S> p, u32 address, u8 value, u32 cycle) {
  switch (address & 3) {
    case 0:
      begin_length_write(p, cycle);
      p.length_halt_written() = value >> 5 & 1;
      p.duty() = value >> 6;
      p.envelope_constant() = value >> 4 & 1;
      p.envelope_period() = value & 0x0F;
      break;
    case 1:
      p.sweep_enabled() = value >> 7;
      p.sweep_period() = value >> 4 & 7;
      p.sweep_negate() = value >> 3 & 1;
      p.sweep_shift() = value & 7;
      p.sweep_reload() = 1;
      break;
    case 2: set_pulse_period(p, (p.period() & 0x0700u) | value, cycle); break;
    case 3:
      catch_up_pulse(p, cycle);
      p.period() = static_cast<u16>((p.period() & 0x00FF) | (value & 7) << 8);
      p.step() = 0;
      begin_length_write(p, cycle);
      load_length(p, value >> 3);
      p.envelope_start() = 1;
      break;
  }
}

// Half frame, which comes before the timer's tick in `cycle`.
template <class S>
void clock_sweep(Pulse<S> p, u32 cycle) {
  if (p.sweep_divider() == 0 && p.sweep_enabled() && p.sweep_shift() > 0 && p.period() >= 8) {
    const u32 period = p.period();
    const u32 change = period >> p.sweep_shift();
    u32 less = change + (p.index == kPulse1 ? 1 : 0);  // ones' complement, two's on pulse 2
    NESPROOF_FAULT(sweeps_negate_alike, less = change);
    const u32 target = !p.sweep_negate() ? period + change : period > less ? period - less : 0;
    if (target <= 0x7FF) set_pulse_period(p, target, cycle - 1);
  }
  if (p.sweep_divider() == 0 || p.sweep_reload()) {
    p.sweep_divider() = p.sweep_period();
    p.sweep_reload() = 0;
  } else {
    p.sweep_divider()--;
  }
}

}  // namespace nesproof::core::apu
