// A square wave with a sweep: https://www.nesdev.org/wiki/APU_Pulse
//
//   $4000  DDLC VVVV  duty, length halt, constant volume, volume or envelope period
//   $4001  EPPP NSSS  sweep enable, period, negate, shift
//   $4002  TTTT TTTT  timer, low 8 bits
//   $4003  LLLL LTTT  length index, timer, high 3 bits
#pragma once

#include "reference/apu/envelope.hpp"
#include "reference/apu/length_counter.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

class Pulse {
 public:
  // Pulse 1 subtracts with ones' complement, pulse 2 with two's.
  explicit Pulse(bool ones_complement) : ones_complement_(ones_complement) {}

  void write(u16 reg, u8 value) {
    switch (reg & 3) {
      case 0:
        duty = value >> 6;
        length.halt_written = value & 0x20;
        envelope.constant = value & 0x10;
        envelope.period = value & 0x0F;
        break;
      case 1:
        sweep_enabled = value & 0x80;
        sweep_period = value >> 4 & 7;
        sweep_negate = value & 0x08;
        sweep_shift = value & 7;
        sweep_reload = true;
        break;
      case 2: period = static_cast<u16>((period & 0x0700) | value); break;
      case 3:
        period = static_cast<u16>((period & 0x00FF) | (value & 7) << 8);
        length.load(value >> 3);
        step = 0;
        envelope.start = true;
        break;
    }
  }

  // Once an APU cycle.
  void tick() {
    if (timer > 0) {
      timer--;
    } else {
      timer = period;
      step = (step - 1) & 7;
    }
  }

  void clock_quarter_frame() { envelope.clock(length.halt); }
  void clock_half_frame() {
    length.clock();
    if (sweep_divider == 0 && sweep_enabled && sweep_shift > 0 && !sweep_mutes()) period = sweep_target();
    if (sweep_divider == 0 || sweep_reload) {
      sweep_divider = sweep_period;
      sweep_reload = false;
    } else {
      sweep_divider--;
    }
  }

  LengthCounter length;
  Envelope envelope;
  u16 period = 0;  // in APU cycles, less one
  u16 timer = 0;
  u8 duty = 0;
  u8 step = 0;  // position in the duty cycle, counting down
  bool sweep_enabled = false;
  u8 sweep_period = 0;
  bool sweep_negate = false;
  u8 sweep_shift = 0;
  u8 sweep_divider = 0;
  bool sweep_reload = false;

 private:
  u16 sweep_target() const {
    const int change = period >> sweep_shift;
    const int target = sweep_negate ? period - change - (ones_complement_ ? 1 : 0) : period + change;
    return static_cast<u16>(target < 0 ? 0 : target);
  }
  bool sweep_mutes() const { return period < 8 || sweep_target() > 0x7FF; }

  bool ones_complement_;
};

}  // namespace nesproof::reference
