// A CPU alone on 64 KiB of RAM, each access one cycle: for suites that test instructions.
#pragma once

#include "core/cpu/shapes.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

struct FlatMachine : Registers {
  static constexpr bool kRefuses = false;

  u8* memory = nullptr;  // 65,536 bytes
  u32 program_counter = 0;
  u64 cycles = 0;
  bool jammed = false;

  // --- What shapes.hpp asks of a machine
  u32 read(u32 at) {
    ++cycles;
    return memory[at & 0xFFFF];
  }
  void write(u32 at, u32 value) {
    ++cycles;
    memory[at & 0xFFFF] = static_cast<u8>(value);
  }
  u32 fetch() {
    const u32 value = read(program_counter);
    program_counter = (program_counter + 1) & 0xFFFF;
    return value;
  }
  u32 fetch_last() { return fetch(); }
  u32 fetch_low() { return fetch(); }
  u32 fetch_high_last() { return fetch_last(); }
  u32 fetch_word() {
    const u32 low = fetch();
    return low | fetch() << 8;
  }
  void idle_fetch() { ++cycles; }
  void idle_fetch_last() { ++cycles; }
  void idle_read(u32) { ++cycles; }
  void idle_read_held(u32) { ++cycles; }
  template <Access kAccess>
  void idle_index(u32 base, u32 sum) {
    if (kAccess == Access::Write || (base ^ sum) & 0xFF00) ++cycles;
  }
  bool hold_for_dma(u32) { return false; }
  u32 zero_page(u32 at) { return read(at); }
  u32 zero_page_pointer(u32 at) { return pointer_at(*this, at); }
  u32 stack(u32 at) { return read(0x0100 | at); }
  u32 stack_last(u32 at) { return stack(at); }
  void push(u32 value) {
    write(0x0100 | s, value);
    s = (s - 1) & 0xFF;
  }
  void push_last(u32 value) { push(value); }
  template <Mode kMode>
  bool read_last(u32 at, u32& value) {
    value = read(at);
    return true;
  }
  bool read_pointer_last(u32 low_at, u32 high_at, u32& target) {
    target = read(low_at);
    target |= read(high_at) << 8;
    return true;
  }
  template <Mode kMode>
  bool modify_begin(u32 at, u32& value) {
    value = read(at);
    write(at, value);
    return true;
  }
  template <Mode kMode>
  void modify_end(u32 at, u32 value) {
    write(at, value);
  }
  template <Mode kMode>
  bool write_last(u32 at, u32 value) {
    write(at, value);
    return true;
  }
  u32 pc() const { return program_counter; }
  void jump(u32 target) { program_counter = target; }
  void return_to(u32 target) {
    ++cycles;
    program_counter = (target + 1) & 0xFFFF;
  }
  void branch(u32 offset) {
    const u32 target = (program_counter + static_cast<u32>(static_cast<i8>(offset))) & 0xFFFF;
    u32 more = (target ^ program_counter) & 0xFF00 ? 2 : 1;
    NESPROOF_FAULT(branch_to_another_page_short, more = 1);
    cycles += more;
    program_counter = target;
  }
  static constexpr bool can_return(u32, u32) { return true; }
  static constexpr bool can_unmask() { return true; }
  static constexpr bool take_nmi() { return false; }
  static constexpr void forget_interrupt() {}
  void stop() { jammed = true; }
};

// One instruction, or one cycle of a jammed CPU.
inline void step_flat(FlatMachine& m) {
  if (m.jammed) {
    m.idle_read(0xFFFF);
    return;
  }
  switch (m.fetch()) {
#define OPCODE(code, shape, mode, operation) \
  case code: execute<Shape::shape, Mode::mode, Operation::operation>(m); break;
#include "core/cpu/opcodes.def"
#undef OPCODE
  }
}

// Runs until an instruction jumps to itself (that jump counted) or the CPU jams; false at `max_instructions`, which
// counts down.
inline bool run_flat_until_trap(FlatMachine& m, u64& max_instructions) {
  while (max_instructions != 0) {
    --max_instructions;
    const u32 before = m.program_counter;
    step_flat(m);
    if (m.program_counter == before || m.jammed) return true;
  }
  return false;
}

}  // namespace nesproof::core
