// The channels as views: fields that several channels have, by one name, so that their rules are written once.
#pragma once

#include "core/state.hpp"

namespace nesproof::core::apu {

// Indices of lazy_apu_channel_time; those below kDmc are bits of lazy_apu_length_waiting as well.
enum Channel : u32 { kPulse1, kPulse2, kTriangle, kNoise, kDmc };

// One piece of code serves both pulses: how far apart their fields lie is known when compiling.
#define NESPROOF_PULSE_FIELD(type, name)                                                                   \
  type& name() const {                                                                                     \
    constexpr u32 first = place_of(Field::apu_pulse1_##name), second = place_of(Field::apu_pulse2_##name); \
    return s.template at<type>(first + index * (second - first), 0);                                       \
  }

template <class S>
struct Pulse {
  S s;
  u32 index;  // kPulse1 or kPulse2

  u32 channel() const { return index; }
  u32& time() const { return s.lazy_apu_channel_time(index); }
  NESPROOF_PULSE_FIELD(u8, length)
  NESPROOF_PULSE_FIELD(u8, length_halt)
  NESPROOF_PULSE_FIELD(u8, length_reload)
  NESPROOF_PULSE_FIELD(u8, length_halt_written)
  NESPROOF_PULSE_FIELD(u8, enabled)
  NESPROOF_PULSE_FIELD(u8, envelope_period)
  NESPROOF_PULSE_FIELD(u8, envelope_divider)
  NESPROOF_PULSE_FIELD(u8, envelope_decay)
  NESPROOF_PULSE_FIELD(u8, envelope_constant)
  NESPROOF_PULSE_FIELD(u8, envelope_start)
  NESPROOF_PULSE_FIELD(u16, period)
  NESPROOF_PULSE_FIELD(u16, timer)
  NESPROOF_PULSE_FIELD(u8, duty)
  NESPROOF_PULSE_FIELD(u8, step)
  NESPROOF_PULSE_FIELD(u8, sweep_enabled)
  NESPROOF_PULSE_FIELD(u8, sweep_period)
  NESPROOF_PULSE_FIELD(u8, sweep_negate)
  NESPROOF_PULSE_FIELD(u8, sweep_shift)
  NESPROOF_PULSE_FIELD(u8, sweep_divider)
  NESPROOF_PULSE_FIELD(u8, sweep_reload)
};

#undef NESPROOF_PULSE_FIELD

#define NESPROOF_TRIANGLE_FIELD(type, name) \
  type& name() const { return s.apu_triangle_##name(); }

template <class S>
struct Triangle {
  S s;

  static constexpr u32 channel() { return kTriangle; }
  u32& time() const { return s.lazy_apu_channel_time(kTriangle); }
  NESPROOF_TRIANGLE_FIELD(u8, length)
  NESPROOF_TRIANGLE_FIELD(u8, length_halt)
  NESPROOF_TRIANGLE_FIELD(u8, length_reload)
  NESPROOF_TRIANGLE_FIELD(u8, length_halt_written)
  NESPROOF_TRIANGLE_FIELD(u8, enabled)
  NESPROOF_TRIANGLE_FIELD(u16, period)
  NESPROOF_TRIANGLE_FIELD(u16, timer)
  NESPROOF_TRIANGLE_FIELD(u8, step)
  NESPROOF_TRIANGLE_FIELD(u8, linear_period)
  NESPROOF_TRIANGLE_FIELD(u8, linear_count)
  NESPROOF_TRIANGLE_FIELD(u8, linear_reload)
};

#undef NESPROOF_TRIANGLE_FIELD

#define NESPROOF_NOISE_FIELD(type, name) \
  type& name() const { return s.apu_noise_##name(); }

template <class S>
struct Noise {
  S s;

  static constexpr u32 channel() { return kNoise; }
  u32& time() const { return s.lazy_apu_channel_time(kNoise); }
  NESPROOF_NOISE_FIELD(u8, length)
  NESPROOF_NOISE_FIELD(u8, length_halt)
  NESPROOF_NOISE_FIELD(u8, length_reload)
  NESPROOF_NOISE_FIELD(u8, length_halt_written)
  NESPROOF_NOISE_FIELD(u8, enabled)
  NESPROOF_NOISE_FIELD(u8, envelope_period)
  NESPROOF_NOISE_FIELD(u8, envelope_divider)
  NESPROOF_NOISE_FIELD(u8, envelope_decay)
  NESPROOF_NOISE_FIELD(u8, envelope_constant)
  NESPROOF_NOISE_FIELD(u8, envelope_start)
  NESPROOF_NOISE_FIELD(u16, timer)
  NESPROOF_NOISE_FIELD(u16, shifter)
  NESPROOF_NOISE_FIELD(u8, period_index)
  NESPROOF_NOISE_FIELD(u8, mode)
};

#undef NESPROOF_NOISE_FIELD

}  // namespace nesproof::core::apu
