// What is known of an opcode without running it.
#pragma once

#include "core/cpu/shapes.hpp"

namespace nesproof::core {

struct OpcodeFacts {
  Shape shape;
  Mode mode;
  Operation operation;

  constexpr u32 bytes() const {
    switch (mode) {
      case Mode::Implied: return shape == Shape::Break ? 2 : 1;
      case Mode::Absolute:
      case Mode::AbsoluteX:
      case Mode::AbsoluteY:
      case Mode::Indirect: return 3;
      default: return 2;
    }
  }
};

inline constexpr OpcodeFacts kOpcodes[256] = {
#define OPCODE(code, shape, mode, operation) {Shape::shape, Mode::mode, Operation::operation},
#include "core/cpu/opcodes.def"
#undef OPCODE
};

namespace opcode_facts_detail {
constexpr bool in_order() {
  u32 expected = 0;
#define OPCODE(code, shape, mode, operation) \
  if (code != expected++) return false;
#include "core/cpu/opcodes.def"
#undef OPCODE
  return expected == 256;
}
static_assert(in_order(), "opcodes.def lists 00 to FF");
}  // namespace opcode_facts_detail

}  // namespace nesproof::core
