// The CPU cycle by cycle, each access where it happens, and all that can happen in between.
//
// In a cycle, in this order: two dots of the PPU and the APU's tick, the access, the third dot, and the interrupt lines
// are sampled, a board's line before the third dot. The chips lag behind and are brought up to date where something of
// theirs is touched, and at the cycles for which they foretell an event: until then their lines are what their fields
// say.
//
//   time           begin_cycle, end_cycle
//   accesses       access_read, access_write, and below them I/O
//   instructions   what shapes.hpp asks of a machine
//   units          step
//
// What DMA does with the bus is dma.hpp's.
#pragma once

#include "core/bus/cartridge_space.hpp"
#include "core/bus/controllers.hpp"
#include "core/catch_up.hpp"
#include "core/cpu/shapes.hpp"
#include "core/ppu/ppu.hpp"
#include "core/ppu/windows_move.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

template <class M>
NESPROOF_OUTLINE void hold_for_dma(M& m, u32 cpu_address);  // dma.hpp

// Of a board that has an IRQ line alone, so that other consoles carry nothing of it.
template <bool kHasIrq>
struct BoardEvent {};
template <>
struct BoardEvent<true> {
  u32 board_event = 0;  // no earlier cycle finds the board's IRQ line raised by itself
};

template <class S>
struct ExactMachine : Registers, BoardEvent<S::Board::kHasIrq> {
  using Board = typename S::Board;
  static constexpr bool kRefuses = false;

  S console;
  u32 program_counter = 0;
  u32 now = 0;             // cycles that are complete; in an access, that cycle counts
  u32 ppu_event = 0;       // no earlier cycle changes the NMI line or ends the frame by itself
  u32 apu_event = 0;       // no earlier cycle changes the APU's IRQ line or a DMA request by itself
  u32 status_read_at = 0;  // no later cycle has read $2002

  explicit ExactMachine(S console_) : console(console_) {
    a = console.cpu_a();
    x = console.cpu_x();
    y = console.cpu_y();
    s = console.cpu_s();
    unpack_status(*this, console.cpu_p());
    program_counter = console.cpu_pc();
    now = status_read_at = static_cast<u32>(console.bus_cycle_count());
    // What a snapshot says of the lines need not have been sampled; then the first cycle does it.
    const bool sampled = console.cpu_nmi_line() == ppu_nmi_line(console) && console.cpu_irq_line() == irq_line();
    ppu_event = sampled ? ppu_next_event(console) : now;
    apu_event = apu_next_event(console);
    foresee_board_irq();
  }

  // Registers and time back into the state.
  void store() const {
    console.cpu_a() = static_cast<u8>(a);
    console.cpu_x() = static_cast<u8>(x);
    console.cpu_y() = static_cast<u8>(y);
    console.cpu_s() = static_cast<u8>(s);
    console.cpu_p() = static_cast<u8>(packed_status(*this));
    console.cpu_pc() = static_cast<u16>(program_counter);
    console.bus_cycle_count() += now - static_cast<u32>(console.bus_cycle_count());
  }

  // --- Time

  void begin_cycle() {
    ++now;
    if (since(now, apu_event) >= 0) {
      apu_catch_up(console, now, CatchUp::Event);
      apu_event = apu_next_event(console);
    }
  }

  void end_cycle() {
    const u8 board_line = board_irq_line();
    if (since(now, ppu_event) >= 0) {
      ppu_catch_up(console, 3 * now, CatchUp::Event);
      ppu_event = ppu_next_event(console);
      status_read_at = now;  // times that are to be compared stay near
    }
    const u8 nmi = ppu_nmi_line(console);
    console.cpu_nmi_pending() |= static_cast<u8>(nmi & ~console.cpu_nmi_line());
    console.cpu_nmi_line() = nmi;
    console.cpu_irq_line() = apu_irq_line(console) | board_line;
  }

  // As the CPU samples it in this cycle, behind the access.
  u8 board_irq_line() {
    if constexpr (Board::kHasIrq) {
      if (since(now, this->board_event) >= 0) {
        ppu_catch_up(console, access_time(now), CatchUp::Event);
        foresee_board_irq();
      }
      return console.board_irq();
    }
    return 0;
  }

  // Provided that no event has been passed.
  u8 irq_line() const {
    u8 line = apu_irq_line(console);
    if constexpr (Board::kHasIrq) line |= console.board_irq();
    return line;
  }
  // After whatever the board's next IRQ follows from has changed.
  void foresee_board_irq() {
    if constexpr (Board::kHasIrq) this->board_event = Board::next_event(console, now);
  }

  // The verdict is taken at the start of an instruction's last cycle, from the lines at the end of the one before.
  void poll() {
    bool irq = console.cpu_irq_line() != 0 && (controls & status::kInterruptDisable) == 0;
    NESPROOF_FAULT(irq_ignores_the_i_flag, irq = console.cpu_irq_line() != 0);
    console.cpu_interrupt_pending() = console.cpu_nmi_pending() | static_cast<u8>(irq);
  }

  bool hold_for_dma(u32 at) {
    if ((console.dma_oam_requested() | console.dma_dmc_requested()) == 0) return false;
    core::hold_for_dma(*this, at);
    return true;
  }

  // --- Accesses

  // Whatever answers drives both buses, but for $4015, which is inside the CPU's chip.
  u32 drive(u32 value) {
    console.bus_data() = console.bus_internal_data() = static_cast<u8>(value);
    return value;
  }

  u32 access_read(u32 at) {
    if (at < 0x2000) return drive(console.bus_ram(at & 0x07FF));
    if (at >= 0x4020) {
      cartridge_meets_ppu(console, at, now);
      return drive(cartridge_read(console, at, console.bus_data()));
    }
    if (at < 0x4000) return drive(read_ppu(at & 7));
    switch (at) {
      case 0x4015: return read_apu_status();
      case 0x4016:
      case 0x4017: return drive(controller_read(console, at & 1, now) | (console.bus_data() & 0xE0u));
      default: return drive(console.bus_data());
    }
  }

  void access_write(u32 at, u32 value) {
    drive(value);
    if (at < 0x2000) {
      console.bus_ram(at & 0x07FF) = static_cast<u8>(value);
    } else if (at >= 0x4020) {
      cartridge_write(console, at, value, now);
      if (at >= 0xC000) foresee_board_irq();
    } else if (at < 0x4000) {
      write_ppu(at & 7, value);
    } else if (at == 0x4014) {
      console.dma_oam_requested() = 1;
      console.dma_oam_page() = static_cast<u8>(value);
    } else if (at == 0x4016) {
      controllers_write(console, value, now);
    } else {
      apu_write(console, at, static_cast<u8>(value), now);
      if (at >= 0x4010) apu_event = apu_next_event(console);
    }
  }

  u32 read_ppu(u32 reg) {
    if (reg == 2) status_read_at = now;  // it may take an event away, and brings none nearer
    const u32 value = ppu_read(console, reg, now);
    if (Board::kWatchesA12 && reg == 7) foresee_board_irq();
    return value;
  }

  void write_ppu(u32 reg, u32 value) {
    ppu_write(console, reg, static_cast<u8>(value), now);
    if (reg < 2) ppu_event = ppu_next_event(console);
    if (Board::kWatchesA12 && reg != 2 && reg != 5) foresee_board_irq();
  }

  // Bit 5 is not driven, and keeps what the internal bus had.
  u32 read_apu_status() {
    const u32 value = apu_read_status(console, now) | (console.bus_internal_data() & 0x20u);
    apu_event = apu_next_event(console);
    console.bus_internal_data() = static_cast<u8>(value);
    return value;
  }

  // --- What shapes.hpp asks of a machine

  NESPROOF_DEVICE_OUTLINE u32 read_held(u32 at) {
    begin_cycle();
    const u32 value = access_read(at);
    end_cycle();
    return value;
  }
  NESPROOF_DEVICE_OUTLINE u32 read(u32 at) {
    hold_for_dma(at);
    return read_held(at);
  }
  NESPROOF_DEVICE_OUTLINE u32 read_before_verdict(u32 at) {
    hold_for_dma(at);
    poll();
    return read_held(at);
  }
  NESPROOF_DEVICE_OUTLINE void write(u32 at, u32 value) {
    begin_cycle();
    access_write(at, value);
    end_cycle();
  }

  NESPROOF_DEVICE_OUTLINE u32 fetch() {
    const u32 value = read(program_counter);
    program_counter = (program_counter + 1) & 0xFFFF;
    return value;
  }
  NESPROOF_DEVICE_OUTLINE u32 fetch_last() {
    const u32 value = read_before_verdict(program_counter);
    program_counter = (program_counter + 1) & 0xFFFF;
    return value;
  }
  u32 fetch_low() { return fetch(); }
  u32 fetch_high_last() { return fetch_last(); }
  u32 fetch_word() {
    const u32 low = fetch();
    return low | fetch() << 8;
  }
  void idle_fetch() { read(program_counter); }
  void idle_fetch_last() { read_before_verdict(program_counter); }
  void idle_read(u32 at) { read(at); }
  void idle_read_held(u32 at) { read_held(at); }
  template <Access kAccess>
  void idle_index(u32 base, u32 sum) {
    const u32 without_carry = (base & 0xFF00) | (sum & 0x00FF);
    if (kAccess == Access::Write || sum != without_carry) read(without_carry);
  }
  u32 zero_page(u32 at) { return read(at); }
  u32 zero_page_pointer(u32 at) { return pointer_at(*this, at); }
  u32 stack(u32 at) { return read(0x0100 | at); }
  u32 stack_last(u32 at) { return read_before_verdict(0x0100 | at); }
  NESPROOF_DEVICE_OUTLINE void push(u32 value) {
    write(0x0100 | s, value);
    s = (s - 1) & 0xFF;
  }
  void push_last(u32 value) {
    poll();
    push(value);
  }
  template <Mode kMode>
  bool read_last(u32 at, u32& value) {
    value = read_before_verdict(at);
    return true;
  }
  bool read_pointer_last(u32 low_at, u32 high_at, u32& target) {
    target = read(low_at);
    target |= read_before_verdict(high_at) << 8;
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
    poll();
    write(at, value);
  }
  template <Mode kMode>
  bool write_last(u32 at, u32 value) {
    poll();
    write(at, value);
    return true;
  }

  u32 pc() const { return program_counter; }
  void jump(u32 target) { program_counter = target; }
  void return_to(u32 target) {
    program_counter = target;
    fetch_last();
  }
  // A branch polls before its second cycle and, if it crosses a page, before its fourth; never before its third. What
  // the first poll has seen is not forgotten.
  NESPROOF_DEVICE_OUTLINE void branch(u32 offset) {
    idle_fetch();
    const u32 target = (program_counter + static_cast<u32>(static_cast<i8>(offset))) & 0xFFFF;
    const u32 without_carry = (program_counter & 0xFF00) | (target & 0x00FF);
    NESPROOF_FAULT(branch_to_another_page_short, {
      jump(target);
      return;
    });
    if (target != without_carry) {
      const u8 seen_before = console.cpu_interrupt_pending();
      read_before_verdict(without_carry);
      console.cpu_interrupt_pending() |= seen_before;
    }
    program_counter = target;
  }

  static constexpr bool can_return(u32, u32) { return true; }
  static constexpr bool can_unmask() { return true; }
  bool take_nmi() {
    const bool pending = console.cpu_nmi_pending() != 0;
    console.cpu_nmi_pending() = 0;
    return pending;
  }
  void forget_interrupt() { console.cpu_interrupt_pending() = 0; }
  void stop() {
    console.cpu_jammed() = 1;
    NESPROOF_FAULT(jammed_cpu_runs_on, console.cpu_jammed() = 0);
  }

  // --- Units

  // From boundary to boundary: an instruction, an interrupt sequence, or one cycle of a jammed CPU.
  NESPROOF_OUTLINE void step() {
    if (console.cpu_reset_pending() != 0) {
      console.cpu_reset_pending() = 0;
      console.cpu_jammed() = 0;
      console.cpu_interrupt_pending() = 0;
      console.cpu_nmi_pending() = 0;
      reset_sequence(*this);
    } else if (console.cpu_jammed() != 0) {
      read(0xFFFF);
    } else if (console.cpu_interrupt_pending() != 0) {
      NESPROOF_FAULT(nmi_one_instruction_late, if (console.cpu_nmi_pending() != 0) step_instruction());
      interrupt_sequence(*this);
    } else {
      step_instruction();
    }
  }

  void step_instruction() {
    switch (fetch()) {
#define OPCODE(code, shape, mode, operation) \
  case code: execute<Shape::shape, Mode::mode, Operation::operation>(*this); break;
#include "core/cpu/opcodes.def"
#undef OPCODE
    }
  }
};

}  // namespace nesproof::core
