// The CPU's bus and the console's clock: https://www.nesdev.org/wiki/CPU_memory_map
//
//   $0000-$1FFF  2 KiB of RAM, four times
//   $2000-$3FFF  eight PPU registers, over and over
//   $4000-$401F  APU, OAM DMA, controllers
//   $4020-$FFFF  the cartridge
//
// A cycle is one access. The PPU makes two dots before it and one after (ppu.hpp says why), the APU steps before it,
// and the interrupt lines are sampled with its end (access.hpp).
#pragma once

#include <array>

#include "reference/apu/apu.hpp"
#include "reference/board/board.hpp"
#include "reference/bus/controllers.hpp"
#include "reference/cpu/cpu.hpp"
#include "reference/dma/dma.hpp"
#include "reference/ppu/ppu.hpp"
#include "reference/types.hpp"

namespace nesproof::reference {

class Bus {
 public:
  explicit Bus(Board& board_) : board(board_), ppu(board_), cpu(*this) {}
  Bus(const Bus&) = delete;
  Bus& operator=(const Bus&) = delete;

  // --- The CPU's side; see cpu.hpp.
  u8 read(u16 address) {
    stall(address);
    return read_after_stall(address);
  }
  u8 read_after_stall(u16 address);
  void write(u16 address, u8 value);
  bool stall(u16 address) {
    if (!dma.wants_bus()) [[likely]]
      return false;
    dma.hold(*this, address);
    return true;
  }

  // --- DMA's side; see dma.hpp.
  bool next_cycle_is_get() const { return !apu.is_get(); }
  u16 dmc_address() { return apu.dmc().address; }
  void dmc_fill(u8 value);
  void dma_repeat(u16 cpu_address) { read_after_stall(cpu_address); }
  u8 dma_get(u16 address, u16 cpu_address);
  void dma_put_oam(u8 value);

  // --- From outside, without time or side effects.
  u8 peek(u16 address) const;
  // RAM and PRG-RAM only; false for any other address.
  bool poke(u16 address, u8 value);

  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    v(f::bus_ram, ram);
    v(f::bus_data, data_);
    v(f::bus_internal_data, internal_data_);
    v(f::bus_cycle_count, cycles_);
  }

  u64 cycles() const { return cycles_; }
  void power_on(u8 fill);

  Board& board;
  std::array<u8, 2048> ram{};
  Apu apu;
  Dma dma;
  Controllers controllers;
  Ppu ppu;
  Cpu<Bus, Variant::Ricoh2A03> cpu;

 private:
  void begin_cycle();
  void end_cycle();
  u8 access_read(u16 address);
  u8 access_read_io(u16 address);
  void access_write_io(u16 address, u8 value);
  u8 read_apu_status();
  u8 read_port_against(unsigned port, u8 other, bool other_drives);
  u8 drive(u8 value) { return data_ = internal_data_ = value; }

  // Each bus keeps its last value: https://www.nesdev.org/wiki/Open_bus_behavior
  u8 data_ = 0;           // external
  u8 internal_data_ = 0;  // inside the CPU's chip
  u64 cycles_ = 0;        // since power-on
};

}  // namespace nesproof::reference

#include "reference/bus/access.hpp"
