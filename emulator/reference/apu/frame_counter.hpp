// Divides the CPU clock into quarter and half frames: https://www.nesdev.org/wiki/APU_Frame_Counter
//
//   $4017  MI-- ----  mode (0: four steps, 1: five), IRQ inhibit
#pragma once

#include "faults/hooks.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

class FrameCounter {
 public:
  struct Clocks {
    bool quarter = false;
    bool half = false;
  };

  // Once a CPU cycle. `is_get` tells which half of an APU cycle this is.
  Clocks tick(bool is_get) {
    // A read of $4015 takes the flag away when the next APU cycle begins.
    if (clear_pending && is_get) clear_irq();
    Clocks clocks;
    cycle++;
    if (cycle >= kFirstStep) [[unlikely]]
      clocks = at_step();
    if (reset_delay > 0) [[unlikely]] {
      if (--reset_delay == 0) {
        cycle = 0;
        five_steps = written & 0x80;
        if (five_steps) clocks = {true, true};
      }
    }
    return clocks;
  }

  // The sequence restarts with the APU cycle after the next: three or four CPU cycles after the write.
  void write(u8 value, bool is_get) {
    written = value & 0xC0;
    reset_delay = is_get ? 4 : 3;
    if (inhibited()) clear_irq();
  }

  // As if the last write had been repeated three cycles ago.
  void reset() {
    cycle = 0;
    reset_delay = 0;
    five_steps = written & 0x80;
    clear_irq();
  }

  bool irq_line() const { return irq_flag && !inhibited(); }
  void acknowledge() { clear_pending = irq_flag; }

  u16 cycle = 0;  // CPU cycles since the sequence began
  u8 written = 0;
  u8 reset_delay = 0;
  bool five_steps = false;
  bool irq_flag = false;
  bool clear_pending = false;

 private:
  static constexpr u16 kFirstStep = 7457;

  bool inhibited() const { return written & 0x40; }
  void clear_irq() { irq_flag = clear_pending = false; }

  // The flag is raised for three cycles running. With the IRQ inhibited it still shows for two of them, but does not
  // reach the CPU.
  Clocks at_step() {
    switch (cycle) {
      case kFirstStep:
      case 22371: return {true, false};
      case 14913: return {true, true};
      case 29828:
        NESPROOF_FAULT(frame_irq_a_cycle_late, break);
        if (!five_steps) irq_flag = true;
        break;
      case 29829:
        if (!five_steps) {
          irq_flag = true;
          return {true, true};
        }
        break;
      case 29830:
        if (!five_steps) {
          irq_flag = !inhibited();
          cycle = 0;
        }
        break;
      case 37281: return {true, true};
      case 37282: cycle = 0; break;
    }
    return {};
  }
};

}  // namespace nesproof::reference
