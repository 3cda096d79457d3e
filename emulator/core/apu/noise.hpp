// Pseudo-random bits: https://www.nesdev.org/wiki/APU_Noise
//
//   $400C  --LC VVVV  length halt, constant volume, volume or envelope period
//   $400E  M--- PPPP  mode, period index
//   $400F  LLLL L---  length index
#pragma once

#include "core/apu/clock.hpp"
#include "core/apu/length.hpp"
#include "core/apu/lfsr.hpp"

namespace nesproof::core::apu {

// In APU cycles (the wiki's table is in CPU cycles).
inline constexpr u16 kNoisePeriods[16] = {2, 4, 8, 16, 32, 48, 64, 80, 101, 127, 190, 254, 381, 508, 1017, 2034};

template <class S>
__attribute__((noinline)) void catch_up_noise(Noise<S> n, u32 cycle) {
  const u32 reload = kNoisePeriods[n.period_index()] - 1u;
  const Divided after = divided(n.timer(), reload, gets_between(n.s, n.time(), cycle));
  n.time() = cycle;
  n.timer() = static_cast<u16>(after.timer);
  if (after.reloads != 0) n.shifter() = static_cast<u16>(lfsr_after(n.shifter(), n.mode(), after.reloads));
}

template <class S>
void write_noise(Noise<S> n, u32 address, u8 value, u32 cycle) {
  switch (address & 3) {
    case 0:
      begin_length_write(n, cycle);
      n.length_halt_written() = value >> 5 & 1;
      n.envelope_constant() = value >> 4 & 1;
      n.envelope_period() = value & 0x0F;
      break;
    case 2:
      if (n.mode() == value >> 7 && n.period_index() == (value & 0x0F)) break;
      catch_up_noise(n, cycle);
      n.mode() = value >> 7;
      n.period_index() = value & 0x0F;
      break;
    case 3:
      begin_length_write(n, cycle);
      load_length(n, value >> 3);
      n.envelope_start() = 1;
      break;
  }
}

}  // namespace nesproof::core::apu
