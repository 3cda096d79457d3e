// The fast machine under a compiler that takes the address of a label: one indirect jump at the end of each opcode's
// text, so that the processor predicts each by a history of its own.
#pragma once

#include "core/cpu/fast.hpp"

namespace nesproof::core {

#if defined(__GNUC__) && !defined(__CUDACC_RTC__)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// As run_fast_switched<false>.
template <class S>
NESPROOF_OUTLINE FastExit run_fast(ExactMachine<S>& exact, u32 deadline) {
  static const void* const kHandlers[] = {
      &&refused,
      &&refused,
#define FAST_OPCODE(name, shape, mode, operation) &&handler_##name,
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
  };
  FastMachineRest rest;
  asm volatile("" : : "r"(&rest) : "memory");  // keeps `rest` in memory: what is left over fits in registers
  FastMachine<S> m(exact, rest, deadline);
  FastExit exit = FastExit::Time;
  u32 start = 0, start_s = 0;
  i32 start_left = 0;

#define NEXT()                    \
  if (m.left <= 0) goto finished; \
  start = m.at;                   \
  start_left = m.left;            \
  start_s = m.s;                  \
  goto* kHandlers[m.look()];

  NEXT()
#define FAST_OPCODE(name, shape, mode, operation)                                \
  handler_##name : m.template begin<Shape::shape>();                             \
  if (!execute<Shape::shape, Mode::mode, Operation::operation>(m)) goto refused; \
  NEXT()
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
#undef NEXT

refused:
  exit = m.refuse(start, start_left, start_s);
finished:
  m.store(exact, deadline);
  return exit;
}

#pragma GCC diagnostic pop

#else

template <class S>
NESPROOF_OUTLINE FastExit run_fast(ExactMachine<S>& exact, u32 deadline) {
  return run_fast_switched<false>(exact, deadline);
}

#endif

}  // namespace nesproof::core
