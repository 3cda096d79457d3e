// The two units that take the bus from the CPU: https://www.nesdev.org/wiki/DMA
//
// A unit asks; the CPU stops at its next read and repeats it until nobody wants the bus. OAM DMA then moves 256 bytes,
// a get and a put each. DMC DMA spends a dummy cycle and gets one byte, before OAM DMA where both want the same get.
//
//   halt   the read that the CPU wanted, discarded
//   dummy  the same again (DMC DMA)
//   align  the same again, when a put cycle comes where a get is needed
//
// A hold runs to its end before the CPU goes on, so that between instructions only the requests are state.
#pragma once

#include "faults/hooks.hpp"
#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

class Dma {
 public:
  void power_on() { *this = Dma(); }

  void request_oam(u8 page) {
    oam_requested_ = true;
    oam_page_ = page;
  }
  void request_dmc() { dmc_requested_ = true; }
  // The sample was stopped. A DMA that has not got past its halt cycle is given up.
  void withdraw_dmc() {
    if (dmc_held_cycles_ == 0) dmc_requested_ = false;
  }
  bool wants_bus() const { return oam_requested_ || dmc_requested_; }

  // Holds the CPU, which is about to read `cpu_address`, until nobody wants the bus. `Bus` has
  //     bool next_cycle_is_get();  u16 dmc_address();  void dmc_fill(u8);
  //     void dma_repeat(u16 cpu_address);  u8 dma_get(u16 address, u16 cpu_address);  void dma_put_oam(u8 value);
  // each of the last three being one cycle.
  template <class Bus>
  void hold(Bus& bus, u16 cpu_address) {
    constexpr unsigned kOamHalt = 1, kDmcHaltAndDummy = 2;
    unsigned oam_held_cycles = 0;
    unsigned oam_done_bytes = 0;
    bool oam_has_byte = false;
    u8 oam_byte = 0;
    NESPROOF_FAULT(oam_dma_without_its_halt, oam_held_cycles = kOamHalt);
    while (wants_bus()) {
      const bool oam = oam_requested_, dmc = dmc_requested_;
      const bool get = bus.next_cycle_is_get();
      NESPROOF_FAULT(dmc_dma_without_its_halt, if (dmc && dmc_held_cycles_ == 0) dmc_held_cycles_ = kDmcHaltAndDummy);
      if (get && dmc && dmc_held_cycles_ >= kDmcHaltAndDummy) {
        const u8 value = bus.dma_get(bus.dmc_address(), cpu_address);
        dmc_requested_ = false;
        dmc_held_cycles_ = 0;
        bus.dmc_fill(value);
        if (oam) oam_held_cycles++;
        continue;
      }
      if (get && oam && oam_held_cycles >= kOamHalt) {
        oam_byte = bus.dma_get(static_cast<u16>(oam_page_ << 8 | oam_done_bytes), cpu_address);
        oam_has_byte = true;
      } else if (!get && oam_has_byte) {
        bus.dma_put_oam(oam_byte);
        oam_has_byte = false;
        if (++oam_done_bytes == 256) oam_requested_ = false;
      } else {
        bus.dma_repeat(cpu_address);
      }
      if (oam) oam_held_cycles++;
      if (dmc && dmc_requested_) dmc_held_cycles_++;
    }
    dmc_held_cycles_ = 0;
  }

  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    v(f::dma_oam_requested, oam_requested_);
    v(f::dma_oam_page, oam_page_);
    v(f::dma_dmc_requested, dmc_requested_);
  }

 private:
  bool oam_requested_ = false;
  u8 oam_page_ = 0;
  bool dmc_requested_ = false;
  unsigned dmc_held_cycles_ = 0;  // 0 outside a hold
};

}  // namespace nesproof::reference
