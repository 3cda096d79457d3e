// What the official instructions compute: https://www.nesdev.org/wiki/Instruction_reference
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>
#define OPERATION CPU_MEMBER inline

// --- Loads and logic

OPERATION void CPU::lda(u8 value) { p.put_negative_zero(a = value); }
OPERATION void CPU::ldx(u8 value) { p.put_negative_zero(x = value); }
OPERATION void CPU::ldy(u8 value) { p.put_negative_zero(y = value); }
OPERATION void CPU::and_(u8 value) { lda(a & value); }
OPERATION void CPU::ora(u8 value) { lda(a | value); }
OPERATION void CPU::eor(u8 value) { lda(a ^ value); }

OPERATION void CPU::bit(u8 value) {
  p.put(flag::kNegative, value & 0x80);
  p.put(flag::kOverflow, value & 0x40);
  p.put(flag::kZero, (a & value) == 0);
}

// --- Arithmetic

OPERATION void CPU::adc(u8 value) {
  if (kVariant == Variant::Mos6502 && p.has(flag::kDecimal)) return adc_decimal(value);
  NESPROOF_FAULT(decimal_mode_on_the_2a03, if (p.has(flag::kDecimal)) return adc_decimal(value));
  unsigned sum = a + value + (p.has(flag::kCarry) ? 1u : 0u);
  NESPROOF_FAULT(adc_forgets_carry, sum = static_cast<unsigned>(a + value));
  p.put(flag::kCarry, sum > 0xFF);
  p.put(flag::kOverflow, ~(a ^ value) & (a ^ sum) & 0x80);
  lda(static_cast<u8>(sum));
}

OPERATION void CPU::sbc(u8 value) {
  if (kVariant == Variant::Mos6502 && p.has(flag::kDecimal)) return sbc_decimal(value);
  adc(static_cast<u8>(~value));
}

// NMOS: Z is that of the binary sum, N and V those after the low digit was adjusted.
// http://www.6502.org/tutorials/decimal_mode.html
OPERATION void CPU::adc_decimal(u8 value) {
  const unsigned carry = p.has(flag::kCarry) ? 1 : 0;
  unsigned low = (a & 0x0Fu) + (value & 0x0Fu) + carry;
  if (low > 0x09) low = ((low + 0x06) & 0x0F) + 0x10;
  unsigned sum = (a & 0xF0u) + (value & 0xF0u) + low;
  p.put(flag::kZero, static_cast<u8>(a + value + carry) == 0);
  p.put(flag::kNegative, sum & 0x80);
  p.put(flag::kOverflow, ~(a ^ value) & (a ^ sum) & 0x80);
  if (sum > 0x9F) sum += 0x60;
  NESPROOF_FAULT(decimal_adjustment_missing, sum = static_cast<unsigned>(a + value) + carry);
  p.put(flag::kCarry, sum > 0xFF);
  a = static_cast<u8>(sum);
}

// NMOS: all flags are those of the binary difference.
OPERATION void CPU::sbc_decimal(u8 value) {
  const int borrow = p.has(flag::kCarry) ? 0 : 1;
  const int difference = a - value - borrow;
  int low = (a & 0x0F) - (value & 0x0F) - borrow;
  if (low < 0) low = ((low - 0x06) & 0x0F) - 0x10;
  int result = (a & 0xF0) - (value & 0xF0) + low;
  if (result < 0) result -= 0x60;
  p.put(flag::kCarry, difference >= 0);
  p.put(flag::kOverflow, (a ^ value) & (a ^ difference) & 0x80);
  p.put_negative_zero(static_cast<u8>(difference));
  a = static_cast<u8>(result);
}

OPERATION void CPU::compare(u8 register_, u8 value) {
  p.put(flag::kCarry, register_ >= value);
  p.put_negative_zero(static_cast<u8>(register_ - value));
}
OPERATION void CPU::cmp(u8 value) { compare(a, value); }
OPERATION void CPU::cpx(u8 value) { compare(x, value); }
OPERATION void CPU::cpy(u8 value) { compare(y, value); }

// --- Read-modify-write

OPERATION u8 CPU::asl(u8 value) {
  p.put(flag::kCarry, value & 0x80);
  value = static_cast<u8>(value << 1);
  p.put_negative_zero(value);
  return value;
}

OPERATION u8 CPU::lsr(u8 value) {
  p.put(flag::kCarry, value & 0x01);
  value = static_cast<u8>(value >> 1);
  p.put_negative_zero(value);
  return value;
}

OPERATION u8 CPU::rol(u8 value) {
  const u8 carry_in = p.has(flag::kCarry) ? 0x01 : 0;
  p.put(flag::kCarry, value & 0x80);
  value = static_cast<u8>(value << 1 | carry_in);
  p.put_negative_zero(value);
  return value;
}

OPERATION u8 CPU::ror(u8 value) {
  const u8 carry_in = p.has(flag::kCarry) ? 0x80 : 0;
  p.put(flag::kCarry, value & 0x01);
  value = static_cast<u8>(value >> 1 | carry_in);
  p.put_negative_zero(value);
  return value;
}

OPERATION u8 CPU::inc(u8 value) {
  p.put_negative_zero(++value);
  return value;
}

OPERATION u8 CPU::dec(u8 value) {
  p.put_negative_zero(--value);
  return value;
}

// --- Registers and flags

OPERATION void CPU::tax() { ldx(a); }
OPERATION void CPU::tay() { ldy(a); }
OPERATION void CPU::tsx() { ldx(s); }
OPERATION void CPU::txa() { lda(x); }
OPERATION void CPU::txs() { s = x; }
OPERATION void CPU::tya() { lda(y); }
OPERATION void CPU::inx() { ldx(static_cast<u8>(x + 1)); }
OPERATION void CPU::iny() { ldy(static_cast<u8>(y + 1)); }
OPERATION void CPU::dex() { ldx(static_cast<u8>(x - 1)); }
OPERATION void CPU::dey() { ldy(static_cast<u8>(y - 1)); }
OPERATION void CPU::clc() { p.put(flag::kCarry, false); }
OPERATION void CPU::sec() { p.put(flag::kCarry, true); }
OPERATION void CPU::cli() { p.put(flag::kInterruptDisable, false); }
OPERATION void CPU::sei() { p.put(flag::kInterruptDisable, true); }
OPERATION void CPU::clv() { p.put(flag::kOverflow, false); }
OPERATION void CPU::cld() { p.put(flag::kDecimal, false); }
OPERATION void CPU::sed() { p.put(flag::kDecimal, true); }
OPERATION void CPU::nop() {}

#undef OPERATION
#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
