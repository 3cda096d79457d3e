// The 6502's registers as the core works with them: https://www.nesdev.org/wiki/Status_flags
//
// P lies in pieces, so that no instruction assembles what the next one overwrites. N and Z are those of the last
// result; C is a number to add; V is whatever is not 0; the rest changes seldom.
#pragma once

#include "core/cpu/inlining.hpp"
#include "core/types.hpp"

namespace nesproof::core {

namespace status {
inline constexpr u32 kCarry = 0x01, kZero = 0x02, kInterruptDisable = 0x04, kDecimal = 0x08;
inline constexpr u32 kBreak = 0x10, kAlwaysSet = 0x20, kOverflow = 0x40, kNegative = 0x80;
}  // namespace status

struct Registers {
  u32 a = 0, x = 0, y = 0, s = 0;     // 00-FF
  u32 carry = 0;                      // 0 or 1
  u32 result = 1;                     // Z: the low byte is 0. N: bit 7 or bit 8
  u32 overflow = 0;                   // V: not 0
  u32 controls = status::kAlwaysSet;  // I, D and the bit that is always set
};

template <class R>
NESPROOF_INLINE bool is_negative(const R& r) {
  return (r.result & 0x180) != 0;
}
template <class R>
NESPROOF_INLINE bool is_zero(const R& r) {
  return static_cast<u8>(r.result) == 0;
}

// P as the register holds it: bit 5 set, B clear.
template <class R>
NESPROOF_INLINE u32 packed_status(const R& r) {
  return r.controls | r.carry | (is_zero(r) ? status::kZero : 0) | (r.overflow != 0 ? status::kOverflow : 0) |
         (is_negative(r) ? status::kNegative : 0);
}
// From a byte of the stack, whose bits 4 and 5 are not real.
template <class R>
NESPROOF_INLINE void unpack_status(R& r, u32 p) {
  r.carry = p & status::kCarry;
  r.result = (p & status::kNegative) << 1 | (p & status::kZero ? 0u : 1u);
  r.overflow = p & status::kOverflow;
  r.controls = (p & (status::kInterruptDisable | status::kDecimal)) | status::kAlwaysSet;
}

inline bool same_registers(const Registers& left, const Registers& right) {
  return left.a == right.a && left.x == right.x && left.y == right.y && left.s == right.s &&
         packed_status(left) == packed_status(right);
}

}  // namespace nesproof::core
