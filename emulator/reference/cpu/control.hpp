// Instructions and sequences that move the program counter: https://www.nesdev.org/wiki/CPU_interrupts
#pragma once

#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>
#define OPERATION CPU_MEMBER inline

namespace vector {
inline constexpr u16 kNmi = 0xFFFA;
inline constexpr u16 kReset = 0xFFFC;
inline constexpr u16 kIrq = 0xFFFE;
}  // namespace vector

// --- Jumps

OPERATION void CPU::jmp() {
  const u8 low = fetch();
  pc = static_cast<u16>(low | read_last(pc) << 8);
}

// The pointer's high byte does not carry: JMP ($xxFF) takes both bytes from one page.
OPERATION void CPU::jmp_indirect() {
  const u16 pointer = fetch_word();
  const u8 low = read(pointer);
  pc = static_cast<u16>(low | read_last(static_cast<u16>((pointer & 0xFF00) | ((pointer + 1) & 0x00FF))) << 8);
}

OPERATION void CPU::jsr() {
  const u8 low = fetch();
  read(static_cast<u16>(0x0100 | s));
  push(static_cast<u8>(pc >> 8));
  push(static_cast<u8>(pc));
  pc = static_cast<u16>(low | read_last(pc) << 8);
}

OPERATION void CPU::rts() {
  read(pc);
  read(static_cast<u16>(0x0100 | s));
  const u8 low = pull();
  pc = static_cast<u16>(low | pull() << 8);
  read_last(pc++);
}

// P comes back two cycles before the poll, so that its I flag counts at once.
OPERATION void CPU::rti() {
  read(pc);
  read(static_cast<u16>(0x0100 | s));
  p.pull(pull());
  const u8 low = pull();
  s++;
  pc = static_cast<u16>(low | read_last(static_cast<u16>(0x0100 | s)) << 8);
}

// --- Interrupts

// An NMI that has come by the end of the fourth cycle takes the vector of a BRK or an IRQ under way ("hijacking").
// The sequence does not poll: the handler's first instruction always runs.
OPERATION void CPU::push_state_and_jump(u8 status_to_push) {
  push(static_cast<u8>(pc >> 8));
  push(static_cast<u8>(pc));
  const bool nmi = nmi_pending_;
  if (nmi) nmi_pending_ = false;
  push(status_to_push);
  p.put(flag::kInterruptDisable, true);
  const u16 from = nmi ? vector::kNmi : vector::kIrq;
  const u8 low = read(from);
  pc = static_cast<u16>(low | read(from + 1) << 8);
  interrupt_pending_ = false;
}

OPERATION void CPU::brk() {
  fetch();
  push_state_and_jump(p.pushed_by_instruction());
}

OPERATION void CPU::interrupt_sequence() {
  read(pc);
  read(pc);
  push_state_and_jump(p.pushed_by_interrupt());
}

// An interrupt sequence whose writes are turned into reads, hence S - 3.
OPERATION void CPU::reset_sequence() {
  reset_pending_ = false;
  jammed_ = false;
  interrupt_pending_ = false;
  nmi_pending_ = false;
  read(pc);
  read(pc);
  for (int pushes_suppressed = 0; pushes_suppressed < 3; ++pushes_suppressed) read(static_cast<u16>(0x0100 | s--));
  p.put(flag::kInterruptDisable, true);
  const u8 low = read(vector::kReset);
  pc = static_cast<u16>(low | read(vector::kReset + 1) << 8);
}

OPERATION void CPU::power_on() {
  pc = 0;
  a = x = y = s = 0;
  p.bits = flag::kAlwaysSet;
  interrupt_pending_ = nmi_pending_ = nmi_line_ = irq_line_ = jammed_ = false;
  reset_pending_ = true;
}

// The bus wanders over the vectors once and then rests on $FFFF.
OPERATION void CPU::jam() {
  read(pc);
  read(0xFFFF);
  read(0xFFFE);
  read(0xFFFE);
  jammed_ = true;
}

#undef OPERATION
#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
