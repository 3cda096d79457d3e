// Loops that wait: nothing in them changes anything, so that an iteration which leaves the registers as they were can
// be followed only by its like, until something from outside comes.
//
// A loop is recognised by what it says, not by whose it is. It is a run of instructions closed by a branch or a jump
// back to its first. They write nothing, read RAM, ROM or $2002 alone, and compute from nothing that the iteration
// before has left: each register and flag is either never changed in the loop or set before it is used. One register
// may count, if nothing else uses it and what closes the loop tests it: a wait that gives up in the end, or a plain
// delay. Branches out of the loop may stand inside; whoever skips iterations watches that none is taken.
#pragma once

#include "core/cpu/opcode_facts.hpp"

namespace nesproof::core {

// A window of PRG-ROM as it stands in the CPU's address space; a power of two of bytes.
struct CodeWindow {
  const u8* bytes;
  u32 size;       // at most 32 KiB
  bool is_fixed;  // nothing else ever stands at $8000-$FFFF

  constexpr u32 word(u32 at) const { return bytes[at + 1] | static_cast<u32>(bytes[at + 2]) << 8; }
  constexpr u32 branch_target(u32 at) const { return at + 2 + static_cast<u32>(static_cast<i8>(bytes[at + 1])); }
};

namespace idle_loops_detail {

inline constexpr u32 kLongestBytes = 64;

// A bit for each thing that an instruction uses or sets.
enum Uses : u32 { kA = 1, kX = 2, kY = 4, kCarryFlag = 8, kOverflowFlag = 16 };

struct Flow {
  bool pure = false;
  u32 uses = 0, sets = 0;
};

constexpr u32 index_of(Mode mode) {
  switch (mode) {
    case Mode::ZeroPageX:
    case Mode::AbsoluteX: return kX;
    case Mode::ZeroPageY:
    case Mode::AbsoluteY: return kY;
    default: return 0;
  }
}

// Whether a read with this mode and operand meets nothing but RAM, ROM and $2002.
constexpr bool reads_quietly(Mode mode, u32 word) {
  switch (mode) {
    case Mode::Immediate:
    case Mode::ZeroPage:
    case Mode::ZeroPageX:
    case Mode::ZeroPageY: return true;
    case Mode::Absolute: return word < 0x2000 || word >= 0x8000 || (word < 0x4000 && (word & 7) == 2);
    case Mode::AbsoluteX:
    case Mode::AbsoluteY: return word < 0x1F00 || (word >= 0x8000 && word < 0xFF00);
    default: return false;
  }
}

constexpr Flow flow_of(OpcodeFacts facts, u32 word) {
  using enum Operation;
  if (facts.shape == Shape::Read) {
    const u32 index = index_of(facts.mode);
    const bool pure = reads_quietly(facts.mode, word);
    switch (facts.operation) {
      case Lda: return {pure, index, kA};
      case Ldx: return {pure, index, kX};
      case Ldy: return {pure, index, kY};
      case Lax: return {pure, index, kA | kX};
      case And:
      case Ora:
      case Eor: return {pure, index | kA, kA};
      case Bit: return {pure, index | kA, kOverflowFlag};
      case Adc:
      case Sbc: return {pure, index | kA | kCarryFlag, kA | kCarryFlag | kOverflowFlag};
      case Cmp: return {pure, index | kA, kCarryFlag};
      case Cpx: return {pure, index | kX, kCarryFlag};
      case Cpy: return {pure, index | kY, kCarryFlag};
      case Nop: return {pure, index, 0};
      default: return {};
    }
  }
  if (facts.shape == Shape::ShiftA) {
    const bool takes_carry = facts.operation == Rol || facts.operation == Ror;
    return {true, kA | (takes_carry ? kCarryFlag : 0u), kA | kCarryFlag};
  }
  if (facts.shape != Shape::Implied) return {};
  switch (facts.operation) {
    case Tax: return {true, kA, kX};
    case Tay: return {true, kA, kY};
    case Txa: return {true, kX, kA};
    case Tya: return {true, kY, kA};
    case Clc:
    case Sec: return {true, 0, kCarryFlag};
    case Clv: return {true, 0, kOverflowFlag};
    case Nop: return {true, 0, 0};
    default: return {};
  }
}

// What a branch tests. N and Z follow the last result, which a branch as a loop's first instruction would take from the
// iteration before; the closing instruction's own test is of what the loop has computed.
constexpr u32 tested_by(Operation condition) {
  using enum Operation;
  switch (condition) {
    case CarryClear:
    case CarrySet: return kCarryFlag;
    case OverflowClear:
    case OverflowSet: return kOverflowFlag;
    default: return 0;
  }
}

}  // namespace idle_loops_detail

// The first instruction of the loop that the branch or jump at `at` would close; `at` + 1 where it closes none.
constexpr u32 loop_start(const CodeWindow& window, u32 at) {
  const OpcodeFacts facts = kOpcodes[window.bytes[at]];
  if (facts.shape == Shape::Branch) return window.branch_target(at);
  if (facts.shape == Shape::Jump) return window.word(at) >= 0x8000 ? window.word(at) & (window.size - 1) : at + 1;
  return at + 1;
}

// What a loop is: idle if it can be skipped; then `counter` is the operation that counts, Inx, Iny, Dex or Dey, or Nop
// where none does, and `condition` the closing branch's.
struct IdleLoop {
  bool is_idle = false;
  Operation counter = Operation::Nop, condition = Operation::Nop;
};

constexpr bool is_counter(Operation operation) {
  using enum Operation;
  return operation == Inx || operation == Iny || operation == Dex || operation == Dey;
}

// The loop that the instruction at `at` closes, which lies whole within the window.
constexpr IdleLoop idle_loop(const CodeWindow& window, u32 at) {
  using namespace idle_loops_detail;
  const u32 first = loop_start(window, at);
  if (first > at || at - first > kLongestBytes) return {};
  const Operation condition = kOpcodes[window.bytes[at]].operation;
  Operation counter = Operation::Nop;
  u32 set = 0, used_before_set = 0;
  u32 here = first;
  while (here < at) {
    const OpcodeFacts facts = kOpcodes[window.bytes[here]];
    if (here + 1 == at && is_counter(facts.operation)) {
      const bool is_tested = condition == Operation::NotEqual || condition == Operation::Plus;
      const u32 counted = facts.operation == Operation::Inx || facts.operation == Operation::Dex ? kX : kY;
      if (!is_tested || ((used_before_set | set) & counted) != 0) return {};
      counter = facts.operation;
      break;
    }
    if (facts.shape == Shape::Branch) {
      used_before_set |= tested_by(facts.operation) & ~set;
    } else {
      const Flow flow = flow_of(facts, window.word(here));
      if (!flow.pure) return {};
      used_before_set |= flow.uses & ~set;
      set |= flow.sets;
    }
    here += facts.bytes();
  }
  const bool ends_here = here == at || counter != Operation::Nop;
  return {ends_here && (used_before_set & set) == 0, counter, condition};
}

// How often a loop goes on by itself when its counter has reached `value`.
constexpr u32 rounds_left(IdleLoop loop, u32 value) {
  const bool counts_up = loop.counter == Operation::Inx || loop.counter == Operation::Iny;
  if (loop.condition == Operation::NotEqual) return counts_up ? 0xFF - value : value - 1;
  if (value >= 0x80) return 0;
  return counts_up ? 0x7F - value : value;
}
static_assert(rounds_left({true, Operation::Dex, Operation::NotEqual}, 1) == 0);
static_assert(rounds_left({true, Operation::Inx, Operation::NotEqual}, 0xFF) == 0);
static_assert(rounds_left({true, Operation::Dey, Operation::Plus}, 0) == 0);

}  // namespace nesproof::core
