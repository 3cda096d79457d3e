// Silences a channel after a while: https://www.nesdev.org/wiki/APU_Length_Counter
//
// The frame counter's clock falls between two CPU cycles. A write in the cycle before it comes too late for it: the
// halt flag counts from the next clock on, and a reload is lost if the clock counts down. So a write waits here for the
// beginning of the next cycle, where the clock goes first.
#pragma once

#include <array>

#include "faults/hooks.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

inline constexpr std::array<u8, 32> kLengths{10, 254, 20, 2,  40, 4,  80, 6,  160, 8,  60, 10, 14, 12, 26, 14,
                                             12, 16,  24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30};

class LengthCounter {
 public:
  void clock() {
    NESPROOF_FAULT(length_counters_stand, return);
    if (halt || count == 0) return;
    count--;
    reload = 0;
  }
  void settle() {
    if (reload != 0) count = reload;
    reload = 0;
    halt = halt_written;
  }

  void load(u8 index) {
    if (enabled) reload = kLengths[index];
  }
  void enable(bool on) {
    enabled = on;
    if (!on) count = reload = 0;
  }

  u8 count = 0;
  u8 reload = 0;  // 0: nothing waits
  bool halt = false;
  bool halt_written = false;
  bool enabled = false;
};

}  // namespace nesproof::reference
