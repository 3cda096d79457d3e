// Pseudo-random bits: https://www.nesdev.org/wiki/APU_Noise
//
//   $400C  --LC VVVV  length halt, constant volume, volume or envelope period
//   $400E  M--- PPPP  mode, period index
//   $400F  LLLL L---  length index
#pragma once

#include <array>

#include "reference/apu/envelope.hpp"
#include "reference/apu/length_counter.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

// In APU cycles (the wiki's table is in CPU cycles).
inline constexpr std::array<u16, 16> kNoisePeriods{2,   4,   8,   16,  32,  48,  64,   80,
                                                   101, 127, 190, 254, 381, 508, 1017, 2034};

class Noise {
 public:
  void write(u16 reg, u8 value) {
    switch (reg & 3) {
      case 0:
        length.halt_written = value & 0x20;
        envelope.constant = value & 0x10;
        envelope.period = value & 0x0F;
        break;
      case 2:
        mode = value & 0x80;
        period_index = value & 0x0F;
        break;
      case 3:
        length.load(value >> 3);
        envelope.start = true;
        break;
    }
  }

  // Once an APU cycle.
  void tick() {
    if (timer > 0) {
      timer--;
    } else {
      timer = kNoisePeriods[period_index] - 1;
      const unsigned feedback = (shifter ^ shifter >> (mode ? 6 : 1)) & 1u;
      shifter = static_cast<u16>(shifter >> 1 | feedback << 14);
    }
  }

  void clock_quarter_frame() { envelope.clock(length.halt); }
  void clock_half_frame() { length.clock(); }

  LengthCounter length;
  Envelope envelope;
  u16 timer = 0;
  u16 shifter = 1;  // 15 bits
  u8 period_index = 0;
  bool mode = false;
};

}  // namespace nesproof::reference
