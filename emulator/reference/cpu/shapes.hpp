// Bus shapes: the order of accesses that a family of instructions shares. Each polls before its last access.
// https://www.nesdev.org/6502_cpu.txt
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>
#define SHAPE                                                                    \
  CPU_MEMBER template <typename Cpu<Bus, kVariant>::Mode kMode, auto kOperation> \
  inline

SHAPE void CPU::reads() {
  const u16 from = address<kMode, Access::Read>();
  (this->*kOperation)(read_last(from));
}

SHAPE void CPU::stores() {
  const u16 to = address<kMode, Access::Write>();
  write_last(to, (this->*kOperation)());
}

// SHA, SHX, SHY, TAS: the value is ANDed with the high byte of the base address plus one, which is on the internal
// bus in the cycle before the write; where the index crosses a page, that AND goes into the address as well. If DMA
// holds the CPU just before the write, the bus has lost the high byte and the value is stored as it is.
// https://www.nesdev.org/wiki/CPU_unofficial_opcodes
SHAPE void CPU::stores_unstable() {
  const u16 base = kMode == Mode::IndirectY ? pointer_in_zero_page(fetch()) : fetch_word();
  const u16 sum = static_cast<u16>(base + (kMode == Mode::AbsoluteX ? x : y));
  const u16 without_carry = static_cast<u16>((base & 0xFF00) | (sum & 0x00FF));
  const bool stalled = bus_.stall(without_carry);
  bus_.read_after_stall(without_carry);
  const u8 value = (this->*kOperation)();
  const u8 masked = static_cast<u8>(value & ((base >> 8) + 1));
  const u16 to = sum == without_carry ? sum : static_cast<u16>(masked << 8 | (sum & 0x00FF));
  write_last(to, stalled ? value : masked);
}

// The unmodified value is written back while the operation is computed.
SHAPE void CPU::modifies() {
  const u16 at = address<kMode, Access::Write>();
  const u8 value = read(at);
  write(at, value);
  write_last(at, (this->*kOperation)(value));
}

SHAPE void CPU::shifts_a() {
  read_last(pc);
  a = (this->*kOperation)(a);
}

SHAPE void CPU::implied() {
  read_last(pc);
  (this->*kOperation)();
}

// A branch polls before its second cycle and, if it crosses a page, before its fourth; never before its third. What
// the first poll has seen is not forgotten.
SHAPE void CPU::branches() {
  const auto offset = static_cast<i8>(read_last(pc++));
  if (!(this->*kOperation)()) return;
  read(pc);
  const u16 target = static_cast<u16>(pc + offset);
  const u16 without_carry = static_cast<u16>((pc & 0xFF00) | (target & 0x00FF));
  NESPROOF_FAULT(branch_to_another_page_short, {
    pc = target;
    return;
  });
  if (target != without_carry) {
    const bool seen_before = interrupt_pending_;
    read_last(without_carry);
    interrupt_pending_ |= seen_before;
  }
  pc = target;
}

SHAPE void CPU::pushes() {
  read(pc);
  poll();
  push((this->*kOperation)());
}

SHAPE void CPU::pulls() {
  read(pc);
  read(static_cast<u16>(0x0100 | s));
  s++;
  (this->*kOperation)(read_last(static_cast<u16>(0x0100 | s)));
}

#undef SHAPE
#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
