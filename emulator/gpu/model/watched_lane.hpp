// A lane that remembers what its last block was: where it began, how far the fast machine went, what was touched.
#pragma once

#include "core/run.hpp"
#include "gpu/model/counting.hpp"

namespace nesproof::gpu::model {

// What one lane did in one step.
struct Block {
  u32 begin = 0;         // offset in PRG-ROM; nothing where `instructions` is 0
  u32 end = 0;           // behind its last instruction that the fast machine ran
  u32 instructions = 0;  // of the fast machine
  u32 exact_cycles = 0;  // of the exact machine
};

template <class S>
class WatchedLane {
 public:
  WatchedLane(S console, const u8* buttons, u32 stride, u32 frames)
      : cartridge_(*console.cartridge), trace_(console.trace), lane_(console, buttons, stride, frames) {}

  bool finished() const { return lane_.finished(); }
  u32 key() const { return lane_.key(); }
  void end() { lane_.end(); }

  void run_block() {
    const u32 begin = lane_.key() != 0 ? lane_.place() : kOutsideRom;
    trace_->clear();
    lane_.run_block();
    note(begin, lane_.place());
  }

  const Block& block() const { return block_; }
  const Trace& trace() const { return *trace_; }

  // Calls for each of the block's instructions with its fast opcode.
  template <class Call>
  void for_each_instruction(Call call) const {
    for (u32 at = block_.begin; at < block_.end; at = behind(at)) call(core::first_opcode(cartridge_.code_map[at]));
  }

 private:
  static constexpr u32 kOutsideRom = 0x800000;

  u32 behind(u32 at) const { return at + core::kOpcodes[cartridge_.prg_rom[at]].bytes(); }

  // The exact machine drives the internal bus once in each of its cycles, and nobody else does.
  u32 exact_cycles() const {
    constexpr u32 kBus = core::place_of(core::Field::bus_internal_data);
    u32 cycles = 0;
    for (const Access& access : *trace_) cycles += access.at == kBus;
    return cycles;
  }

  void note(u32 begin, u32 after) {
    block_ = {begin, begin, 0, exact_cycles()};
    if (begin >= kOutsideRom) return;
    bool is_whole = false;  // it ended as a block does, and not at an instruction for the exact machine
    while (!is_whole) {
      const core::FastOpcode opcode = core::first_opcode(cartridge_.code_map[block_.end]);
      if (opcode == core::FastOpcode::Exact || opcode == core::FastOpcode::IdleLoop) break;
      is_whole = core::ends_block(core::kFastFacts[static_cast<u32>(opcode)].shape);
      block_.end = behind(block_.end);
      ++block_.instructions;
    }
    if (block_.exact_cycles == 0) return;
    // One unit of the exact machine alone, close to an event: it got no further than behind the first instruction.
    if (is_whole || (block_.instructions != 0 && after == behind(begin)))
      block_ = {begin, begin, 0, block_.exact_cycles};
  }

  const core::Cartridge& cartridge_;
  Trace* trace_;
  core::Lane<S> lane_;
  Block block_;
};

}  // namespace nesproof::gpu::model
