// From boundary to boundary.
#pragma once

#include "faults/hooks.hpp"
#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

template <class Bus, Variant kVariant>
inline void Cpu<Bus, kVariant>::step() {
  if (reset_pending_) {
    reset_sequence();
  } else if (jammed_) {
    read(0xFFFF);
  } else if (interrupt_pending_) {
    NESPROOF_FAULT(nmi_one_instruction_late, if (nmi_pending_) execute(fetch()));
    interrupt_sequence();
  } else {
    execute(fetch());
  }
}

template <class Bus, Variant kVariant>
inline void Cpu<Bus, kVariant>::execute(u8 opcode) {
  switch (opcode) {
#define OPCODE(code, shape, mode, operation) \
  case code: return shape<Mode::mode, &Cpu::operation>();
#include "reference/cpu/opcodes.def"
#undef OPCODE
  }
}

}  // namespace nesproof::reference
