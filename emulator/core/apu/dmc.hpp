// Plays 1-bit delta samples from memory: https://www.nesdev.org/wiki/APU_DMC, https://www.nesdev.org/wiki/DMA
//
//   $4010  IL-- RRRR  IRQ enable, loop, rate index
//   $4011  -DDD DDDD  output level
//   $4012  AAAA AAAA  sample address = $C000 + A * 64
//   $4013  LLLL LLLL  sample length = L * 16 + 1 bytes
//
// The output unit empties its buffer at moments that are known beforehand (dmc_event), and asks the DMA unit for a byte
// then. Catching up makes the request; in time only if nobody catches up past such a moment without looking.
#pragma once

#include "core/apu/channels.hpp"
#include "core/apu/clock.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core::apu {

// In APU cycles (the wiki's table is in CPU cycles).
inline constexpr u8 kDmcPeriods[16] = {214, 190, 170, 160, 143, 127, 113, 107, 95, 80, 71, 64, 53, 42, 36, 27};

// --- The memory reader

template <class S>
void dmc_ask_for_byte(S s) {
  if (!s.apu_dmc_buffer_full() && (s.apu_dmc_bytes_remaining() > 0 || s.apu_dmc_stop_delay() > 0)) {
    s.dma_dmc_requested() = 1;
  }
}

template <class S>
void dmc_restart(S s) {
  s.apu_dmc_address() = static_cast<u16>(0xC000 + s.apu_dmc_address_register() * 64);
  NESPROOF_FAULT(dmc_samples_lie_too_close,
                 s.apu_dmc_address() = static_cast<u16>(0xC000 + s.apu_dmc_address_register() * 32));
  s.apu_dmc_bytes_remaining() = static_cast<u16>(s.apu_dmc_length_register() * 16 + 1);
}

// --- The output unit

template <class S>
void dmc_take_byte(S s) {
  s.apu_dmc_shifter() = s.apu_dmc_buffer();
  s.apu_dmc_silent() = 0;
  s.apu_dmc_buffer_full() = 0;
  if (s.apu_dmc_load_delay() == 0) dmc_ask_for_byte(s);
}

template <class S>
void dmc_play_bits(S s, u32 count) {
  u32 level = s.apu_dmc_level(), shifter = s.apu_dmc_shifter();
  for (; count != 0; --count, shifter >>= 1) {
    if (shifter & 1) {
      if (level <= 125) level += 2;
    } else {
      if (level >= 2) level -= 2;
    }
  }
  s.apu_dmc_level() = static_cast<u8>(level);
  s.apu_dmc_shifter() = static_cast<u8>(shifter);
}

template <class S>
void dmc_output(S s, u32 gets) {
  const u32 reload = kDmcPeriods[s.apu_dmc_rate_index()] - 1u;
  Divided after = divided(s.apu_dmc_timer(), reload, gets);
  s.apu_dmc_timer() = static_cast<u8>(after.timer);
  u32 left = s.apu_dmc_bits_remaining();
  while (after.reloads >= left) {
    if (!s.apu_dmc_silent()) dmc_play_bits(s, left);
    after.reloads -= left;
    left = 8;
    s.apu_dmc_silent() = 1;
    if (s.apu_dmc_buffer_full()) {
      dmc_take_byte(s);
    } else {
      after.reloads &= 7;
    }
  }
  if (!s.apu_dmc_silent()) dmc_play_bits(s, after.reloads);
  s.apu_dmc_bits_remaining() = static_cast<u8>(left - after.reloads);
}

// --- Time

// The delays of $4015, at the end of a cycle's tick. A DMA that has held the CPU can no longer be withdrawn.
template <class S>
void dmc_tick_delays(S s) {
  if (s.apu_dmc_stop_delay() > 0 && --s.apu_dmc_stop_delay() == 0) {
    s.apu_dmc_bytes_remaining() = 0;
    if (s.lazy_dma_dmc_held() == 0) s.dma_dmc_requested() = 0;
  }
  if (s.apu_dmc_load_delay() > 0 && --s.apu_dmc_load_delay() == 0) dmc_ask_for_byte(s);
}

template <class S>
__attribute__((noinline)) void catch_up_dmc(S s, u32 cycle) {
  u32 at = s.lazy_apu_channel_time(kDmc);
  while (at != cycle && (s.apu_dmc_stop_delay() | s.apu_dmc_load_delay()) != 0) {
    if (is_get(s, ++at)) dmc_output(s, 1);
    dmc_tick_delays(s);
  }
  dmc_output(s, gets_between(s, at, cycle));
  s.lazy_apu_channel_time(kDmc) = cycle;
}

// --- Accesses

template <class S>
void write_dmc(S s, u32 address, u8 value, u32 cycle) {
  switch (address & 3) {
    case 0:
      if ((value & 0x0F) != s.apu_dmc_rate_index()) catch_up_dmc(s, cycle);
      s.apu_dmc_rate_index() = value & 0x0F;
      s.apu_dmc_irq_enabled() = value >> 7;
      s.apu_dmc_loop() = value >> 6 & 1;
      if (!(value & 0x80)) s.apu_dmc_irq() = 0;
      break;
    case 1:
      if (!s.apu_dmc_silent() || s.apu_dmc_buffer_full()) catch_up_dmc(s, cycle);
      s.apu_dmc_level() = value & 0x7F;
      break;
    case 2: s.apu_dmc_address_register() = value; break;
    case 3: s.apu_dmc_length_register() = value; break;
  }
}

// $4015. Starting asks for a byte at the get cycle of the APU cycle after the next; stopping takes one APU cycle.
template <class S>
void enable_dmc(S s, bool on, u32 cycle) {
  catch_up_dmc(s, cycle);
  const u8 delay = is_get(s, cycle) ? 3 : 2;
  s.apu_dmc_irq() = 0;
  if (!on) {
    if (s.apu_dmc_stop_delay() == 0) s.apu_dmc_stop_delay() = delay;
    return;
  }
  s.apu_dmc_stop_delay() = 0;
  if (s.apu_dmc_bytes_remaining() == 0) {
    dmc_restart(s);
    s.apu_dmc_load_delay() = delay;
  }
}

// The end of a sample stops the reader as a write to $4015 in this cycle would; until then it goes on asking. See
// https://www.nesdev.org/wiki/DMA#Bugs for the extra byte that a sample of one byte brings about.
// UNVERIFIED: as in the reference, the output unit takes a byte that comes just as it wants one; a chip from before
// about 1990, measured, would settle whether that one takes it a round later.
template <class S>
void fill_dmc(S s, u8 value, u32 cycle) {
  catch_up_dmc(s, cycle);
  s.apu_dmc_buffer() = value;
  s.apu_dmc_buffer_full() = 1;
  s.apu_dmc_address() = s.apu_dmc_address() == 0xFFFF ? 0x8000 : static_cast<u16>(s.apu_dmc_address() + 1);
  if (s.apu_dmc_bytes_remaining() > 0 && --s.apu_dmc_bytes_remaining() == 0) {
    dmc_restart(s);
    if (!s.apu_dmc_loop()) {
      s.apu_dmc_bytes_remaining() = 0;
      s.apu_dmc_irq() = s.apu_dmc_irq_enabled();
      s.apu_dmc_stop_delay() = 3;
    }
  }
  const bool wanted_now =
      s.apu_dmc_bits_remaining() == 8 && s.apu_dmc_timer() == kDmcPeriods[s.apu_dmc_rate_index()] - 1;
  if (wanted_now) dmc_take_byte(s);
}

// --- Prediction

// No cycle before raises or withdraws a request; `never` if nothing that is under way does.
template <class S>
u32 dmc_event(S s, u32 never) {
  const u32 at = s.lazy_apu_channel_time(kDmc);
  const u32 load = s.apu_dmc_load_delay(), stop = s.apu_dmc_stop_delay();
  u32 event = never;
  if (s.apu_dmc_buffer_full() && (s.apu_dmc_bytes_remaining() > 0 || stop > 0)) {
    const u32 period = kDmcPeriods[s.apu_dmc_rate_index()];
    const u32 gets = s.apu_dmc_timer() + 1 + (s.apu_dmc_bits_remaining() - 1u) * period;
    event = next_get(s, at) + 2 * (gets - 1);
    if (stop > 0 && since(event, at + stop) > 0) event = never;  // stopped by then
  }
  if (stop > 0 && s.dma_dmc_requested() && since(at + stop, event) < 0) event = at + stop;
  if (load > 0 && since(at + load, event) < 0) event = at + load;
  return event;
}

}  // namespace nesproof::core::apu
