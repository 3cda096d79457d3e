// Sequences that no fast machine runs: interrupts, BRK, reset, jamming. https://www.nesdev.org/wiki/CPU_interrupts
#pragma once

#include "core/cpu/registers.hpp"

namespace nesproof::core {

namespace vector {
inline constexpr u32 kNmi = 0xFFFA, kReset = 0xFFFC, kIrq = 0xFFFE;
}  // namespace vector

// From the third cycle of the sequence on. An NMI that has come by the end of the fourth takes the vector
// ("hijacking"). Nothing polls, so that a handler's first instruction always runs.
template <class M>
NESPROOF_INLINE void enter_interrupt(M& m, u32 pushed_status) {
  const u32 from = m.pc();
  m.push(from >> 8);
  m.push(from & 0xFF);
  const u32 vector = m.take_nmi() ? vector::kNmi : vector::kIrq;
  m.push(pushed_status);
  m.controls |= status::kInterruptDisable;
  const u32 low = m.read(vector);
  m.jump(low | m.read(vector + 1) << 8);
  m.forget_interrupt();
}

template <class M>
NESPROOF_INLINE void interrupt_sequence(M& m) {
  m.idle_fetch();
  m.idle_fetch();
  enter_interrupt(m, packed_status(m));
}

// An interrupt sequence that reads where it would push, hence S - 3.
template <class M>
NESPROOF_INLINE void reset_sequence(M& m) {
  m.idle_fetch();
  m.idle_fetch();
  for (u32 push = 0; push < 3; ++push) {
    m.idle_read(0x0100 | m.s);
    m.s = (m.s - 1) & 0xFF;
  }
  m.controls |= status::kInterruptDisable;
  const u32 low = m.read(vector::kReset);
  m.jump(low | m.read(vector::kReset + 1) << 8);
}

// The address bus passes over the vectors and comes to rest on $FFFF.
template <class M>
NESPROOF_INLINE void jam(M& m) {
  m.idle_fetch();
  m.idle_read(0xFFFF);
  m.idle_read(0xFFFE);
  m.idle_read(0xFFFE);
  m.stop();
}

}  // namespace nesproof::core
