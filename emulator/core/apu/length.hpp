// Length counters and envelopes: https://www.nesdev.org/wiki/APU_Length_Counter,
// https://www.nesdev.org/wiki/APU_Envelope
//
// A write to a length counter or its halt flag waits in `length_reload` and `length_halt_written` for the next cycle,
// where the frame counter's clock goes first. Here it waits longer, until the next clock or write, or until somebody
// looks: nothing between can tell. What a clock in the very next cycle must not see is kept in lazy_apu_length_write
// and lazy_apu_length_waiting: the cycle of the last write, and whose it was.
#pragma once

#include "core/apu/channels.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core::apu {

inline constexpr u8 kLengths[32] = {10, 254, 20, 2,  40, 4,  80, 6,  160, 8,  60, 10, 14, 12, 26, 14,
                                    12, 16,  24, 18, 48, 20, 96, 22, 192, 24, 72, 26, 16, 28, 32, 30};

// What waits takes effect. Once or twice is the same.
template <class C>
void settle_length(C c) {
  if (c.length_reload() != 0) c.length() = c.length_reload();
  c.length_reload() = 0;
  c.length_halt() = c.length_halt_written();
}

// A write is about to come in `cycle`: what waited until then has taken effect, and the new one waits.
template <class C>
void begin_length_write(C c, u32 cycle) {
  settle_length(c);
  c.s.lazy_apu_length_write() = cycle;
  c.s.lazy_apu_length_waiting() = static_cast<u8>(1u << c.channel());
}

template <class C>
void load_length(C c, u8 index) {
  if (c.enabled()) c.length_reload() = kLengths[index];
}

template <class C>
void enable_length(C c, bool on) {
  c.enabled() = on;
  if (!on) c.length() = c.length_reload() = 0;
}

// Whether the channel's length counter runs, whatever still waits for having waited long enough.
template <class C>
bool length_runs(C c) {
  return (c.length() | c.length_reload()) != 0;
}

// Half frame. A reload that waits is lost if the clock counts down.
template <class C>
void clock_length(C c) {
  NESPROOF_FAULT(length_counters_stand, return);
  if (c.length_halt() || c.length() == 0) return;
  c.length()--;
  c.length_reload() = 0;
}

// Quarter frame. The length counter's halt flag makes the decay loop.
template <class C>
void clock_envelope(C c) {
  if (c.envelope_start()) {
    c.envelope_start() = 0;
    c.envelope_decay() = 15;
    c.envelope_divider() = c.envelope_period();
    return;
  }
  if (c.envelope_divider() > 0) {
    c.envelope_divider()--;
    return;
  }
  c.envelope_divider() = c.envelope_period();
  if (c.envelope_decay() > 0) {
    c.envelope_decay()--;
  } else if (c.length_halt()) {
    c.envelope_decay() = 15;
  }
}

}  // namespace nesproof::core::apu
