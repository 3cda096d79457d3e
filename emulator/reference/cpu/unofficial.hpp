// What the unofficial instructions compute: https://www.nesdev.org/wiki/CPU_unofficial_opcodes
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

#define CPU_MEMBER template <class Bus, Variant kVariant>
#define CPU Cpu<Bus, kVariant>
#define OPERATION CPU_MEMBER inline

OPERATION void CPU::ignore(u8 /*value*/) {}

OPERATION void CPU::lax(u8 value) {
  lda(value);
  NESPROOF_FAULT(lax_leaves_x, return);
  x = value;
}

OPERATION void CPU::las(u8 value) {
  s &= value;
  lax(s);
}

// --- Two operations at once

OPERATION u8 CPU::slo(u8 value) {
  value = asl(value);
  ora(value);
  return value;
}

OPERATION u8 CPU::rla(u8 value) {
  value = rol(value);
  and_(value);
  return value;
}

OPERATION u8 CPU::sre(u8 value) {
  value = lsr(value);
  eor(value);
  return value;
}

OPERATION u8 CPU::rra(u8 value) {
  value = ror(value);
  adc(value);
  return value;
}

OPERATION u8 CPU::dcp(u8 value) {
  value = dec(value);
  cmp(value);
  return value;
}

OPERATION u8 CPU::isc(u8 value) {
  value = inc(value);
  sbc(value);
  return value;
}

// --- Immediate

OPERATION void CPU::anc(u8 value) {
  and_(value);
  p.put(flag::kCarry, a & 0x80);
}

OPERATION void CPU::alr(u8 value) { a = lsr(a & value); }

OPERATION void CPU::arr(u8 value) {
  if (kVariant == Variant::Mos6502 && p.has(flag::kDecimal)) return arr_decimal(value);
  a = ror(a & value);
  p.put(flag::kCarry, a & 0x40);
  p.put(flag::kOverflow, (a ^ a << 1) & 0x40);
}

// UNVERIFIED: no test at hand reaches it; vectors with the decimal flag would settle it.
// http://www.oxyron.de/html/opcodes02.html
OPERATION void CPU::arr_decimal(u8 value) {
  const u8 anded = a & value;
  u8 result = static_cast<u8>(anded >> 1 | (p.has(flag::kCarry) ? 0x80 : 0));
  p.put_negative_zero(result);
  p.put(flag::kOverflow, (anded ^ result) & 0x40);
  if ((anded & 0x0F) + (anded & 0x01) > 0x05) result = static_cast<u8>((result & 0xF0) | ((result + 0x06) & 0x0F));
  const bool carry = (anded & 0xF0) + (anded & 0x10) > 0x50;
  if (carry) result = static_cast<u8>(result + 0x60);
  p.put(flag::kCarry, carry);
  a = result;
}

OPERATION void CPU::sbx(u8 value) {
  const u8 both = a & x;
  compare(both, value);
  x = static_cast<u8>(both - value);
}

// --- Unstable: A is mixed with a constant that differs from chip to chip, even from minute to minute.
// UNVERIFIED: FF is what instr_test-v5 expects of AB; a 2A03G on a test bench would settle both.

OPERATION void CPU::ane(u8 value) { lda((a | 0xFF) & x & value); }
OPERATION void CPU::lxa(u8 value) { lax((a | 0xFF) & value); }

OPERATION u8 CPU::tas() {
  s = a & x;
  return s;
}

#undef OPERATION
#undef CPU
#undef CPU_MEMBER

}  // namespace nesproof::reference
