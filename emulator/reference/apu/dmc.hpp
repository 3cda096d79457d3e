// Plays 1-bit delta samples from memory: https://www.nesdev.org/wiki/APU_DMC
//
//   $4010  IL-- RRRR  IRQ enable, loop, rate index
//   $4011  -DDD DDDD  output level
//   $4012  AAAA AAAA  sample address = $C000 + A * 64
//   $4013  LLLL LLLL  sample length = L * 16 + 1 bytes
//
// The memory reader asks the DMA unit for a byte; how the CPU is held is dma.hpp's concern.
#pragma once

#include <array>

#include "reference/types.hpp"

namespace nesproof::reference {

// In APU cycles (the wiki's table is in CPU cycles).
inline constexpr std::array<u8, 16> kDmcPeriods{214, 190, 170, 160, 143, 127, 113, 107, 95, 80, 71, 64, 53, 42, 36, 27};

class Dmc {
 public:
  void write(u16 reg, u8 value) {
    switch (reg & 3) {
      case 0:
        irq_enabled = value & 0x80;
        loop = value & 0x40;
        rate_index = value & 0x0F;
        if (!irq_enabled) irq_flag = false;
        break;
      case 1: level = value & 0x7F; break;
      case 2: address_register = value; break;
      case 3: length_register = value; break;
    }
  }

  // $4015. Starting asks for a byte at the get cycle of the APU cycle after the next; stopping takes one APU cycle.
  // https://www.nesdev.org/wiki/DMA
  void enable(bool on, bool is_get) {
    irq_flag = false;
    if (!on) {
      if (stop_delay == 0) stop_delay = is_get ? 3 : 2;
      return;
    }
    stop_delay = 0;
    if (bytes_remaining == 0) {
      restart();
      load_delay = is_get ? 3 : 2;
    }
  }

  // Once a CPU cycle, before the CPU's access.
  void tick_delays() {
    if (stop_delay > 0 && --stop_delay == 0) {
      bytes_remaining = 0;
      withdraw = true;
    }
    if (load_delay > 0 && --load_delay == 0) ask_for_byte();
  }

  // Once an APU cycle.
  void tick() {
    if (timer > 0) {
      timer--;
      return;
    }
    timer = period();
    if (!silent) {
      if (shifter & 1) {
        if (level <= 125) level += 2;
      } else {
        if (level >= 2) level -= 2;
      }
      shifter >>= 1;
    }
    if (--bits_remaining > 0) return;
    bits_remaining = 8;
    silent = true;
    if (buffer_full) take_byte();
  }

  // The DMA unit's get, in a get cycle after that cycle's tick. The end of a sample stops the reader as a write to
  // $4015 in this cycle would: until then it goes on asking, which shows where the output unit empties the buffer at
  // once (as only a sample of one byte can bring about). The stopping reader's extra byte comes from the same address
  // and is played. https://www.nesdev.org/wiki/DMA#Bugs
  void fill(u8 value) {
    buffer = value;
    buffer_full = true;
    address = address == 0xFFFF ? 0x8000 : static_cast<u16>(address + 1);
    if (bytes_remaining > 0 && --bytes_remaining == 0) {
      restart();
      if (!loop) {
        bytes_remaining = 0;
        irq_flag = irq_enabled;
        stop_delay = 3;
      }
    }
    // UNVERIFIED: chips from before about 1990 are said to take the byte only one round later, with no extra DMA.
    const bool wanted_in_this_cycle = bits_remaining == 8 && timer == period();
    if (wanted_in_this_cycle) take_byte();
  }

  // A count of 0 is one that nobody saved.
  void restored() {
    if (bits_remaining == 0) bits_remaining = 8;
  }

  bool playing() const { return bytes_remaining > 0; }

  u16 address = 0xC000;
  u16 bytes_remaining = 0;
  u8 address_register = 0;
  u8 length_register = 0;
  u8 rate_index = 0;
  u8 timer = kDmcPeriods[0] - 1;
  u8 level = 0;
  u8 buffer = 0;
  u8 shifter = 0;
  u8 bits_remaining = 8;
  u8 load_delay = 0;
  u8 stop_delay = 0;
  bool buffer_full = false;
  bool silent = true;
  bool loop = false;
  bool irq_enabled = false;
  bool irq_flag = false;

  // To the DMA unit, which takes both at the cycle that raises them; not state.
  bool request = false;
  bool withdraw = false;

 private:
  u8 period() const { return kDmcPeriods[rate_index] - 1; }
  void restart() {
    address = static_cast<u16>(0xC000 + address_register * 64);
    bytes_remaining = static_cast<u16>(length_register * 16 + 1);
  }
  void take_byte() {
    shifter = buffer;
    silent = false;
    buffer_full = false;
    if (load_delay == 0) ask_for_byte();
  }
  void ask_for_byte() { request = !buffer_full && (bytes_remaining > 0 || stop_delay > 0); }
};

}  // namespace nesproof::reference
