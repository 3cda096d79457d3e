// Two standard controllers, looked at only when somebody does: https://www.nesdev.org/wiki/Standard_controller
//
// Each is a shift register. The strobe takes the latch's bit 0 at each put cycle and, while it is high, keeps the
// registers filled with the buttons; so that of any number of cycles in which nobody touches the ports, one put cycle
// counts. Reads in adjacent cycles are one to the register, since the output enable stays low between them.
#pragma once

#include "core/apu/apu.hpp"
#include "core/system.hpp"

namespace nesproof::core {

// Up to the start of cycle `cycle`'s access. Returns the ports that were read in the cycle before.
template <class S>
u32 controllers_catch_up(S s, u32 cycle) {
  const u32 passed = cycle - s.lazy_controller_time();
  if (passed == 0) return 0;
  s.lazy_controller_time() = cycle;
  if (passed > 1 || !apu_is_get(s, cycle)) {
    s.controller_strobe() = s.controller_latch() & 1;
    if (s.controller_strobe() != 0) {
      s.controller_shift(0) = s.controller_buttons(0);
      s.controller_shift(1) = s.controller_buttons(1);
    }
  }
  const u32 enabled_before = passed == 1 ? s.controller_enabled() : 0u;
  s.controller_enabled() = 0;
  return enabled_before;
}

// $4016 + port in cycle `cycle`: bit 0. The bus adds what nothing drives.
template <class S>
u32 controller_read(S s, u32 port, u32 cycle) {
  const u32 enabled_before = controllers_catch_up(s, cycle);
  const u32 mask = 1u << port;
  s.controller_enabled() = static_cast<u8>(s.controller_enabled() | mask);
  if ((enabled_before & mask) == 0) {
    const u32 shift = s.controller_shift(port);
    s.controller_output(port) = shift & 1;
    s.controller_shift(port) = static_cast<u8>(shift >> 1 | 0x80);
  }
  return s.controller_output(port);
}

template <class S>
void controllers_write(S s, u32 value, u32 cycle) {
  controllers_catch_up(s, cycle);
  s.controller_latch() = value & 7;
}

template <class S>
void controllers_set_buttons(S s, u32 first, u32 second, u32 now) {
  controllers_catch_up(s, now);
  s.controller_buttons(0) = static_cast<u8>(first);
  s.controller_buttons(1) = static_cast<u8>(second);
}

template <class S>
void controllers_settled(S s, u32 now) {
  s.lazy_controller_time() = now;
}

template <class S>
void controllers_power_on(S s) {
  for (u32 port = 0; port < 2; ++port) {
    s.controller_buttons(port) = 0;
    s.controller_shift(port) = 0;
    s.controller_output(port) = 0;
  }
  s.controller_latch() = 0;
  s.controller_strobe() = 0;
  s.controller_enabled() = 0;
}

}  // namespace nesproof::core
