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

// M2 falls as the access ends, and with it the CPU samples its lines. The PPU's NMI line is a dot behind (ppu.hpp), so
// that it is taken after the third dot; what a board sees of the third dot is for the next cycle.
inline void Bus::end_cycle() {
  board.cpu_cycle();
  const bool irq_line = apu.irq_line() || board.irq_line();
  ppu.tick();
  cpu.sample_interrupts(ppu.nmi_line(), irq_line);
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

// Whatever answers drives both buses, but for $4015.
inline u8 Bus::access_read(u16 address) {
  if (address < 0x2000) return drive(ram[address & 0x07FF]);
  if (address >= 0x4020) return drive(board.cpu_read(address, data_));
  if (address < 0x4000) return drive(ppu.read(address & 7));
  return access_read_io(address);
}

// The controllers drive bits 0 to 4.
inline u8 Bus::access_read_io(u16 address) {
  switch (address) {
    case 0x4015: return read_apu_status();
    case 0x4016:
    case 0x4017: return drive(static_cast<u8>(controllers.read(address & 1) | (data_ & 0xE0)));
    default: return drive(data_);
  }
}

// The status register is inside the CPU's chip, which cuts its own bus off from the external one while it is read. Bit
// 5 is not driven and keeps what the internal bus had.
inline u8 Bus::read_apu_status() {
  return internal_data_ = static_cast<u8>(apu.read_status() | (internal_data_ & 0x20));
}

inline void Bus::write(u16 address, u8 value) {
  begin_cycle();
  drive(value);
  if (address < 0x2000) {
    ram[address & 0x07FF] = value;
  } else if (address >= 0x4020) {
    board.cpu_write(address, value, cycles_);
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

// The registers of $4000-$401F answer by the low five address bits alone whenever the 6502's own address bus, which
// stands still during DMA, is in that range; what DMA addresses then answers as well. If it is not, nothing answers a
// DMA from there. https://www.nesdev.org/wiki/DMA#Register_conflicts
inline u8 Bus::dma_get(u16 address, u16 cpu_address) {
  begin_cycle();
  const bool registers_answer = (cpu_address & 0xFFE0) == 0x4000;
  const bool others_answer = address < 0x4000 || board.answers_cpu(address);
  const u8 internal_data = internal_data_;
  u8 value = others_answer ? access_read(address) : drive(data_);
  if (registers_answer) {
    switch (address & 0x1F) {
      case 0x15:
        internal_data_ = internal_data;  // what the others drove stays outside
        value = read_apu_status();
        break;
      case 0x16:
      case 0x17: value = read_port_against(address & 1, value, others_answer); break;
    }
  }
  end_cycle();
  return value;
}

// Where a controller and the cartridge both drive bits 0 to 4, zeros win for the one who reads; but the controller lets
// go later, and its bits are what stays on the bus.
inline u8 Bus::read_port_against(unsigned port, u8 other, bool other_drives) {
  const u8 bits = controllers.read(port);
  drive(static_cast<u8>((other & 0xE0) | bits));
  return static_cast<u8>((other & 0xE0) | (other_drives ? bits & other & 0x1F : bits));
}

inline void Bus::dma_put_oam(u8 value) {
  begin_cycle();
  drive(value);
  ppu.write(4, value);
  end_cycle();
}

// --- From outside

inline u8 Bus::peek(u16 address) const {
  if (address < 0x2000) return ram[address & 0x07FF];
  if (address >= 0x4020) return board.cpu_read(address, data_);
  if (address < 0x4000) return ppu.peek(address & 7);
  switch (address) {
    case 0x4015: return static_cast<u8>(apu.status() | (internal_data_ & 0x20));
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
  data_ = internal_data_ = 0;
  cycles_ = 0;
}

}  // namespace nesproof::reference
