// The sound unit's fields of architecture.def.
#pragma once

#include "reference/apu/apu.hpp"

namespace nesproof::reference {

template <class V>
void Apu::visit(V& v) {
  namespace f = state::fields;
  v(f::apu_is_get, is_get_);

  v(f::apu_frame_cycle, frame_counter_.cycle);
  v(f::apu_frame_written, frame_counter_.written);
  v(f::apu_frame_reset_delay, frame_counter_.reset_delay);
  v(f::apu_frame_five_steps, frame_counter_.five_steps);
  v(f::apu_frame_irq, frame_counter_.irq_flag);
  v(f::apu_frame_irq_clear_pending, frame_counter_.clear_pending);

#define PULSE(name, pulse)                                           \
  v(f::apu_##name##_length, pulse.length.count);                     \
  v(f::apu_##name##_length_halt, pulse.length.halt);                 \
  v(f::apu_##name##_length_reload, pulse.length.reload);             \
  v(f::apu_##name##_length_halt_written, pulse.length.halt_written); \
  v(f::apu_##name##_enabled, pulse.length.enabled);                  \
  v(f::apu_##name##_envelope_period, pulse.envelope.period);         \
  v(f::apu_##name##_envelope_divider, pulse.envelope.divider);       \
  v(f::apu_##name##_envelope_decay, pulse.envelope.decay);           \
  v(f::apu_##name##_envelope_constant, pulse.envelope.constant);     \
  v(f::apu_##name##_envelope_start, pulse.envelope.start);           \
  v(f::apu_##name##_period, pulse.period);                           \
  v(f::apu_##name##_timer, pulse.timer);                             \
  v(f::apu_##name##_duty, pulse.duty);                               \
  v(f::apu_##name##_step, pulse.step);                               \
  v(f::apu_##name##_sweep_enabled, pulse.sweep_enabled);             \
  v(f::apu_##name##_sweep_period, pulse.sweep_period);               \
  v(f::apu_##name##_sweep_negate, pulse.sweep_negate);               \
  v(f::apu_##name##_sweep_shift, pulse.sweep_shift);                 \
  v(f::apu_##name##_sweep_divider, pulse.sweep_divider);             \
  v(f::apu_##name##_sweep_reload, pulse.sweep_reload);
  PULSE(pulse1, pulse1_)
  PULSE(pulse2, pulse2_)
#undef PULSE

  v(f::apu_triangle_length, triangle_.length.count);
  v(f::apu_triangle_length_halt, triangle_.length.halt);
  v(f::apu_triangle_length_reload, triangle_.length.reload);
  v(f::apu_triangle_length_halt_written, triangle_.length.halt_written);
  v(f::apu_triangle_enabled, triangle_.length.enabled);
  v(f::apu_triangle_period, triangle_.period);
  v(f::apu_triangle_timer, triangle_.timer);
  v(f::apu_triangle_step, triangle_.step);
  v(f::apu_triangle_linear_period, triangle_.linear_period);
  v(f::apu_triangle_linear_count, triangle_.linear_count);
  v(f::apu_triangle_linear_reload, triangle_.linear_reload);

  v(f::apu_noise_length, noise_.length.count);
  v(f::apu_noise_length_halt, noise_.length.halt);
  v(f::apu_noise_length_reload, noise_.length.reload);
  v(f::apu_noise_length_halt_written, noise_.length.halt_written);
  v(f::apu_noise_enabled, noise_.length.enabled);
  v(f::apu_noise_envelope_period, noise_.envelope.period);
  v(f::apu_noise_envelope_divider, noise_.envelope.divider);
  v(f::apu_noise_envelope_decay, noise_.envelope.decay);
  v(f::apu_noise_envelope_constant, noise_.envelope.constant);
  v(f::apu_noise_envelope_start, noise_.envelope.start);
  v(f::apu_noise_timer, noise_.timer);
  v(f::apu_noise_shifter, noise_.shifter);
  v(f::apu_noise_period_index, noise_.period_index);
  v(f::apu_noise_mode, noise_.mode);

  v(f::apu_dmc_address, dmc_.address);
  v(f::apu_dmc_bytes_remaining, dmc_.bytes_remaining);
  v(f::apu_dmc_address_register, dmc_.address_register);
  v(f::apu_dmc_length_register, dmc_.length_register);
  v(f::apu_dmc_rate_index, dmc_.rate_index);
  v(f::apu_dmc_timer, dmc_.timer);
  v(f::apu_dmc_level, dmc_.level);
  v(f::apu_dmc_buffer, dmc_.buffer);
  v(f::apu_dmc_buffer_full, dmc_.buffer_full);
  v(f::apu_dmc_shifter, dmc_.shifter);
  v(f::apu_dmc_bits_remaining, dmc_.bits_remaining);
  v(f::apu_dmc_silent, dmc_.silent);
  v(f::apu_dmc_loop, dmc_.loop);
  v(f::apu_dmc_irq_enabled, dmc_.irq_enabled);
  v(f::apu_dmc_irq, dmc_.irq_flag);
  v(f::apu_dmc_load_delay, dmc_.load_delay);
  v(f::apu_dmc_stop_delay, dmc_.stop_delay);
}

}  // namespace nesproof::reference
