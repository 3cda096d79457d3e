// The two units that take the bus from the CPU: https://www.nesdev.org/wiki/DMA
//
// The CPU stops at its next read and repeats it until nobody wants the bus. OAM DMA then moves 256 bytes, a get and a
// put each; DMC DMA spends a dummy cycle and gets one byte, before OAM DMA where both want the same get. Between units
// of the CPU only the requests are state.
#pragma once

#include "core/bus/exact.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// Where a controller and the cartridge both drive bits 0 to 4, zeros win for the one who reads; but the controller lets
// go later, and its bits are what stays on the bus.
template <class M>
u32 read_port_against(M& m, u32 port, u32 other, bool other_drives) {
  const u32 bits = controller_read(m.console, port, m.now);
  m.drive((other & 0xE0) | bits);
  return (other & 0xE0) | (other_drives ? bits & other & 0x1F : bits);
}

// One cycle. The registers of $4000-$401F answer by the low five address bits alone while the 6502's own address bus,
// which stands still, is in that range; what DMA addresses then answers as well. If it is not, nothing answers a DMA
// from there. https://www.nesdev.org/wiki/DMA#Register_conflicts
template <class M>
u32 dma_get(M& m, u32 at, u32 cpu_address) {
  m.begin_cycle();
  cartridge_meets_ppu(m.console, at, m.now);
  const bool others_answer = at < 0x4000 || cartridge_answers(m.console, at);
  const u8 internal_data = m.console.bus_internal_data();
  u32 value = others_answer ? m.access_read(at) : m.drive(m.console.bus_data());
  if ((cpu_address & 0xFFE0) == 0x4000) {
    switch (at & 0x1F) {
      case 0x15:
        m.console.bus_internal_data() = internal_data;  // what the others drove stays outside
        value = m.read_apu_status();
        break;
      case 0x16:
      case 0x17: value = read_port_against(m, at & 1, value, others_answer); break;
    }
  }
  m.end_cycle();
  return value;
}

template <class M>
void dma_put_oam(M& m, u32 value) {
  m.begin_cycle();
  m.drive(value);
  m.write_ppu(4, value);
  m.end_cycle();
}

// Holds the CPU, which is about to read `cpu_address`, until nobody wants the bus.
template <class M>
NESPROOF_OUTLINE void hold_for_dma(M& m, u32 cpu_address) {
  auto console = m.console;
  u32 oam_held_cycles = 0, oam_bytes = 0, oam_byte = 0;
  bool oam_has_byte = false;
  NESPROOF_FAULT(oam_dma_without_its_halt, oam_held_cycles = 1);
  u8& dmc_held_cycles = console.lazy_dma_dmc_held();
  while ((console.dma_oam_requested() | console.dma_dmc_requested()) != 0) {
    const bool oam = console.dma_oam_requested() != 0, dmc = console.dma_dmc_requested() != 0;
    const bool get = apu_is_get(console, m.now + 1);
    NESPROOF_FAULT(dmc_dma_without_its_halt, if (dmc && dmc_held_cycles == 0) dmc_held_cycles = 2);
    if (get && dmc && dmc_held_cycles >= 2) {  // its halt and its dummy cycle
      const u32 value = dma_get(m, console.apu_dmc_address(), cpu_address);
      console.dma_dmc_requested() = 0;
      dmc_held_cycles = 0;
      apu_dmc_fill(console, static_cast<u8>(value), m.now);
      m.apu_event = apu_next_event(console);
      if (oam) ++oam_held_cycles;
      continue;
    }
    if (get && oam && oam_held_cycles >= 1) {  // its halt
      oam_byte = dma_get(m, static_cast<u32>(console.dma_oam_page()) << 8 | oam_bytes, cpu_address);
      oam_has_byte = true;
    } else if (!get && oam_has_byte) {
      dma_put_oam(m, oam_byte);
      oam_has_byte = false;
      if (++oam_bytes == 256) console.dma_oam_requested() = 0;
    } else {
      m.read_held(cpu_address);
    }
    if (oam) ++oam_held_cycles;
    if (dmc && console.dma_dmc_requested() != 0) ++dmc_held_cycles;
  }
  dmc_held_cycles = 0;
}

}  // namespace nesproof::core
