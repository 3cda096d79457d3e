// Bus shapes: the order of accesses that a family of instructions shares, written once for every machine that the core
// runs instructions on. https://www.nesdev.org/6502_cpu.txt
//
// A machine M has the registers, and for each cycle of an instruction one of these:
//
//   fetch(), fetch_last()                        an operand of one byte, from PC, which moves on
//   fetch_low(), fetch_high_last(), fetch_word() one of two bytes
//   idle_fetch(), idle_fetch_last()              the byte at PC, for nothing
//   zero_page(at), stack(at)                     a byte of RAM below $0100, of $0100-$01FF
//   zero_page_pointer(at)                        two bytes that stay in the zero page
//   idle_read(at), idle_index<access>(base, sum) a read for nothing; the one at an address whose carry is missing
//   read_last<mode>(at, value)                   a read that may be refused, and so may be
//   modify_begin<mode>(at, value), modify_end    read and write back, then write
//   write_last<mode>(at, value), push, push_last
//   pc(), jump(target), branch(offset), return_to(target)
//   can_return(depth, skip), can_unmask(), kRefuses   what a machine refuses by what it would do
//
// "last" is the cycle before which interrupts are polled. A shape is false where its machine refuses the instruction
// before anything but PC and time has changed; another machine then runs it from its start. Which is how the fast
// machine (fast.hpp) leaves I/O and rarities to the exact one (bus/exact.hpp), which refuses nothing.
#pragma once

#include "core/cpu/interrupts.hpp"
#include "core/cpu/operations.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

enum class Mode : u8 {
  Implied,
  Immediate,
  Relative,
  ZeroPage,
  ZeroPageX,
  ZeroPageY,
  Absolute,
  AbsoluteX,
  AbsoluteY,
  Indirect,
  IndirectX,
  IndirectY,
  // What an absolute address is found to be when a cartridge is loaded (code_map.hpp): in RAM, or in ROM, wherever the
  // index leads.
  Ram,
  RamX,
  RamY,
  RomX,
  RomY,
};

enum class Shape : u8 {
  Read,
  Store,
  StoreUnstable,
  Modify,
  ShiftA,
  Implied,
  Branch,
  Push,
  Pull,
  Jump,
  JumpIndirect,
  Call,
  Return,
  ReturnFromInterrupt,
  Break,
  Jam,
};

enum class Access : u8 { Read, Write };

// --- Addresses: https://www.nesdev.org/wiki/CPU_addressing_modes

// The low byte of the sum is there a cycle before its carry; the address without it is read if the carry matters, and
// always before a write.
template <Access kAccess, class M>
NESPROOF_INLINE u32 indexed(M& m, u32 base, u32 index) {
  const u32 sum = (base + index) & 0xFFFF;
  NESPROOF_FAULT(page_cross_cycle_dropped, if (kAccess == Access::Read) return sum);
  m.template idle_index<kAccess>(base, sum);
  return sum;
}

template <class M>
NESPROOF_INLINE u32 zero_page_indexed(M& m, u32 index) {
  const u32 base = m.fetch();
  m.idle_read(base);
  return (base + index) & 0xFF;
}

template <class M>
NESPROOF_INLINE u32 pointer_at(M& m, u32 at) {
  const u32 low = m.zero_page(at);
  return low | m.zero_page((at + 1) & 0xFF) << 8;
}

template <Mode kMode, Access kAccess, class M>
NESPROOF_INLINE u32 effective_address(M& m) {
  if constexpr (kMode == Mode::ZeroPage) {
    return m.fetch();
  } else if constexpr (kMode == Mode::ZeroPageX) {
    return zero_page_indexed(m, m.x);
  } else if constexpr (kMode == Mode::ZeroPageY) {
    return zero_page_indexed(m, m.y);
  } else if constexpr (kMode == Mode::Absolute || kMode == Mode::Ram) {
    return m.fetch_word();
  } else if constexpr (kMode == Mode::AbsoluteX || kMode == Mode::RamX || kMode == Mode::RomX) {
    return indexed<kAccess>(m, m.fetch_word(), m.x);
  } else if constexpr (kMode == Mode::AbsoluteY || kMode == Mode::RamY || kMode == Mode::RomY) {
    return indexed<kAccess>(m, m.fetch_word(), m.y);
  } else if constexpr (kMode == Mode::IndirectX) {
    return pointer_at(m, zero_page_indexed(m, m.x));
  } else {
    static_assert(kMode == Mode::IndirectY, "this mode has no effective address");
    return indexed<kAccess>(m, m.zero_page_pointer(m.fetch()), m.y);
  }
}

// --- SHA, SHX, SHY, TAS: what is stored goes through the high byte of the base plus one, which also becomes the
// address's where the index crosses a page. If DMA takes the bus just before the write, the high byte is lost.
template <Mode kMode, Operation kOperation, class M>
NESPROOF_INLINE void store_unstable(M& m) {
  const u32 base = kMode == Mode::IndirectY ? m.zero_page_pointer(m.fetch()) : m.fetch_word();
  const u32 sum = (base + (kMode == Mode::AbsoluteX ? m.x : m.y)) & 0xFFFF;
  const u32 without_carry = (base & 0xFF00) | (sum & 0x00FF);
  const bool held = m.hold_for_dma(without_carry);
  m.idle_read_held(without_carry);
  const u32 value = given<kOperation>(m);
  const u32 masked = value & ((base >> 8) + 1);
  const u32 at = sum == without_carry ? sum : masked << 8 | (sum & 0x00FF);
  m.template write_last<kMode>(at, held ? value : masked);
}

// --- Jumps

template <class M>
NESPROOF_INLINE bool jump(M& m) {
  const u32 low = m.fetch_low();
  m.jump(low | m.fetch_high_last() << 8);
  return true;
}

// The pointer does not carry: both bytes come from one page.
template <class M>
NESPROOF_INLINE bool jump_indirect(M& m) {
  const u32 pointer = m.fetch_word();
  u32 target = 0;
  if (!m.read_pointer_last(pointer, (pointer & 0xFF00) | ((pointer + 1) & 0x00FF), target)) return false;
  m.jump(target);
  return true;
}

template <class M>
NESPROOF_INLINE bool call(M& m) {
  const u32 low = m.fetch_low();
  m.idle_read(0x0100 | m.s);
  const u32 from = m.pc();
  m.push(from >> 8);
  m.push(from & 0xFF);
  m.jump(low | m.fetch_high_last() << 8);
  return true;
}

template <class M>
NESPROOF_INLINE u32 pull(M& m) {
  m.s = (m.s + 1) & 0xFF;
  return m.stack(m.s);
}

template <class M>
NESPROOF_INLINE bool return_(M& m) {
  if (!m.can_return(0, 1)) return false;
  m.idle_fetch();
  m.idle_read(0x0100 | m.s);
  const u32 low = pull(m);
  m.return_to(low | pull(m) << 8);
  return true;
}

// P comes back before the poll, so that its I flag counts at once.
template <class M>
NESPROOF_INLINE bool return_from_interrupt(M& m) {
  if (!m.can_unmask() || !m.can_return(1, 0)) return false;
  m.idle_fetch();
  m.idle_read(0x0100 | m.s);
  unpack_status(m, pull(m));
  const u32 low = pull(m);
  m.s = (m.s + 1) & 0xFF;
  m.jump(low | m.stack_last(m.s) << 8);
  return true;
}

// --- One instruction, its opcode having been fetched

template <Shape kShape, Mode kMode, Operation kOperation, class M>
NESPROOF_INLINE bool execute(M& m) {
  if constexpr (kShape == Shape::Read) {
    if constexpr (kMode == Mode::Immediate) {
      take<kOperation>(m, m.fetch_last());
    } else {
      const u32 at = effective_address<kMode, Access::Read>(m);
      u32 value = 0;
      if (!m.template read_last<kMode>(at, value)) return false;
      take<kOperation>(m, value);
    }
  } else if constexpr (kShape == Shape::Store) {
    const u32 at = effective_address<kMode, Access::Write>(m);
    return m.template write_last<kMode>(at, given<kOperation>(m));
  } else if constexpr (kShape == Shape::Modify) {
    u32 at = effective_address<kMode, Access::Write>(m);
    u32 value = 0;
    if (!m.template modify_begin<kMode>(at, value)) return false;
    m.template modify_end<kMode>(at, modified<kOperation>(m, value));
  } else if constexpr (kShape == Shape::ShiftA) {
    m.idle_fetch_last();
    m.a = modified<kOperation>(m, m.a);
  } else if constexpr (kShape == Shape::Implied) {
    if constexpr (kOperation == Operation::Cli) {
      if (!m.can_unmask()) return false;
    }
    m.idle_fetch_last();
    change<kOperation>(m);
  } else if constexpr (kShape == Shape::Branch) {
    const u32 offset = m.fetch_last();
    if (holds<kOperation>(m)) m.branch(offset);
  } else if constexpr (kShape == Shape::Push) {
    m.idle_fetch();
    m.push_last(given<kOperation>(m));
  } else if constexpr (kShape == Shape::Pull) {
    if constexpr (kOperation == Operation::Plp) {
      if (!m.can_unmask()) return false;
    }
    m.idle_fetch();
    m.idle_read(0x0100 | m.s);
    m.s = (m.s + 1) & 0xFF;
    take<kOperation>(m, m.stack_last(m.s));
  } else if constexpr (kShape == Shape::Jump) {
    return jump(m);
  } else if constexpr (kShape == Shape::JumpIndirect) {
    return jump_indirect(m);
  } else if constexpr (kShape == Shape::Call) {
    return call(m);
  } else if constexpr (kShape == Shape::Return) {
    return return_(m);
  } else if constexpr (kShape == Shape::ReturnFromInterrupt) {
    return return_from_interrupt(m);
  } else if constexpr (M::kRefuses) {
    return false;  // seldom enough
  } else if constexpr (kShape == Shape::StoreUnstable) {
    store_unstable<kMode, kOperation>(m);
  } else if constexpr (kShape == Shape::Break) {
    m.fetch();
    enter_interrupt(m, packed_status(m) | status::kBreak);
  } else {
    static_assert(kShape == Shape::Jam);
    jam(m);
  }
  return true;
}

}  // namespace nesproof::core
