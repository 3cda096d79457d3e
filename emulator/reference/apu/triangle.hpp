// A triangle wave: https://www.nesdev.org/wiki/APU_Triangle
//
//   $4008  CRRR RRRR  control (also length halt), linear counter reload value
//   $400A  TTTT TTTT  timer, low 8 bits
//   $400B  LLLL LTTT  length index, timer, high 3 bits
#pragma once

#include "reference/apu/length_counter.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

class Triangle {
 public:
  void write(u16 reg, u8 value) {
    switch (reg & 3) {
      case 0:
        length.halt_written = value & 0x80;
        linear_period = value & 0x7F;
        break;
      case 2: period = static_cast<u16>((period & 0x0700) | value); break;
      case 3:
        period = static_cast<u16>((period & 0x00FF) | (value & 7) << 8);
        length.load(value >> 3);
        linear_reload = true;
        break;
    }
  }

  // Once a CPU cycle: this timer runs at twice the pulses' rate.
  void tick() {
    if (timer > 0) {
      timer--;
    } else {
      timer = period;
      if (length.count > 0 && linear_count > 0) step = (step + 1) & 31;
    }
  }

  void clock_quarter_frame() {
    if (linear_reload) {
      linear_count = linear_period;
    } else if (linear_count > 0) {
      linear_count--;
    }
    if (!length.halt) linear_reload = false;
  }
  void clock_half_frame() { length.clock(); }

  LengthCounter length;
  u16 period = 0;  // in CPU cycles, less one
  u16 timer = 0;
  u8 step = 0;
  u8 linear_period = 0;
  u8 linear_count = 0;
  bool linear_reload = false;
};

}  // namespace nesproof::reference
