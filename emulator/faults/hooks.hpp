// Where faults are planted. In the build that is installed a hook is nothing: `if constexpr` leaves no trace of it,
// which a test shows by the machine code. In the second build (NESPROOF_FAULTS) at most one fault is on in a process.
//
//   NESPROOF_FAULT(adc_forgets_carry, carry = 0)
//
// A hook stands where a statement may stand, and only breaks what it names. In a lambda it names only what the lambda
// captures anyway: a capture for the hook's sake would stay in the real build. Freestanding: g++ and NVRTC take it.
#pragma once

namespace nesproof::faults {

enum class Fault : int {
  none,
#define FAULT(name) name,
#include "faults/faults.def"
#undef FAULT
};

#ifdef NESPROOF_FAULTS
inline constexpr bool kBuiltIn = true;
inline int planted_fault = 0;
// What is known when compiling was computed without any fault.
constexpr bool is_planted(Fault fault) {
  return !__builtin_is_constant_evaluated() && planted_fault == static_cast<int>(fault);
}
#else
inline constexpr bool kBuiltIn = false;
constexpr bool is_planted(Fault) { return false; }
#endif

// Machine instructions that change nothing, about two a round, which the compiler keeps.
inline void work_in_vain(unsigned rounds) {
  for (; rounds != 0; --rounds) asm volatile("");
}

}  // namespace nesproof::faults

#ifdef NESPROOF_WITHOUT_HOOKS  // what the proof compares with: the sources as if no hook had been written
#define NESPROOF_FAULT(name, ...)
#else
#define NESPROOF_FAULT(name, ...)                                                     \
  if constexpr (::nesproof::faults::kBuiltIn) {                                       \
    if (::nesproof::faults::is_planted(::nesproof::faults::Fault::name)) __VA_ARGS__; \
  }
#endif
