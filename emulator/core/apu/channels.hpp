// The channels as views: fields that several channels have, by one name, so that their rules are written once.
#pragma once

#include "core/types.hpp"

namespace nesproof::core::apu {

// Indices of lazy_apu_channel_time; those below kDmc are bits of lazy_apu_length_waiting as well.
enum Channel : u32 { kPulse1, kPulse2, kTriangle, kNoise, kDmc };

#define NESPROOF_APU_FIELD(channel, type, name) \
  type& name() const { return s.apu_##channel##_##name(); }

#define NESPROOF_APU_COMMON(channel)                              \
  S s;                                                            \
  u32& time() const { return s.lazy_apu_channel_time(kChannel); } \
  NESPROOF_APU_FIELD(channel, u8, length)                         \
  NESPROOF_APU_FIELD(channel, u8, length_halt)                    \
  NESPROOF_APU_FIELD(channel, u8, length_reload)                  \
  NESPROOF_APU_FIELD(channel, u8, length_halt_written)            \
  NESPROOF_APU_FIELD(channel, u8, enabled)                        \
  NESPROOF_APU_FIELD(channel, u16, timer)

#define NESPROOF_APU_ENVELOPE(channel)               \
  NESPROOF_APU_FIELD(channel, u8, envelope_period)   \
  NESPROOF_APU_FIELD(channel, u8, envelope_divider)  \
  NESPROOF_APU_FIELD(channel, u8, envelope_decay)    \
  NESPROOF_APU_FIELD(channel, u8, envelope_constant) \
  NESPROOF_APU_FIELD(channel, u8, envelope_start)

#define NESPROOF_APU_PULSE(channel)              \
  NESPROOF_APU_COMMON(channel)                   \
  NESPROOF_APU_ENVELOPE(channel)                 \
  NESPROOF_APU_FIELD(channel, u16, period)       \
  NESPROOF_APU_FIELD(channel, u8, duty)          \
  NESPROOF_APU_FIELD(channel, u8, step)          \
  NESPROOF_APU_FIELD(channel, u8, sweep_enabled) \
  NESPROOF_APU_FIELD(channel, u8, sweep_period)  \
  NESPROOF_APU_FIELD(channel, u8, sweep_negate)  \
  NESPROOF_APU_FIELD(channel, u8, sweep_shift)   \
  NESPROOF_APU_FIELD(channel, u8, sweep_divider) \
  NESPROOF_APU_FIELD(channel, u8, sweep_reload)

// Pulse 1 subtracts with ones' complement, pulse 2 with two's.
template <class S>
struct Pulse1 {
  static constexpr Channel kChannel = kPulse1;
  static constexpr u32 kNegateBorrow = 1;
  NESPROOF_APU_PULSE(pulse1)
};

template <class S>
struct Pulse2 {
  static constexpr Channel kChannel = kPulse2;
  static constexpr u32 kNegateBorrow = 0;
  NESPROOF_APU_PULSE(pulse2)
};

template <class S>
struct Triangle {
  static constexpr Channel kChannel = kTriangle;
  NESPROOF_APU_COMMON(triangle)
  NESPROOF_APU_FIELD(triangle, u16, period)
  NESPROOF_APU_FIELD(triangle, u8, step)
  NESPROOF_APU_FIELD(triangle, u8, linear_period)
  NESPROOF_APU_FIELD(triangle, u8, linear_count)
  NESPROOF_APU_FIELD(triangle, u8, linear_reload)
};

template <class S>
struct Noise {
  static constexpr Channel kChannel = kNoise;
  NESPROOF_APU_COMMON(noise)
  NESPROOF_APU_ENVELOPE(noise)
  NESPROOF_APU_FIELD(noise, u16, shifter)
  NESPROOF_APU_FIELD(noise, u8, period_index)
  NESPROOF_APU_FIELD(noise, u8, mode)
};

#undef NESPROOF_APU_PULSE
#undef NESPROOF_APU_ENVELOPE
#undef NESPROOF_APU_COMMON
#undef NESPROOF_APU_FIELD

}  // namespace nesproof::core::apu
