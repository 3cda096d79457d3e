// Steps a console: frames, units, power and reset.
//
// Between events whole instructions are run fast; around an event, and for whatever the fast machine refuses, the exact
// machine runs single units. A step ends at the first boundary after a frame's end, which is an event, so that the last
// unit of a step is always the exact machine's, and what only that keeps (the data buses, the ports) is right there.
#pragma once

#include "core/bus/dma.hpp"
#include "core/bus/oam_block.hpp"
#include "core/bus/plain_io.hpp"
#include "core/cpu/threaded.hpp"
#include "core/schedule.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// One console's step under way.
template <class S>
class Lane {
 public:
  static constexpr FastExit kBlockDone = FastExit::Block;

  // `buttons`: two bytes a frame, one a player, `stride` bytes from frame to frame.
  Lane(S console, const u8* buttons, u32 stride, u32 frames)
      : machine_(console), buttons_(buttons), stride_(stride), frames_left_(frames) {
    if (frames_left_ != 0) take_buttons();
  }

  bool finished() const { return frames_left_ == 0; }

  // Where the next instruction lies: in PRG-ROM, or behind all of it.
  u32 place() const {
    const u32 pc = machine_.program_counter;
    const u32 at = pc >= 0x8000 ? S::Board::prg_offset(machine_.console, static_cast<u16>(pc)) : 0x800000 | pc;
    return at & 0xFFFFFF;
  }

  // What a warp is scheduled by. Lanes that the fast machine cannot go on with come first: around an event each has
  // units of its own to run, and who entered an interrupt before the others would go through all of it before them.
  u32 key() const {
    if (finished()) return kFinishedKey;
    return is_calm_ && is_before(deadline()) ? machine_.s << 24 | place() : 0;
  }

  // One basic block, or one exact unit, or a look at whether blocks may be run.
  void run_block() {
    const FastExit exit = begin_block();
    if (exit != kBlockDone) end_block(exit);
    NESPROOF_FAULT(finished_lane_runs_on, if (finished()) machine_.step());
  }

  // The same in two parts, for a warp that goes through the second together: the fast machine's, and anything else's,
  // which does nothing after kBlockDone.
  NESPROOF_INLINE FastExit begin_block() {
    NESPROOF_FAULT(blocks_run_past_the_deadline, {
      if (is_calm_ && is_before(deadline())) return run_fast_switched<true>(machine_, deadline() + 24);
    });
    return is_calm_ && is_before(deadline()) ? run_fast_switched<true>(machine_, deadline()) : FastExit::Time;
  }
  // What is out of line is handed a lane and hands one back: this one's address is never taken, so that on a device all
  // of it is in registers.
  NESPROOF_INLINE void end_block(FastExit exit) { *this = after_block(*this, exit); }

  // Until finished.
  void run() {
    while (!finished()) {
      if (is_smooth()) {
        run_smoothly();
      } else {
        step();
      }
    }
  }

  void end() { machine_.store(); }

 private:
  NESPROOF_OUTLINE static Lane after_block(Lane lane, FastExit exit) {
    if (exit == kBlockDone) return lane;
    if (lane.is_calm_ || !lane.is_smooth()) lane.go_on_after(exit);
    lane.is_calm_ = lane.is_undisturbed() && lane.machine_.console.dma_oam_requested() == 0;
    return lane;
  }

  // As long as nothing moves the deadline. Runs of instructions up to where one might meet the event, single ones from
  // there.
  void run_smoothly() {
    const u32 last = deadline(), last_run = last + kLongestInstruction - kLongestRun;
    while (is_before(last)) {
      [[maybe_unused]] const u32 begun = machine_.now;
      const FastExit exit =
          is_before(last_run) ? run_fast(machine_, last_run) : run_fast_switched<false>(machine_, last);
      NESPROOF_FAULT(five_percent_of_work, faults::work_in_vain((machine_.now - begun) / 5));
      switch (exit) {
        case FastExit::IdleLoop: return wait_in_loop();
        case FastExit::Exact: {
          const PlainIo io = step_plain_io(machine_);
          if (io == PlainIo::Refused) return step();
          if (io == PlainIo::Moved) return;
          break;
        }
        default: break;
      }
    }
  }

  // A unit that starts before this meets no event.
  u32 deadline() const {
    const u32 ppu = machine_.ppu_event, apu = machine_.apu_event;
    u32 first = since(ppu, apu) < 0 ? ppu : apu;
    if constexpr (S::Board::kHasIrq) {
      if (since(machine_.board_event, first) < 0) first = machine_.board_event;
    }
    return first - kLongestInstruction;
  }

  bool is_before(u32 cycle) const { return since(machine_.now, cycle) < 0; }

  // Nothing is pending but OAM DMA perhaps, and code is in ROM.
  bool is_undisturbed() const {
    const auto& s = machine_.console;
    const u32 pending = s.cpu_interrupt_pending() | s.cpu_nmi_pending() | s.cpu_reset_pending() | s.cpu_jammed() |
                        s.dma_dmc_requested() | s.ppu_frame_ended();
    const bool irq = s.cpu_irq_line() != 0 && (machine_.controls & status::kInterruptDisable) == 0;
    return pending == 0 && !irq && machine_.program_counter >= 0x8000 && s.cartridge->code_map != nullptr;
  }

  bool is_steady() const { return is_undisturbed() && is_before(deadline()); }

  bool is_smooth() {
    if (!is_steady()) return false;
    if (machine_.console.dma_oam_requested() == 0) [[likely]]
      return true;
    return move_oam_block(machine_, deadline());
  }

  void go_on_after(FastExit exit) {
    switch (exit) {
      case FastExit::Block: return;
      case FastExit::IdleLoop: return wait_in_loop();
      case FastExit::Exact:
        if (step_plain_io(machine_) == PlainIo::Refused) step();
        return;
      default: return step();
    }
  }

  void step() {
    machine_.step();
    if (machine_.console.ppu_frame_ended() != 0) end_frame();
  }

  void end_frame() {
    machine_.console.ppu_frame_ended() = 0;
    if (--frames_left_ == 0) return;
    buttons_ += stride_;
    take_buttons();
  }

  void take_buttons() { controllers_set_buttons(machine_.console, buttons_[0], buttons_[1], machine_.now); }

  // At the instruction that closes an idle loop. Runs it, and then one iteration after the other until one has left the
  // registers as they were, but for a counter; from there as many as fit before the next event are only counted.
  void wait_in_loop() {
    const auto& cartridge = *machine_.console.cartridge;
    const u32 offset_mask = cartridge.window_bytes() - 1;
    const u32 last = prg_place() & offset_mask, window_start = prg_place() - last;
    const CodeWindow window{cartridge.prg_rom + window_start, offset_mask + 1, false};
    step();
    const u32 first_pc = machine_.program_counter, first = prg_place() - window_start;
    if (first > last || first != loop_start(window, last)) return;  // the loop was left
    const IdleLoop loop = idle_loop(window, last);
    for (u32 iteration = 0; iteration < 2; ++iteration) {
      const Registers before = machine_;
      const u32 begun = machine_.now;
      do {
        if (!is_steady() || machine_.console.dma_oam_requested() != 0) return;
        step();
        const u32 here = prg_place() - window_start;
        if (here < first || here > last) return;
      } while (machine_.program_counter != first_pc);
      Registers after = machine_;
      if (loop.counter != Operation::Nop) {
        // A branch inside may lead back to the start as well, past the instruction that counts.
        if (counter_of(after, loop) == counter_of(before, loop)) return;
        counter_of(after, loop) = counter_of(before, loop);
        after.result = before.result;
      }
      if (same_registers(before, after)) return count_iterations(loop, begun);
    }
  }

  // In PRG-ROM, of the next instruction, which lies there.
  u32 prg_place() const { return S::Board::prg_offset(machine_.console, static_cast<u16>(machine_.program_counter)); }

  template <class R>
  static auto& counter_of(R& registers, IdleLoop loop) {
    return loop.counter == Operation::Inx || loop.counter == Operation::Dex ? registers.x : registers.y;
  }

  // The iteration that has just been run from cycle `begun` would be followed by its like.
  void count_iterations(IdleLoop loop, u32 begun) {
    const u32 period = machine_.now - begun;
    i32 room = since(deadline(), machine_.now);
    if (since(machine_.status_read_at, begun) > 0) {
      const u32 steady_until = ppu_status_steady_until(machine_.console, machine_.status_read_at);
      const i32 steady = since(steady_until, machine_.status_read_at) - 1;
      room = steady < room ? steady : room;
    }
    if (room <= 0) return;
    u32 rounds = static_cast<u32>(room) / period;
    if (loop.counter != Operation::Nop) {
      u32& counter = counter_of(static_cast<Registers&>(machine_), loop);
      const u32 most = rounds_left(loop, counter);
      rounds = rounds < most ? rounds : most;
      const bool counts_up = loop.counter == Operation::Inx || loop.counter == Operation::Iny;
      counter = machine_.result = (counts_up ? counter + rounds : counter - rounds) & 0xFF;
    }
    NESPROOF_FAULT(idle_loop_skipped_once_too_often, rounds += rounds != 0);
    machine_.now += rounds * period;
  }

  ExactMachine<S> machine_;
  const u8* buttons_;
  u32 stride_;
  u32 frames_left_;
  bool is_calm_ = false;  // undisturbed and without OAM DMA; the fast machine leaves it so
};

template <class S>
void run(S s, const u8* buttons, u32 stride, u32 frames) {
  Lane<S> lane(s, buttons, stride, frames);
  lane.run();
  lane.end();
}

// One exact unit; true if a frame ended in it.
template <class S>
bool step_unit(S s) {
  ExactMachine<S> machine(s);
  machine.step();
  machine.store();
  const bool ended = s.ppu_frame_ended() != 0;
  s.ppu_frame_ended() = 0;
  return ended;
}

// --- Looked at from outside

// Everything as of now.
template <class S>
void settle(S s) {
  const u32 now = static_cast<u32>(s.bus_cycle_count());
  ppu_catch_up(s, 3 * now, CatchUp::Settle);
  apu_catch_up(s, now, CatchUp::Settle);
  controllers_catch_up(s, now);
  S::Board::settle(s);
}

// The fields have been put in, and say what is now.
template <class S>
void settled(S s) {
  const u32 now = static_cast<u32>(s.bus_cycle_count());
  s.cpu_p() = static_cast<u8>((s.cpu_p() & ~status::kBreak) | status::kAlwaysSet);
  s.lazy_dma_dmc_held() = 0;
  ppu_settled(s, now);
  apu_settled(s, now);
  controllers_settled(s, now);
  S::Board::settled(s, now);
}

// --- Power and reset: https://www.nesdev.org/wiki/CPU_power_up_state

// Memories that the machine does not clear get `fill`; the next unit is the reset sequence.
template <class S>
void power_on(S s, u8 fill) {
  const auto& cartridge = *s.cartridge;
  for (u32 i = 0; i < 2048; ++i) s.bus_ram(i) = fill;
  for (u32 i = 0; i < cartridge.prg_ram_bytes; ++i) s.cartridge_prg_ram(i) = fill;
  for (u32 i = 0; i < cartridge.chr_ram_bytes; ++i) s.cartridge_chr_ram(i) = fill;
  for (u32 i = 0; i < cartridge.nametable_bytes; ++i) s.cartridge_nametables(i) = fill;
  s.cpu_pc() = 0;
  s.cpu_a() = s.cpu_x() = s.cpu_y() = s.cpu_s() = 0;
  s.cpu_p() = status::kAlwaysSet;
  s.cpu_interrupt_pending() = s.cpu_nmi_pending() = s.cpu_nmi_line() = s.cpu_irq_line() = s.cpu_jammed() = 0;
  s.cpu_reset_pending() = 1;
  s.dma_oam_requested() = s.dma_oam_page() = s.dma_dmc_requested() = 0;
  s.bus_data() = s.bus_internal_data() = 0;
  s.bus_cycle_count() = 0;
  for (u32 i = 0; i < 8; ++i) s.board_registers(i) = 0;
  s.board_select() = s.board_mirroring() = s.board_prg_ram_control() = 0;
  s.board_irq_latch() = s.board_irq_counter() = s.board_irq_reload() = s.board_irq_enabled() = s.board_irq() = 0;
  s.board_a12_low_cycles() = 0;
  S::Board::power_on(s);
  controllers_power_on(s);
  ppu_power_on(s);
  apu_power_on(s);
  settled(s);
}

// The console's button: memories stay.
template <class S>
void press_reset(S s) {
  settle(s);
  ppu_reset(s);
  apu_reset(s);
  NESPROOF_FAULT(reset_clears_ram, for (u32 i = 0; i < 2048; ++i) s.bus_ram(i) = 0);
  s.cpu_reset_pending() = 1;
  settled(s);
}

}  // namespace nesproof::core
