// Two standard controllers: https://www.nesdev.org/wiki/Standard_controller
//
// Each is a 4021 shift register. While the strobe is high it follows the buttons; a read puts its first bit on the bus
// and moves it on when the read ends. Reads in adjacent cycles look like one, since the output enable stays low between
// them (as on the NES-001 and the AV Famicom).
#pragma once

#include <array>

#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

class Controllers {
 public:
  void power_on() { *this = Controllers(); }

  // A 01, B 02, Select 04, Start 08, Up 10, Down 20, Left 40, Right 80.
  void set_buttons(u8 first, u8 second) { buttons_ = {first, second}; }

  // $4016. The latch reaches the pins when the next put cycle begins.
  void write(u8 value) { latch_ = value & 7; }

  // Once a CPU cycle, before the CPU's access.
  void begin_cycle(bool is_get) {
    enabled_before_ = enabled_;
    enabled_ = 0;
    if (!is_get) {
      strobe_ = latch_ & 1;
      if (strobe_) shift_ = buttons_;
    }
  }

  // $4016 + port: bit 0. The bus adds what nothing drives.
  u8 read(unsigned port) {
    const u8 mask = static_cast<u8>(1u << port);
    enabled_ |= mask;
    if (!(enabled_before_ & mask)) {
      output_[port] = shift_[port] & 1;
      shift_[port] = static_cast<u8>(shift_[port] >> 1 | 0x80);
    }
    return output_[port];
  }
  u8 peek(unsigned port) const { return shift_[port] & 1; }

  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    v(f::controller_buttons, buttons_);
    v(f::controller_shift, shift_);
    v(f::controller_output, output_);
    v(f::controller_latch, latch_);
    v(f::controller_strobe, strobe_);
    v(f::controller_enabled, enabled_);
  }

 private:
  std::array<u8, 2> buttons_{};
  std::array<u8, 2> shift_{};
  std::array<u8, 2> output_{};
  u8 latch_ = 0;
  bool strobe_ = false;
  u8 enabled_ = 0;         // ports read in this cycle, a bit each
  u8 enabled_before_ = 0;  // and in the one before; not state, since every cycle begins by setting it
};

}  // namespace nesproof::reference
