// One cycle of the bus, from both sides.
#pragma once

#include "reference/bus/bus.hpp"

namespace nesproof::reference {

// --- Time

inline void Bus::begin_cycle() {
  cycles_++;
  ppu.tick();
  ppu.tick();
  apu.tick();
  if (apu.dmc().request) [[unlikely]] {
    apu.dmc().request = false;
    dma.request_dmc();
  }
  if (apu.dmc().withdraw) [[unlikely]] {
    apu.dmc().withdraw = false;
    dma.withdraw_dmc();
  }
  controllers.begin_cycle(apu.is_get());
}

inline void Bus::end_cycle() {
  ppu.tick();
  board.cpu_cycle();
  cpu.sample_interrupts(ppu.nmi_line(), apu.irq_line() || board.irq_line());
}

inline void Bus::dmc_fill(u8 value) {
  apu.dmc().fill(value);
  if (apu.dmc().request) {
    apu.dmc().request = false;
    dma.request_dmc();
  }
}

// --- CPU accesses

inline u8 Bus::read_after_stall(u16 address) {
  begin_cycle();
  const u8 value = access_read(address);
  end_cycle();
  return value;
}

inline u8 Bus::access_read(u16 address) {
  if (address < 0x2000) return data_ = ram[address & 0x07FF];
  if (address >= 0x4020) return data_ = board.cpu_read(address, data_);
  if (address < 0x4000) return data_ = ppu.read(address & 7);
  return access_read_io(address);
}

// $4015 is inside the CPU's chip: its value does not reach the external bus, whose bit 5 shows through.
// The controllers drive bits 0 to 4.
inline u8 Bus::access_read_io(u16 address) {
  switch (address) {
    case 0x4015: return static_cast<u8>(apu.read_status() | (data_ & 0x20));
    case 0x4016:
    case 0x4017: return data_ = static_cast<u8>(controllers.read(address & 1) | (data_ & 0xE0));
    default: return data_;
  }
}

inline void Bus::write(u16 address, u8 value) {
  begin_cycle();
  data_ = value;
  if (address < 0x2000) {
    ram[address & 0x07FF] = value;
  } else if (address >= 0x4020) {
    board.cpu_write(address, value);
  } else if (address < 0x4000) {
    ppu.write(address & 7, value);
  } else {
    access_write_io(address, value);
  }
  end_cycle();
}

inline void Bus::access_write_io(u16 address, u8 value) {
  switch (address) {
    case 0x4014: dma.request_oam(value); break;
    case 0x4016: controllers.write(value); break;
    default: apu.write(address, value); break;
  }
}

// --- DMA accesses

// The APU's registers answer by the low five address bits whenever the 6502's own address bus, which stands still
// during DMA, is in $4000-$401F; what DMA addresses then answers as well. If it is not, nothing answers a DMA from
// there. https://www.nesdev.org/wiki/DMA#Register_conflicts
inline u8 Bus::dma_get(u16 address, u16 cpu_address) {
  begin_cycle();
  u8 value = data_;
  const bool registers_selected = (cpu_address & 0xFFE0) == 0x4000;
  if ((address & 0xFFE0) != 0x4000) value = access_read(address);
  if (registers_selected) {
    switch (address & 0x1F) {
      case 0x15: value = static_cast<u8>(apu.read_status() | (data_ & 0x20)); break;
      // The controller pulls bits 0 to 4 low against what the cartridge drives.
      case 0x16:
      case 0x17: {
        const u8 port = controllers.read(address & 1);
        const bool alone = (address & 0xFFE0) == 0x4000;
        value = static_cast<u8>((value & 0xE0) | (alone ? port : port & value & 0x1F));
        data_ = value;
        break;
      }
    }
  }
  end_cycle();
  return value;
}

inline void Bus::dma_put_oam(u8 value) {
  begin_cycle();
  data_ = value;
  ppu.write(4, value);
  end_cycle();
}

// --- From outside

inline u8 Bus::peek(u16 address) const {
  if (address < 0x2000) return ram[address & 0x07FF];
  if (address >= 0x4020) return board.cpu_read(address, data_);
  if (address < 0x4000) return ppu.peek(address & 7);
  switch (address) {
    case 0x4015: return static_cast<u8>(apu.status() | (data_ & 0x20));
    case 0x4016:
    case 0x4017: return static_cast<u8>(controllers.peek(address & 1) | (data_ & 0xE0));
    default: return data_;
  }
}

inline bool Bus::poke(u16 address, u8 value) {
  if (address < 0x2000) {
    ram[address & 0x07FF] = value;
    return true;
  }
  return board.poke_prg_ram(address, value);
}

inline void Bus::power_on(u8 fill) {
  ram.fill(fill);
  data_ = 0;
  cycles_ = 0;
}

}  // namespace nesproof::reference
