// The fast machine under a compiler that takes the address of a label: one indirect jump at the end of each opcode's
// text, so that the processor predicts each by a history of its own.
#pragma once

#include "core/cpu/fast.hpp"

namespace nesproof::core {

#if defined(__GNUC__) && !defined(__CUDACC_RTC__)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

// As run_fast_switched<false>; but a run of instructions that the code map has fused may begin before the deadline and
// end after it, by less than kLongestRun.
template <class S>
NESPROOF_OUTLINE FastExit run_fast(ExactMachine<S>& exact, u32 deadline) {
  static const void* const kHandlers[] = {
      &&refused,
      &&refused,
#define FAST_OPCODE(name, shape, mode, operation) &&handler_##name,
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
#define FUSED_2(a, b) &&handler_##a##b,
#define FUSED_3(a, b, c) &&handler_##a##b##c,
#define FUSED_4(a, b, c, d) &&handler_##a##b##c##d,
#define FUSED_5(a, b, c, d, e) &&handler_##a##b##c##d##e,
#define FUSED_6(a, b, c, d, e, f) &&handler_##a##b##c##d##e##f,
#define FUSED_7(a, b, c, d, e, f, g) &&handler_##a##b##c##d##e##f##g,
#define FUSED_8(a, b, c, d, e, f, g, h) &&handler_##a##b##c##d##e##f##g##h,
#include "core/cpu/fused_opcodes.def"
#undef FUSED_2
#undef FUSED_3
#undef FUSED_4
#undef FUSED_5
#undef FUSED_6
#undef FUSED_7
#undef FUSED_8
  };
  FastMachineRest rest;
  asm volatile("" : : "r"(&rest) : "memory");  // keeps `rest` in memory: what is left over fits in registers
  FastMachine<S> m(exact, rest, deadline);
  FastExit exit = FastExit::Time;

#define NEXT()                    \
  if (m.left <= 0) goto finished; \
  goto* kHandlers[m.look()];
#define RUN(name)                                       \
  m.begin();                                            \
  if (!execute_fast<FastOpcode::name>(m)) goto refused; \
  m.end();
#define THEN(name)             \
  if (m.turned) {              \
    NEXT()                     \
  }                            \
  static_cast<void>(m.look()); \
  RUN(name)

  NEXT()
#define FAST_OPCODE(name, shape, mode, operation) handler_##name : RUN(name) NEXT()
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
#define FUSED_2(a, b) handler_##a##b : RUN(a) THEN(b) NEXT()
#define FUSED_3(a, b, c) handler_##a##b##c : RUN(a) THEN(b) THEN(c) NEXT()
#define FUSED_4(a, b, c, d) handler_##a##b##c##d : RUN(a) THEN(b) THEN(c) THEN(d) NEXT()
#define FUSED_5(a, b, c, d, e) handler_##a##b##c##d##e : RUN(a) THEN(b) THEN(c) THEN(d) THEN(e) NEXT()
#define FUSED_6(a, b, c, d, e, f) handler_##a##b##c##d##e##f : RUN(a) THEN(b) THEN(c) THEN(d) THEN(e) THEN(f) NEXT()
#define FUSED_7(a, b, c, d, e, f, g) \
  handler_##a##b##c##d##e##f##g : RUN(a) THEN(b) THEN(c) THEN(d) THEN(e) THEN(f) THEN(g) NEXT()
#define FUSED_8(a, b, c, d, e, f, g, h) \
  handler_##a##b##c##d##e##f##g##h : RUN(a) THEN(b) THEN(c) THEN(d) THEN(e) THEN(f) THEN(g) THEN(h) NEXT()
#include "core/cpu/fused_opcodes.def"
#undef FUSED_2
#undef FUSED_3
#undef FUSED_4
#undef FUSED_5
#undef FUSED_6
#undef FUSED_7
#undef FUSED_8
#undef THEN
#undef RUN
#undef NEXT

refused:
  exit = m.refused();
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
