// Silences a channel after a while: https://www.nesdev.org/wiki/APU_Length_Counter
//
// In a cycle the frame counter's clock comes before the CPU's write, so that a write to the halt flag counts from the
// next clock on. A reload in the very cycle of a clock is lost unless the counter stood at 0.
#pragma once

#include <array>

#include "reference/types.hpp"

namespace nesproof::reference {

inline constexpr std::array<u8, 32> kLengths{10, 254, 20, 2,  40, 4,  80, 6,  160, 8,  60, 10, 14, 12, 26, 14,
                                             12, 16,  24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30};

class LengthCounter {
 public:
  void begin_cycle() { clocked_down_ = false; }
  void clock() {
    if (halt || count == 0) return;
    count--;
    clocked_down_ = true;
  }
  void load(u8 index) {
    if (enabled && !clocked_down_) count = kLengths[index];
  }
  void enable(bool on) {
    enabled = on;
    if (!on) count = 0;
  }

  u8 count = 0;
  bool halt = false;
  bool enabled = false;

 private:
  bool clocked_down_ = false;  // in this cycle; not state, since every cycle begins by clearing it
};

}  // namespace nesproof::reference
