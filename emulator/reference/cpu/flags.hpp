// The processor status register P: https://www.nesdev.org/wiki/Status_flags
//
//   7654 3210
//   NV1B DIZC
//
// B and the 1 exist only in the byte that goes to the stack; the stored register keeps bit 5 set and B clear.
#pragma once

#include "reference/types.hpp"

namespace nesproof::reference {

namespace flag {
inline constexpr u8 kCarry = 0x01;
inline constexpr u8 kZero = 0x02;
inline constexpr u8 kInterruptDisable = 0x04;
inline constexpr u8 kDecimal = 0x08;
inline constexpr u8 kBreak = 0x10;
inline constexpr u8 kAlwaysSet = 0x20;
inline constexpr u8 kOverflow = 0x40;
inline constexpr u8 kNegative = 0x80;
}  // namespace flag

class ProcessorStatus {
 public:
  constexpr bool has(u8 mask) const { return bits & mask; }
  constexpr void put(u8 mask, bool on) { bits = static_cast<u8>(on ? bits | mask : bits & ~mask); }
  constexpr void put_negative_zero(u8 value) {
    bits = static_cast<u8>((bits & ~(flag::kNegative | flag::kZero)) | (value & flag::kNegative) |
                           (value == 0 ? flag::kZero : 0));
  }
  constexpr u8 pushed_by_instruction() const { return bits | flag::kBreak; }
  constexpr u8 pushed_by_interrupt() const { return bits; }
  constexpr void pull(u8 value) { bits = static_cast<u8>((value & ~flag::kBreak) | flag::kAlwaysSet); }

  u8 bits = flag::kAlwaysSet;
};

}  // namespace nesproof::reference
