// Whole instructions from PRG-ROM, as long as nothing but RAM and ROM is touched and no event is near.
//
// The machine lives in registers: nothing in its loop is called, and whatever is not RAM or ROM is left, before it has
// changed anything, to the exact machine. Accesses that do nothing are only counted, so that an instruction's time is a
// constant but for its index's carry. Instructions come from the code map (code_map.hpp), which has dealt with all that
// is known before running.
#pragma once

#include "core/bus/exact.hpp"
#include "core/cpu/code_map.hpp"

namespace nesproof::core {

enum class FastExit : u8 {
  Time,      // the deadline
  Exact,     // an instruction for the exact machine
  IdleLoop,  // at the end of one
  Block,     // at the start of a basic block, where blocks were asked for
};

// How many cycles a run of instructions takes at most.
inline constexpr u32 kLongestInstruction = 8;
inline constexpr u32 kLongestRun = code_map_detail::kLongestRun * kLongestInstruction;

// An offset in PRG-ROM in the width of the machine's addresses, so that it needs no widening before each look.
#if defined(__CUDACC_RTC__)
using FastOffset = u32;
using SignedFastOffset = i32;
#else
using FastOffset = u64;
using SignedFastOffset = i64;
#endif

// What instructions seldom read. A compiler that has few registers is told to keep these out of them (threaded.hpp).
struct FastMachineRest {
  u32 overflow, controls;  // as in Registers
  u32 origin;              // PC less its offset in PRG-ROM
};

template <class S>
struct FastMachine {
  static constexpr bool kRefuses = true;

  // As in Registers
  u32 a, x, y, s;
  u32 carry, result;
  u32& overflow;
  u32& controls;

  u32& origin;
  S console;
  const u32* code;
  const u8* rom;
  FastOffset at;  // in PRG-ROM, of the next instruction
  u32 word;       // of the instruction under way
  i32 left;       // cycles until the deadline

  // Of the instruction under way: what it has taken so far. `at` and `left` follow when it has ended, so that one which
  // is refused has changed neither.
  u32 spent;
  u32 passed;
  bool turned;  // a branch was taken

  NESPROOF_INLINE FastMachine(const ExactMachine<S>& m, FastMachineRest& rest, u32 deadline)
      : a(m.a),
        x(m.x),
        y(m.y),
        s(m.s),
        carry(m.carry),
        result(m.result),
        overflow(rest.overflow),
        controls(rest.controls),
        origin(rest.origin),
        console(m.console),
        code(console.cartridge->code_map),
        rom(console.cartridge->prg_rom),
        at(0),
        word(0),
        left(since(deadline, m.now)),
        spent(0),
        passed(0),
        turned(false) {
    overflow = m.overflow;
    controls = m.controls;
    jump(m.program_counter);
  }
  NESPROOF_INLINE void store(ExactMachine<S>& m, u32 deadline) const {
    m.a = a;
    m.x = x;
    m.y = y;
    m.s = s;
    m.carry = carry;
    m.result = result;
    m.overflow = overflow;
    m.controls = controls;
    m.program_counter = pc();
    m.now = deadline - static_cast<u32>(left);
  }

  // --- Instructions

  // The opcode of the instruction that is next; PC stays until it is begun.
  NESPROOF_INLINE u32 look() {
    word = code[at];
    return word & kFastOpcodeMask;
  }
  NESPROOF_INLINE void begin() {
    spent = passed = 1;
    turned = false;
  }
  NESPROOF_INLINE void end() {
    left -= static_cast<i32>(spent);
    at += passed;
    spent = passed = 0;
  }
  // Before the instruction that was refused.
  NESPROOF_INLINE FastExit refused() {
    spent = passed = 0;
    return first_opcode(code[at]) == FastOpcode::IdleLoop ? FastExit::IdleLoop : FastExit::Exact;
  }

  // --- What shapes.hpp asks of a machine

  NESPROOF_INLINE void spend(u32 cycles) { spent += cycles; }
  NESPROOF_INLINE u32 fetch() {
    spend(1);
    ++passed;
    return word >> 16;
  }
  NESPROOF_INLINE u32 fetch_last() { return fetch(); }
  NESPROOF_INLINE u32 fetch_low() {
    spend(1);
    ++passed;
    return word >> 16 & 0xFF;
  }
  NESPROOF_INLINE u32 fetch_high_last() {
    spend(1);
    ++passed;
    return word >> 24;
  }
  NESPROOF_INLINE u32 fetch_word() {
    spend(2);
    passed += 2;
    return word >> 16;
  }
  NESPROOF_INLINE void idle_fetch() { spend(1); }
  NESPROOF_INLINE void idle_fetch_last() { spend(1); }
  NESPROOF_INLINE void idle_read(u32) { spend(1); }
  template <Access kAccess>
  NESPROOF_INLINE void idle_index(u32 base, u32 sum) {
    spend(kAccess == Access::Write ? 1 : (base ^ sum) >> 8 & 1);
  }

  NESPROOF_INLINE u8& ram(u32 index) const { return console.bus_ram(index); }
  NESPROOF_INLINE u32 zero_page(u32 index) {
    spend(1);
    return ram(index);
  }
  // The code map sees to it that the pointer does not lie across the zero page's end.
  NESPROOF_INLINE u32 zero_page_pointer(u32 index) {
    spend(2);
    return ram(index) | static_cast<u32>(ram(index + 1)) << 8;
  }
  NESPROOF_INLINE u32 stack(u32 index) {
    spend(1);
    return ram(0x0100 + index);
  }
  NESPROOF_INLINE u32 stack_last(u32 index) { return stack(index); }
  NESPROOF_INLINE void push(u32 value) {
    spend(1);
    ram(0x0100 + s) = static_cast<u8>(value);
    s = (s - 1) & 0xFF;
  }
  NESPROOF_INLINE void push_last(u32 value) { push(value); }

  static constexpr bool is_in_ram(Mode mode) {
    switch (mode) {
      case Mode::ZeroPage:
      case Mode::ZeroPageX:
      case Mode::ZeroPageY:
      case Mode::Ram:
      case Mode::RamX:
      case Mode::RamY: return true;
      default: return false;
    }
  }

  // Where the address with its carry is RAM or ROM, the one without it has no effects either: it is RAM, ROM, open bus
  // or PRG-RAM.
  template <Mode kMode>
  NESPROOF_INLINE bool read_last(u32 from, u32& value) {
    spend(1);
    if constexpr (is_in_ram(kMode)) {
      value = ram(from);
    } else if constexpr (kMode == Mode::RomX || kMode == Mode::RomY) {
      value = rom[from];
    } else if (from < 0x2000) {
      value = ram(from & 0x07FF);
    } else {
      if (from < 0x8000) return false;
      value = rom[S::Board::prg_offset(console, static_cast<u16>(from))];
    }
    return true;
  }
  NESPROOF_INLINE bool read_pointer_last(u32 low_at, u32 high_at, u32& target) {
    spend(2);
    if (low_at < 0x2000) {
      target = ram(low_at & 0x07FF) | static_cast<u32>(ram(high_at & 0x07FF)) << 8;
    } else {
      if (low_at < 0x8000) return false;
      target = console.prg(static_cast<u16>(low_at)) | static_cast<u32>(console.prg(static_cast<u16>(high_at))) << 8;
    }
    return target >= 0x8000;
  }
  template <Mode kMode>
  NESPROOF_INLINE bool write_last(u32 to, u32 value) {
    spend(1);
    if constexpr (!is_in_ram(kMode)) {
      if (to >= 0x2000) return false;
      to &= 0x07FF;
    }
    ram(to) = static_cast<u8>(value);
    return true;
  }
  template <Mode kMode>
  NESPROOF_INLINE bool modify_begin(u32& at_address, u32& value) {
    spend(2);
    if constexpr (!is_in_ram(kMode)) {
      if (at_address >= 0x2000) return false;
      at_address &= 0x07FF;
    }
    value = ram(at_address);
    return true;
  }
  template <Mode kMode>
  NESPROOF_INLINE void modify_end(u32 to, u32 value) {
    write_last<Mode::Ram>(to, value);
  }

  NESPROOF_INLINE u32 pc() const { return (static_cast<u32>(at) + passed + origin) & 0xFFFF; }
  // To ROM: the code map and can_return see to that.
  NESPROOF_INLINE void jump(u32 target) {
    at = S::Board::prg_offset(console, static_cast<u16>(target));
    passed = 0;
    origin = target - static_cast<u32>(at);
  }
  NESPROOF_INLINE void return_to(u32 target) {
    spend(1);
    jump((target + 1) & 0xFFFF);
  }
  // Within the window: the code map sees to that.
  NESPROOF_INLINE void branch(u32) {
    turned = true;
    spend(word >> 10 & 0x3F);
    at += static_cast<FastOffset>(static_cast<SignedFastOffset>(static_cast<i32>(word) >> 16));
  }
  // Whether what lies `depth` bytes deep in the stack, plus `skip`, is in ROM.
  NESPROOF_INLINE bool can_return(u32 depth, u32 skip) const {
    const u32 low = ram(0x0100 + ((s + depth + 1) & 0xFF)), high = ram(0x0100 + ((s + depth + 2) & 0xFF));
    return ((low + (high << 8) + skip) & 0x8000) != 0;
  }
  // With an IRQ waiting, the instruction that lets it in is the exact machine's.
  NESPROOF_INLINE bool can_unmask() const { return console.cpu_irq_line() == 0; }
};

struct FastFacts {
  Shape shape;
  Mode mode;
  Operation operation;
};
inline constexpr FastFacts kFastFacts[] = {
    {},
    {},
#define FAST_OPCODE(name, shape, mode, operation) {Shape::shape, Mode::mode, Operation::operation},
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
};

template <FastOpcode kOpcode, class S>
NESPROOF_INLINE bool execute_fast(FastMachine<S>& m) {
  constexpr FastFacts facts = kFastFacts[static_cast<u32>(kOpcode)];
  return execute<facts.shape, facts.mode, facts.operation>(m);
}

constexpr bool ends_block(Shape shape) {
  switch (shape) {
    case Shape::Branch:
    case Shape::Jump:
    case Shape::JumpIndirect:
    case Shape::Call:
    case Shape::Return:
    case Shape::ReturnFromInterrupt: return true;
    default: return false;
  }
}

// Runs from a boundary before `deadline` until a boundary at or after it (by less than a unit), or until the exact
// machine is needed. The longest instruction takes 8 cycles. With `kBlocks`, until the first branch or jump has been
// run.
template <bool kBlocks, class S>
NESPROOF_INLINE FastExit run_fast_switched(ExactMachine<S>& exact, u32 deadline) {
  FastMachineRest rest{};
  FastMachine<S> m(exact, rest, deadline);
  FastExit exit = FastExit::Time;
  while (m.left > 0) {
    bool done = false, block_ends = false;
    m.look();
    switch (first_opcode(m.code[m.at])) {
#define FAST_OPCODE(name, shape, mode, operation)                      \
  case FastOpcode::name:                                               \
    m.begin();                                                         \
    done = execute<Shape::shape, Mode::mode, Operation::operation>(m); \
    block_ends = ends_block(Shape::shape);                             \
    break;
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
      default: break;
    }
    if (!done) {
      exit = m.refused();
      break;
    }
    m.end();
    if (kBlocks && block_ends) {
      exit = FastExit::Block;
      break;
    }
  }
  m.store(exact, deadline);
  return exit;
}

}  // namespace nesproof::core
