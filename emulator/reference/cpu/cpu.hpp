// The 6502 core: https://www.nesdev.org/wiki/CPU
//
// Nothing here counts cycles. Each access of the bus is one cycle, the bus steps the rest of the console, and an
// instruction takes as long as its accesses. The template makes two chips of one text: the 2A03 of the console and the
// MOS 6502 with its decimal mode, each on any bus with
//
//     u8 read(u16 address);              one cycle; waits first while DMA holds the CPU
//     void write(u16 address, u8 value); one cycle
//     bool stall(u16 address);           waits while DMA holds the CPU; true if it did
//     u8 read_after_stall(u16 address);  one cycle, without waiting
//
// The functions are grouped by the file that holds them.
#pragma once

#include "reference/cpu/flags.hpp"
#include "reference/types.hpp"
#include "state/visitor.hpp"

namespace nesproof::reference {

enum class Variant : u8 { Ricoh2A03, Mos6502 };

template <class Bus, Variant kVariant>
class Cpu {
 public:
  explicit Cpu(Bus& bus) : bus_(bus) {}

  // A boundary is where a unit begins: an instruction, an interrupt sequence, or one cycle of a jammed CPU.
  void step();
  // The next unit is the reset sequence.
  void power_on();
  void reset() { reset_pending_ = true; }
  // The levels of the two interrupt lines at the end of a cycle; the bus calls it once a cycle.
  void sample_interrupts(bool nmi_line, bool irq_line) {
    nmi_pending_ |= nmi_line && !nmi_line_;
    nmi_line_ = nmi_line;
    irq_line_ = irq_line;
  }

  bool jammed() const { return jammed_; }
  bool in_reset() const { return reset_pending_; }

  u16 pc = 0;
  u8 a = 0;
  u8 x = 0;
  u8 y = 0;
  u8 s = 0;
  ProcessorStatus p;

  template <class V>
  void visit(V& v) {
    namespace f = state::fields;
    v(f::cpu_pc, pc);
    v(f::cpu_a, a);
    v(f::cpu_x, x);
    v(f::cpu_y, y);
    v(f::cpu_s, s);
    v(f::cpu_p, p.bits);
    v(f::cpu_interrupt_pending, interrupt_pending_);
    v(f::cpu_nmi_pending, nmi_pending_);
    v(f::cpu_nmi_line, nmi_line_);
    v(f::cpu_irq_line, irq_line_);
    v(f::cpu_reset_pending, reset_pending_);
    v(f::cpu_jammed, jammed_);
  }
  // The stack byte's two unreal bits have one stored form.
  void restored() { p.pull(p.bits); }

 private:
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
  };
  enum class Access : u8 { Read, Write };

  // memory.hpp
  u8 read(u16 address) { return bus_.read(address); }
  u8 read_last(u16 address);
  void write(u16 address, u8 value) { bus_.write(address, value); }
  void write_last(u16 address, u8 value);
  void poll();
  u8 fetch() { return read(pc++); }
  u16 fetch_word();
  void push(u8 value) { write(static_cast<u16>(0x0100 | s--), value); }
  u8 pull() { return read(static_cast<u16>(0x0100 | ++s)); }

  // addressing.hpp
  template <Mode kMode, Access kAccess>
  u16 address();
  u16 zero_page_indexed(u8 index);
  u16 pointer_in_zero_page(u8 at);
  template <Access kAccess>
  u16 indexed(u16 base, u8 index);

  // shapes.hpp
  template <Mode kMode, auto kOperation>
  void reads();
  template <Mode kMode, auto kOperation>
  void stores();
  template <Mode kMode, auto kOperation>
  void stores_unstable();
  template <Mode kMode, auto kOperation>
  void modifies();
  template <Mode kMode, auto kOperation>
  void shifts_a();
  template <Mode kMode, auto kOperation>
  void implied();
  template <Mode kMode, auto kOperation>
  void branches();
  template <Mode kMode, auto kOperation>
  void pushes();
  template <Mode kMode, auto kOperation>
  void pulls();
  template <Mode kMode, auto kOperation>
  void controls() {
    (this->*kOperation)();
  }

  // operations.hpp: read
  void lda(u8 value), ldx(u8 value), ldy(u8 value);
  void and_(u8 value), ora(u8 value), eor(u8 value), bit(u8 value);
  void adc(u8 value), sbc(u8 value), adc_decimal(u8 value), sbc_decimal(u8 value);
  void cmp(u8 value), cpx(u8 value), cpy(u8 value);
  void compare(u8 register_, u8 value);
  // operations.hpp: store
  u8 sta() { return a; }
  u8 stx() { return x; }
  u8 sty() { return y; }
  // operations.hpp: read-modify-write
  u8 asl(u8 value), lsr(u8 value), rol(u8 value), ror(u8 value), inc(u8 value), dec(u8 value);
  // operations.hpp: registers and flags
  void tax(), tay(), tsx(), txa(), txs(), tya(), inx(), iny(), dex(), dey();
  void clc(), sec(), cli(), sei(), clv(), cld(), sed(), nop();
  // operations.hpp: branch conditions
  bool is_plus() const { return !p.has(flag::kNegative); }
  bool is_minus() const { return p.has(flag::kNegative); }
  bool is_overflow_clear() const { return !p.has(flag::kOverflow); }
  bool is_overflow_set() const { return p.has(flag::kOverflow); }
  bool is_carry_clear() const { return !p.has(flag::kCarry); }
  bool is_carry_set() const { return p.has(flag::kCarry); }
  bool is_not_equal() const { return !p.has(flag::kZero); }
  bool is_equal() const { return p.has(flag::kZero); }
  // operations.hpp: stack
  u8 pha() { return a; }
  u8 php() { return p.pushed_by_instruction(); }
  void pla(u8 value) { lda(value); }
  void plp(u8 value) { p.pull(value); }

  // unofficial.hpp
  void ignore(u8 value), lax(u8 value), las(u8 value);
  void anc(u8 value), alr(u8 value), arr(u8 value), arr_decimal(u8 value), sbx(u8 value), ane(u8 value), lxa(u8 value);
  u8 slo(u8 value), rla(u8 value), sre(u8 value), rra(u8 value), dcp(u8 value), isc(u8 value);
  u8 sax() { return a & x; }
  u8 sha() { return a & x; }
  u8 shx() { return x; }
  u8 shy() { return y; }
  u8 tas();

  // control.hpp
  void jmp(), jmp_indirect(), jsr(), rts(), rti(), brk(), jam();
  void reset_sequence(), interrupt_sequence();
  void push_state_and_jump(u8 status_to_push);

  // execute.hpp
  void execute(u8 opcode);

  Bus& bus_;
  bool interrupt_pending_ = false;  // the last poll's verdict: the next unit is an interrupt sequence
  bool nmi_pending_ = false;        // the edge detector's latch
  bool nmi_line_ = false;           // levels at the end of the last cycle
  bool irq_line_ = false;
  bool reset_pending_ = false;
  bool jammed_ = false;
};

}  // namespace nesproof::reference

#include "reference/cpu/addressing.hpp"
#include "reference/cpu/control.hpp"
#include "reference/cpu/execute.hpp"
#include "reference/cpu/memory.hpp"
#include "reference/cpu/operations.hpp"
#include "reference/cpu/shapes.hpp"
#include "reference/cpu/unofficial.hpp"
