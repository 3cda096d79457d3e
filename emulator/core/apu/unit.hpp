// The sound unit as a whole: what its accesses, its power-on and a look from outside come to, channel by channel.
#pragma once

#include "core/apu/dmc.hpp"
#include "core/apu/frame_counter.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core::apu {

// Channels may lag behind so far (2.3 s); times are modulo 2^32.
inline constexpr u32 kLongestLag = 1u << 22;

template <class S>
void forget_lag(S s, u32 now) {
  s.lazy_apu_get_phase() = (s.apu_is_get() ? now : now + 1) & 1;
  for (u32 channel = 0; channel <= kDmc; ++channel) s.lazy_apu_channel_time(channel) = now;
  s.lazy_apu_time() = s.lazy_apu_settled() = now;
  s.lazy_apu_length_write() = now;
  s.lazy_apu_length_waiting() = 0x0F;
  predict_step(s);
}

template <class S>
__attribute__((noinline)) void settle_unit(S s, u32 now) {
  pass_steps(s, now);
  count_frame_cycles(s, now);
  const u32 waits = s.lazy_apu_length_write() == now ? s.lazy_apu_length_waiting() : 0u;
  for (u32 pulse = kPulse1; pulse <= kPulse2; ++pulse) {
    if (!(waits >> pulse & 1)) settle_length(Pulse<S>{s, pulse});
    catch_up_pulse(Pulse<S>{s, pulse}, now);
  }
  if (!(waits >> kTriangle & 1)) settle_length(Triangle<S>{s});
  if (!(waits >> kNoise & 1)) settle_length(Noise<S>{s});
  catch_up_triangle(Triangle<S>{s}, now, triangle_moves(Triangle<S>{s}));
  catch_up_noise(Noise<S>{s}, now);
  catch_up_dmc(s, now);
  s.apu_is_get() = is_get(s, now);
  s.lazy_apu_settled() = now;
}

// --- Accesses

template <class S>
void write_enables(S s, u8 value, u32 cycle) {
  enable_length(Pulse<S>{s, kPulse1}, value & 0x01);
  enable_length(Pulse<S>{s, kPulse2}, value & 0x02);
  enable_triangle(Triangle<S>{s}, value & 0x04, cycle);
  enable_length(Noise<S>{s}, value & 0x08);
  enable_dmc(s, value & 0x10, cycle);
}

template <class S>
__attribute__((noinline)) void write_register(S s, u32 address, u8 value, u32 cycle) {
  pass_steps(s, cycle);
  switch (address) {
    case 0x4000:
    case 0x4001:
    case 0x4002:
    case 0x4003:
    case 0x4004:
    case 0x4005:
    case 0x4006:
    case 0x4007: write_pulse(Pulse<S>{s, address >> 2 & 1}, address, value, cycle); break;
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
    case 0x4015: write_enables(s, value, cycle); break;
    case 0x4017: write_frame_counter(s, value, cycle); break;
  }
}

// $4015 as the fields say: DMC IRQ 80, frame IRQ 40, DMC playing 10, then noise, triangle, pulse 2, pulse 1.
template <class S>
u8 status_bits(S s) {
  return static_cast<u8>((s.apu_pulse1_length() > 0) | (s.apu_pulse2_length() > 0) << 1 |
                         (s.apu_triangle_length() > 0) << 2 | (s.apu_noise_length() > 0) << 3 |
                         (s.apu_dmc_bytes_remaining() > 0) << 4 | s.apu_frame_irq() << 6 | s.apu_dmc_irq() << 7);
}

template <class S>
__attribute__((noinline)) u8 read_status(S s, u32 cycle) {
  pass_steps(s, cycle);
  settle_length(Pulse<S>{s, kPulse1});
  settle_length(Pulse<S>{s, kPulse2});
  settle_length(Triangle<S>{s});
  settle_length(Noise<S>{s});
  if (s.apu_dmc_stop_delay() > 0) catch_up_dmc(s, cycle);
  const u8 value = status_bits(s);
  acknowledge_frame_irq(s, cycle);
  return value;
}

// --- Power and reset

// Reset silences the channels and writes the last $4017 again, as if three cycles ago; it takes the halt flags of
// pulses and noise back, so that their length counters run. The other registers stay.
template <class S>
void reset_unit(S s) {
  const u32 now = s.lazy_apu_time();
  write_enables(s, 0x00, now);
  s.apu_pulse1_length_halt_written() = s.apu_pulse2_length_halt_written() = s.apu_noise_length_halt_written() = 0;
  s.apu_frame_cycle() = 0;
  s.apu_frame_reset_delay() = 0;
  s.apu_frame_five_steps() = s.apu_frame_written() >> 7;
  clear_frame_irq(s);
  s.apu_dmc_level() &= 1;
  s.apu_triangle_step() = 0;
  forget_lag(s, now);
}

constexpr bool is_apu_field(const char* name) {
  return name[0] == 'a' && name[1] == 'p' && name[2] == 'u' && name[3] == '_';
}

template <class S>
void power_on_unit(S s) {
#define FIELD(name, type, count, unit, class_, max) \
  if constexpr (is_apu_field(#name)) s.name() = 0;
#include "state/architecture.def"
#undef FIELD
  s.apu_noise_shifter() = 1;
  NESPROOF_FAULT(noise_seeded_by_chance,
                 s.apu_noise_shifter() = reinterpret_cast<u64>(&s.apu_noise_shifter()) >> 12 & 0x7FFF);
  s.apu_dmc_address() = 0xC000;
  s.apu_dmc_timer() = kDmcPeriods[0] - 1;
  s.apu_dmc_bits_remaining() = 8;
  s.apu_dmc_silent() = 1;
  forget_lag(s, 0);
  reset_unit(s);
}

}  // namespace nesproof::core::apu
