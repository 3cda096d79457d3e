#include "reference/apu/apu.hpp"

#include "faults/hooks.hpp"

namespace nesproof::reference {

// As if $00 had been written to $4017 three cycles before the reset sequence:
// https://www.nesdev.org/wiki/CPU_power_up_state
void Apu::power_on() {
  *this = Apu();
  reset();
  NESPROOF_FAULT(noise_seeded_by_chance, noise_.shifter = reinterpret_cast<std::uintptr_t>(this) >> 12 & 0x7FFF);
}

// Reset silences the channels and writes the last $4017 again; it takes the halt flags of pulses and noise back, so
// that their length counters run. The other registers stay.
void Apu::reset() {
  write(0x4015, 0x00);
  for (LengthCounter* length : {&pulse1_.length, &pulse2_.length, &noise_.length}) length->halt_written = false;
  frame_counter_.reset();
  dmc_.level &= 1;
  triangle_.step = 0;
}

void Apu::settle_length_counters() {
  length_written_ = false;
  pulse1_.length.settle();
  pulse2_.length.settle();
  triangle_.length.settle();
  noise_.length.settle();
}

void Apu::clock_frame(FrameCounter::Clocks clocks) {
  pulse1_.clock_quarter_frame();
  pulse2_.clock_quarter_frame();
  triangle_.clock_quarter_frame();
  noise_.clock_quarter_frame();
  if (!clocks.half) return;
  pulse1_.clock_half_frame();
  pulse2_.clock_half_frame();
  triangle_.clock_half_frame();
  noise_.clock_half_frame();
}

void Apu::write(u16 address, u8 value) {
  length_written_ = true;
  switch (address) {
    case 0x4000:
    case 0x4001:
    case 0x4002:
    case 0x4003: pulse1_.write(address, value); break;
    case 0x4004:
    case 0x4005:
    case 0x4006:
    case 0x4007: pulse2_.write(address, value); break;
    case 0x4008:
    case 0x4009:
    case 0x400A:
    case 0x400B: triangle_.write(address, value); break;
    case 0x400C:
    case 0x400D:
    case 0x400E:
    case 0x400F: noise_.write(address, value); break;
    case 0x4010:
    case 0x4011:
    case 0x4012:
    case 0x4013: dmc_.write(address, value); break;
    case 0x4015:
      pulse1_.length.enable(value & 0x01);
      pulse2_.length.enable(value & 0x02);
      triangle_.length.enable(value & 0x04);
      noise_.length.enable(value & 0x08);
      dmc_.enable(value & 0x10, is_get_);
      break;
    case 0x4017: frame_counter_.write(value, is_get_); break;
  }
}

u8 Apu::status() const {
  return static_cast<u8>((pulse1_.length.count > 0 ? 0x01 : 0) | (pulse2_.length.count > 0 ? 0x02 : 0) |
                         (triangle_.length.count > 0 ? 0x04 : 0) | (noise_.length.count > 0 ? 0x08 : 0) |
                         (dmc_.playing() ? 0x10 : 0) | (frame_counter_.irq_flag ? 0x40 : 0) |
                         (dmc_.irq_flag ? 0x80 : 0));
}

}  // namespace nesproof::reference
