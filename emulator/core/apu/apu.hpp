// The sound unit, which nobody steps: https://www.nesdev.org/wiki/APU
//
// What a write changes is brought up to its cycle first, in closed form, and nothing else is. A channel's divider lags
// behind until its period changes (lazy_apu_channel_time); length counters, envelopes and sweeps change only at the
// frame counter's steps (lazy_apu_step), which are replayed one by one.
//
//   clock.hpp          get and put cycles, dividers
//   channels.hpp       the channels' fields
//   length.hpp         length counters, envelopes
//   pulse.hpp, triangle.hpp, noise.hpp (with lfsr.hpp), dmc.hpp
//   frame_counter.hpp  steps, and the frame IRQ
//   unit.hpp           all of them together
//
// `cycle` is that of the access; times never go back. Nobody may let apu_next_event pass without catching up there: a
// DMA request that is late is wrong. Accesses to $4010, $4015 and $4017, and a fill, move events and the IRQ line.
#pragma once

#include "core/apu/unit.hpp"
#include "core/catch_up.hpp"

namespace nesproof::core {

namespace apu {
// All that this room needs of a console: fields. They travel in registers.
template <class Layout>
View<Layout> fields_of(const View<Layout>& s) {
  return s;
}
}  // namespace apu

// --- Power and reset

// As if $00 had been written to $4017 three cycles before the reset sequence:
// https://www.nesdev.org/wiki/CPU_power_up_state. No cycle has passed.
template <class S>
void apu_power_on(S s) {
  apu::power_on_unit(apu::fields_of(s));
}

// On a settled console.
template <class S>
void apu_reset(S s) {
  apu::reset_unit(apu::fields_of(s));
}

// --- Time

// The ARCH fields are as of the end of cycle `now`: a snapshot was loaded, or the cycles are counted anew.
template <class S>
void apu_settled(S s, u32 now) {
  if (s.apu_dmc_bits_remaining() == 0) s.apu_dmc_bits_remaining() = 8;  // of a snapshot that nobody saved
  apu::forget_lag(apu::fields_of(s), now);
}

// At an event, what makes it come: the frame counter and the DMC. Looked at from outside, everything.
template <class S>
void apu_catch_up(S s, u32 cycle, CatchUp why) {
  const auto fields = apu::fields_of(s);
  if (why == CatchUp::Settle || cycle - fields.lazy_apu_settled() >= apu::kLongestLag) {
    apu::settle_unit(fields, cycle);
  } else {
    apu::pass_steps(fields, cycle);
    apu::catch_up_dmc(fields, cycle);
  }
}

// Whether DMA may read in this cycle.
template <class S>
bool apu_is_get(S s, u32 cycle) {
  return apu::is_get(s, cycle);
}

// --- Accesses

// $4000-$4013, $4015, $4017; anything else is ignored.
template <class S>
void apu_write(S s, u32 address, u8 value, u32 cycle) {
  apu::write_register(apu::fields_of(s), address, value, cycle);
}

// The CPU reads $4015, which acknowledges the frame counter's IRQ. Bit 5 is not driven.
template <class S>
u8 apu_read_status(S s, u32 cycle) {
  return apu::read_status(apu::fields_of(s), cycle);
}

// The same without effect, on a settled console.
template <class S>
u8 apu_peek_status(S s) {
  return apu::status_bits(s);
}

// The DMA unit's get, in a get cycle. It has taken its request back before; here it may be made anew.
template <class S>
void apu_dmc_fill(S s, u8 value, u32 cycle) {
  apu::fill_dmc(apu::fields_of(s), value, cycle);
}

// --- Lines and events

// Level, as long as no event has been passed.
template <class S>
bool apu_irq_line(S s) {
  return apu::frame_irq_line(s) || s.apu_dmc_irq();
}

// No cycle before changes the IRQ line, or raises or withdraws a DMC DMA request, by itself.
template <class S>
u32 apu_next_event(S s) {
  const auto fields = apu::fields_of(s);
  const u32 latest = fields.lazy_apu_settled() + apu::kLongestLag;
  const u32 frame = apu::frame_irq_event(fields, latest);
  const u32 dmc = apu::dmc_event(fields, latest);
  const u32 first = since(frame, dmc) < 0 ? frame : dmc;
  return since(first, latest) < 0 ? first : latest;
}

}  // namespace nesproof::core
