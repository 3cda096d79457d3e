// The IRQ of an MMC3: a counter that is clocked by rises of the PPU's A12.
// https://www.nesdev.org/wiki/MMC3#IRQ_Specifics
//
//   $C000  the latch, from which the counter is reloaded
//   $C001  the counter is 0 at once, and reloaded with the next clock
//   $E000  no IRQ, and none from now on
//   $E001  an IRQ when the counter gets to 0
//
// A12 is bit 12 of the address on the PPU's bus, rendering or not. It goes through a filter: a rise counts if A12 was
// low when M2 fell the last three times or more. So eight sprites whose patterns come from $1000 count as one.
//
// Chips made by Sharp ask for an IRQ whenever a clock leaves the counter at 0, those made by NEC only if it got there
// from another number, or was made 0 by $C001. UNVERIFIED and not here: what is reported of Sharp's chips where $C001
// is written twice within a few clocks; N-K's test program for it on a console would tell.
#pragma once

#include "reference/board/board.hpp"

namespace nesproof::reference {

class Mmc3Irq {
 public:
  Mmc3Irq(BoardRegisters& registers, bool& line, bool is_nec) : r_(registers), line_(line), is_nec_(is_nec) {}

  void set_latch(u8 value) {
    NESPROOF_FAULT(mmc3_irq_a_line_late, if (value != 0xFF)++ value);
    r_.irq_latch = value;
  }
  void reload() {
    r_.irq_counter = 0;
    r_.irq_reload = true;
  }
  void disable() { r_.irq_enabled = line_ = false; }
  void enable() { r_.irq_enabled = true; }

  void ppu_address(u16 address) {
    const bool was_high = a12_;
    a12_ = is_high(address);
    if (!a12_ || was_high) return;
    NESPROOF_FAULT(mmc3_a12_unfiltered, r_.a12_low_cycles = kFilterCycles);
    if (r_.a12_low_cycles == kFilterCycles) clock();
    r_.a12_low_cycles = 0;
  }
  void m2_falls() {
    if (!a12_ && r_.a12_low_cycles < kFilterCycles) ++r_.a12_low_cycles;
  }

  void restored(u16 ppu_address) {
    a12_ = is_high(ppu_address);
    if (a12_) r_.a12_low_cycles = 0;
  }

 private:
  static constexpr u8 kFilterCycles = 3;

  static bool is_high(u16 ppu_address) { return ppu_address & 0x1000; }

  void clock() {
    const bool got_there = r_.irq_counter != 0 || r_.irq_reload;
    if (r_.irq_counter == 0 || r_.irq_reload) {
      r_.irq_counter = r_.irq_latch;
    } else {
      --r_.irq_counter;
    }
    r_.irq_reload = false;
    bool is_nec = is_nec_;
    NESPROOF_FAULT(mmc3_revisions_mixed_up, is_nec = !is_nec);
    if (r_.irq_counter == 0 && r_.irq_enabled && (got_there || !is_nec)) line_ = true;
  }

  BoardRegisters& r_;
  bool& line_;
  const bool is_nec_;
  bool a12_ = false;  // follows from the PPU's address bus
};

}  // namespace nesproof::reference
