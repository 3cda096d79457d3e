// Addressing modes: from the operand bytes to the effective address, dummy reads included.
// https://www.nesdev.org/wiki/CPU_addressing_modes
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>

// While the index is added, the unindexed address is read; the sum stays in the zero page.
CPU_MEMBER inline u16 CPU::zero_page_indexed(u8 index) {
  const u8 base = fetch();
  u8 passing = base;
  NESPROOF_FAULT(dummy_read_already_indexed, passing = static_cast<u8>(base + index));
  read(passing);
  return static_cast<u8>(base + index);
}

CPU_MEMBER inline u16 CPU::pointer_in_zero_page(u8 at) {
  const u8 low = read(at);
  return static_cast<u16>(low | read(static_cast<u8>(at + 1)) << 8);
}

// The low byte is added first; the address with the carry still missing is read if there is one, and always before a
// write, since a write to the wrong page could not be taken back.
CPU_MEMBER
template <typename Cpu<Bus, kVariant>::Access kAccess>
inline u16 CPU::indexed(u16 base, u8 index) {
  const u16 sum = static_cast<u16>(base + index);
  const u16 without_carry = static_cast<u16>((base & 0xFF00) | (sum & 0x00FF));
  NESPROOF_FAULT(page_cross_cycle_dropped, if (kAccess == Access::Read) return sum);
  if (kAccess == Access::Write || sum != without_carry) read(without_carry);
  return sum;
}

CPU_MEMBER
template <typename Cpu<Bus, kVariant>::Mode kMode, typename Cpu<Bus, kVariant>::Access kAccess>
inline u16 CPU::address() {
  if constexpr (kMode == Mode::Immediate) {
    return pc++;
  } else if constexpr (kMode == Mode::ZeroPage) {
    return fetch();
  } else if constexpr (kMode == Mode::ZeroPageX) {
    return zero_page_indexed(x);
  } else if constexpr (kMode == Mode::ZeroPageY) {
    return zero_page_indexed(y);
  } else if constexpr (kMode == Mode::Absolute) {
    return fetch_word();
  } else if constexpr (kMode == Mode::AbsoluteX) {
    return indexed<kAccess>(fetch_word(), x);
  } else if constexpr (kMode == Mode::AbsoluteY) {
    return indexed<kAccess>(fetch_word(), y);
  } else if constexpr (kMode == Mode::IndirectX) {
    return pointer_in_zero_page(static_cast<u8>(zero_page_indexed(x)));
  } else {
    static_assert(kMode == Mode::IndirectY, "this mode has no effective address");
    return indexed<kAccess>(pointer_in_zero_page(fetch()), y);
  }
}

#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
