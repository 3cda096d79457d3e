// The CPU's accesses, and where in an instruction interrupts are polled.
// https://www.nesdev.org/wiki/CPU_interrupts#Detailed_interrupt_behavior
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>

// The lines are sampled at the end of each cycle and the verdict is taken at the start of an instruction's last one,
// so that what rises during the last cycle waits for the next instruction. While DMA holds the CPU the lines are
// sampled on, hence the poll after the stall.
CPU_MEMBER inline void CPU::poll() {
  interrupt_pending_ = nmi_pending_ || (irq_line_ && !p.has(flag::kInterruptDisable));
  NESPROOF_FAULT(irq_ignores_the_i_flag, interrupt_pending_ = nmi_pending_ || irq_line_);
}

CPU_MEMBER inline u8 CPU::read_last(u16 address) {
  bus_.stall(address);
  poll();
  return bus_.read_after_stall(address);
}

CPU_MEMBER inline void CPU::write_last(u16 address, u8 value) {
  poll();
  write(address, value);
}

CPU_MEMBER inline u16 CPU::fetch_word() {
  const u8 low = fetch();
  return static_cast<u16>(low | fetch() << 8);
}

#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
