// The sound unit, which nobody steps: https://www.nesdev.org/wiki/APU
//
// What a write changes is brought up to its cycle first, in closed form, and nothing else is. A channel's divider lags
// behind until its period changes (lazy_apu_channel_time); length counters, envelopes and sweeps change only at the
// frame counter's steps (lazy_apu_step), which are replayed one by one.
//
// `cycle` is that of the access; times never go back. Nobody may let apu_next_event pass without catching up there: a
// DMA request that is late is wrong. Accesses to $4010, $4015 and $4017, and a fill, move events.
#pragma once

#include "core/apu/dmc.hpp"
#include "core/apu/frame_counter.hpp"
#include "core/catch_up.hpp"

namespace nesproof::core {

// Channels may lag behind so far (2.3 s); times are modulo 2^32.
inline constexpr u32 kApuLongestLag = 1u << 22;

// The ARCH fields are as of the end of cycle `now`: a snapshot was loaded, or the console comes out of power-on.
template <class S>
void apu_settled(S s, u32 now) {
  s.lazy_apu_get_phase() = (s.apu_is_get() ? now : now + 1) & 1;
  for (u32 channel = 0; channel <= apu::kDmc; ++channel) s.lazy_apu_channel_time(channel) = now;
  s.lazy_apu_time() = s.lazy_apu_settled() = now;
  s.lazy_apu_length_write() = now;
  s.lazy_apu_length_waiting() = 0x0F;
  apu::predict_step(s);
}

// The cycle that the DMA unit's or the CPU's access is in decides what a write does.
template <class S>
bool apu_is_get(S s, u32 cycle) {
  return apu::is_get(s, cycle);
}

// Everything as of the end of cycle `now`.
template <class S>
void apu_settle(S s, u32 now) {
  using namespace apu;
  pass_steps(s, now);
  count_frame_cycles(s, now);
  const u32 waits = s.lazy_apu_length_write() == now ? s.lazy_apu_length_waiting() : 0u;
  if (!(waits >> kPulse1 & 1)) settle_length(Pulse1<S>{s});
  if (!(waits >> kPulse2 & 1)) settle_length(Pulse2<S>{s});
  if (!(waits >> kTriangle & 1)) settle_length(Triangle<S>{s});
  if (!(waits >> kNoise & 1)) settle_length(Noise<S>{s});
  catch_up_pulse(Pulse1<S>{s}, now);
  catch_up_pulse(Pulse2<S>{s}, now);
  catch_up_triangle(Triangle<S>{s}, now, triangle_moves(Triangle<S>{s}));
  catch_up_noise(Noise<S>{s}, now);
  catch_up_dmc(s, now);
  s.apu_is_get() = is_get(s, now);
  s.lazy_apu_settled() = now;
}

// At an event, what makes it come: the frame counter and the DMC. Looked at from outside, everything.
template <class S>
void apu_catch_up(S s, u32 cycle, CatchUp why) {
  if (why == CatchUp::Settle || cycle - s.lazy_apu_settled() >= kApuLongestLag) {
    apu_settle(s, cycle);
  } else {
    apu::pass_steps(s, cycle);
    apu::catch_up_dmc(s, cycle);
  }
}

// --- Accesses

// $4000-$4013, $4015, $4017; anything else is ignored.
template <class S>
void apu_write(S s, u32 address, u8 value, u32 cycle) {
  using namespace apu;
  pass_steps(s, cycle);
  switch (address) {
    case 0x4000:
    case 0x4001:
    case 0x4002:
    case 0x4003: write_pulse(Pulse1<S>{s}, address, value, cycle); break;
    case 0x4004:
    case 0x4005:
    case 0x4006:
    case 0x4007: write_pulse(Pulse2<S>{s}, address, value, cycle); break;
    case 0x4008:
    case 0x4009:
    case 0x400A:
    case 0x400B: write_triangle(Triangle<S>{s}, address, value, cycle); break;
    case 0x400C:
    case 0x400D:
    case 0x400E:
    case 0x400F: write_noise(Noise<S>{s}, address, value, cycle); break;
    case 0x4010:
    case 0x4011:
    case 0x4012:
    case 0x4013: write_dmc(s, address, value, cycle); break;
    case 0x4015:
      enable_length(Pulse1<S>{s}, value & 0x01);
      enable_length(Pulse2<S>{s}, value & 0x02);
      enable_triangle(Triangle<S>{s}, value & 0x04, cycle);
      enable_length(Noise<S>{s}, value & 0x08);
      enable_dmc(s, value & 0x10, cycle);
      break;
    case 0x4017: write_frame_counter(s, value, cycle); break;
  }
}

// $4015, but for what is left to catch up: DMC IRQ 80, frame IRQ 40, DMC playing 10, then noise, triangle, pulses.
template <class S>
u8 apu_peek_status(S s) {
  using namespace apu;
  return static_cast<u8>((s.apu_pulse1_length() > 0) | (s.apu_pulse2_length() > 0) << 1 |
                         (s.apu_triangle_length() > 0) << 2 | (s.apu_noise_length() > 0) << 3 |
                         (s.apu_dmc_bytes_remaining() > 0) << 4 | s.apu_frame_irq() << 6 | s.apu_dmc_irq() << 7);
}

// The CPU reads $4015, which acknowledges the frame counter's IRQ. Bit 5 is not driven.
template <class S>
u8 apu_read_status(S s, u32 cycle) {
  using namespace apu;
  pass_steps(s, cycle);
  settle_length(Pulse1<S>{s});
  settle_length(Pulse2<S>{s});
  settle_length(Triangle<S>{s});
  settle_length(Noise<S>{s});
  if (s.apu_dmc_stop_delay() > 0) catch_up_dmc(s, cycle);
  const u8 value = apu_peek_status(s);
  acknowledge_frame_irq(s, cycle);
  return value;
}

// The DMA unit's get, in a get cycle; it has taken its request back before.
template <class S>
void apu_dmc_fill(S s, u8 value, u32 cycle) {
  apu::fill_dmc(s, value, cycle);
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
  const u32 latest = s.lazy_apu_settled() + kApuLongestLag;
  const u32 frame = apu::frame_irq_event(s, latest);
  const u32 dmc = apu::dmc_event(s, latest);
  const u32 first = since(frame, dmc) < 0 ? frame : dmc;
  return since(first, latest) < 0 ? first : latest;
}

// --- Power and reset

// On a settled console. Reset silences the channels and writes the last $4017 again, as if three cycles ago; it takes
// the halt flags of pulses and noise back, so that their length counters run. The other registers stay.
template <class S>
void apu_reset(S s) {
  const u32 now = s.lazy_apu_time();
  apu_write(s, 0x4015, 0x00, now);
  s.apu_pulse1_length_halt_written() = s.apu_pulse2_length_halt_written() = s.apu_noise_length_halt_written() = 0;
  s.apu_frame_cycle() = 0;
  s.apu_frame_reset_delay() = 0;
  s.apu_frame_five_steps() = s.apu_frame_written() >> 7;
  apu::clear_frame_irq(s);
  s.apu_dmc_level() &= 1;
  s.apu_triangle_step() = 0;
  apu_settled(s, now);
}

namespace apu {
constexpr bool is_apu_field(const char* name) {
  return name[0] == 'a' && name[1] == 'p' && name[2] == 'u' && name[3] == '_';
}
}  // namespace apu

// As if $00 had been written to $4017 three cycles before the reset sequence:
// https://www.nesdev.org/wiki/CPU_power_up_state. No cycle has passed.
template <class S>
void apu_power_on(S s) {
#define FIELD(name, type, count, unit, class_, max) \
  if constexpr (apu::is_apu_field(#name)) s.name() = 0;
#include "state/architecture.def"
#undef FIELD
  s.apu_noise_shifter() = 1;
  s.apu_dmc_address() = 0xC000;
  s.apu_dmc_timer() = apu::kDmcPeriods[0] - 1;
  s.apu_dmc_bits_remaining() = 8;
  s.apu_dmc_silent() = 1;
  apu_settled(s, 0);
  apu_reset(s);
}

}  // namespace nesproof::core
