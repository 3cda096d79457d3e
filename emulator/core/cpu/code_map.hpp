// PRG-ROM as the fast machine reads it: a word for the instruction at each offset.
//
//   bits 0-9    the fast machine's opcode: Exact, IdleLoop, one of fast_opcodes.def, or one of fused_opcodes.def for a
//               run of instructions that begins here
//   bits 10-15  of a branch, the cycles that taking it adds
//   bits 16-31  the operand, or what is known of it; of a branch, how far it goes
//
// What an instruction in ROM may do is known when the cartridge is loaded: whether its address is RAM, ROM or I/O,
// whether its branch crosses a page, whether it leaves its window or jumps into RAM, whether it closes an idle loop. So
// the fast machine asks none of these questions; what it should not run, it does not see.
#pragma once

#include "core/cartridge.hpp"
#include "core/cpu/idle_loops.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

enum class FastOpcode : u16 {
  Exact,     // for the exact machine
  IdleLoop,  // closes an idle loop; for the exact machine as well
#define FAST_OPCODE(name, shape, mode, operation) name,
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
  kFirstFused
};

namespace code_map_detail {

inline constexpr u32 kLongestRun = 8;

struct Run {
  FastOpcode opcodes[kLongestRun];
  u32 length;
};

inline constexpr Run kRuns[] = {
#define FUSED_2(a, b) {{FastOpcode::a, FastOpcode::b}, 2},
#define FUSED_3(a, b, c) {{FastOpcode::a, FastOpcode::b, FastOpcode::c}, 3},
#define FUSED_4(a, b, c, d) {{FastOpcode::a, FastOpcode::b, FastOpcode::c, FastOpcode::d}, 4},
#define FUSED_5(a, b, c, d, e) {{FastOpcode::a, FastOpcode::b, FastOpcode::c, FastOpcode::d, FastOpcode::e}, 5},
#define FUSED_6(a, b, c, d, e, f) \
  {{FastOpcode::a, FastOpcode::b, FastOpcode::c, FastOpcode::d, FastOpcode::e, FastOpcode::f}, 6},
#define FUSED_7(a, b, c, d, e, f, g) \
  {{FastOpcode::a, FastOpcode::b, FastOpcode::c, FastOpcode::d, FastOpcode::e, FastOpcode::f, FastOpcode::g}, 7},
#define FUSED_8(a, b, c, d, e, f, g, h)                                                                      \
  {{FastOpcode::a, FastOpcode::b, FastOpcode::c, FastOpcode::d, FastOpcode::e, FastOpcode::f, FastOpcode::g, \
    FastOpcode::h},                                                                                          \
   8},
#include "core/cpu/fused_opcodes.def"
#undef FUSED_2
#undef FUSED_3
#undef FUSED_4
#undef FUSED_5
#undef FUSED_6
#undef FUSED_7
#undef FUSED_8
};
inline constexpr u32 kRunCount = sizeof kRuns / sizeof kRuns[0];

}  // namespace code_map_detail

inline constexpr u32 kFastOpcodeCount = static_cast<u32>(FastOpcode::kFirstFused) + code_map_detail::kRunCount;
inline constexpr u32 kFastOpcodeMask = 0x3FF;
static_assert(kFastOpcodeCount <= kFastOpcodeMask + 1);

// The instruction that a word begins with. A device's map is of single instructions, so that the word says it.
constexpr FastOpcode first_opcode(u32 word) {
  const u32 opcode = word & kFastOpcodeMask, fused = static_cast<u32>(FastOpcode::kFirstFused);
#if defined(__CUDACC_RTC__)
  return static_cast<FastOpcode>(opcode);
#endif
  return opcode < fused ? static_cast<FastOpcode>(opcode) : code_map_detail::kRuns[opcode - fused].opcodes[0];
}

namespace code_map_detail {

// What the fast machine has for each opcode, by what is known of its address; Exact where it has nothing.
enum Knowledge : u32 { kNothing, kInRam, kInRom, kKnowledges };

constexpr Mode mode_knowing(Mode mode, u32 knowledge) {
  switch (mode) {
    case Mode::Absolute: return knowledge == kInRam ? Mode::Ram : mode;
    case Mode::AbsoluteX: return knowledge == kInRam ? Mode::RamX : knowledge == kInRom ? Mode::RomX : mode;
    case Mode::AbsoluteY: return knowledge == kInRam ? Mode::RamY : knowledge == kInRom ? Mode::RomY : mode;
    default: return mode;
  }
}

constexpr FastOpcode fast_opcode(Shape shape, Mode mode, Operation operation) {
#define FAST_OPCODE(name, shape_, mode_, operation_) \
  if (shape == Shape::shape_ && mode == Mode::mode_ && operation == Operation::operation_) return FastOpcode::name;
#include "core/cpu/fast_opcodes.def"
#undef FAST_OPCODE
  return FastOpcode::Exact;
}

struct FastOpcodes {
  FastOpcode of[256][kKnowledges];
};

constexpr FastOpcodes fast_opcodes() {
  FastOpcodes table{};
  for (u32 opcode = 0; opcode < 256; ++opcode) {
    const OpcodeFacts facts = kOpcodes[opcode];
    for (u32 knowledge = 0; knowledge < kKnowledges; ++knowledge) {
      table.of[opcode][knowledge] = fast_opcode(facts.shape, mode_knowing(facts.mode, knowledge), facts.operation);
    }
  }
  return table;
}
inline constexpr FastOpcodes kFastOpcodes = fast_opcodes();

// The runs that begin with an opcode stand side by side.
struct RunsOf {
  u16 begin, end;
};
struct RunIndex {
  RunsOf of[static_cast<u32>(FastOpcode::kFirstFused)];
};
constexpr RunIndex run_index() {
  RunIndex index{};
  for (u32 run = 0; run < kRunCount; ++run) {
    RunsOf& runs = index.of[static_cast<u32>(kRuns[run].opcodes[0])];
    if (runs.end == 0) runs.begin = static_cast<u16>(run);
    runs.end = static_cast<u16>(run + 1);
  }
  return index;
}
inline constexpr RunIndex kRunIndex = run_index();

// An absolute address, and what is known of it.
struct Place {
  Knowledge knowledge;
  u32 operand;
};

constexpr Place place_of_operand(const CodeWindow& window, Mode mode, u32 base, bool reads) {
  const u32 reach = mode == Mode::Absolute ? 0 : 0xFF;
  if (base < 0x2000 && (base & 0x07FF) + reach < 0x0800) return {kInRam, base & 0x07FF};
  if (reads && window.is_fixed && reach != 0 && base >= 0x8000) {
    const u32 offset = base & (window.size - 1);
    if (offset + reach < window.size) return {kInRom, offset};
  }
  return {kNothing, base};
}

}  // namespace code_map_detail

constexpr u32 mapped_word(FastOpcode opcode, u32 operand = 0, u32 extra = 0) {
  return static_cast<u32>(opcode) | extra << 10 | operand << 16;
}

// Whatever it is that stands at `at`.
constexpr u32 mapped_instruction(const CodeWindow& window, u32 at, bool skip_idle) {
  using namespace code_map_detail;
  const OpcodeFacts facts = kOpcodes[window.bytes[at]];
  const u32 length = facts.bytes();
  if (at + length >= window.size) return mapped_word(FastOpcode::Exact);
  if (skip_idle && idle_loop(window, at).is_idle) return mapped_word(FastOpcode::IdleLoop);
  const Mode mode = facts.mode;
  Knowledge knowledge = kNothing;
  u32 operand = length == 1 ? 0u : length == 2 ? window.bytes[at + 1] : window.word(at);
  u32 extra = 0;
  switch (facts.shape) {
    case Shape::Branch:
      if (window.branch_target(at) >= window.size) return mapped_word(FastOpcode::Exact);
      extra = 1 + (((at + 2) ^ window.branch_target(at)) >> 8 & 1);
      NESPROOF_FAULT(branch_to_another_page_short, extra = 1);
      operand = (window.branch_target(at) - (at + 2)) & 0xFFFF;
      break;
    case Shape::Jump:
    case Shape::Call:
      if (operand < 0x8000) return mapped_word(FastOpcode::Exact);
      break;
    case Shape::Read:
    case Shape::Store:
    case Shape::Modify:
      if (mode == Mode::Absolute || mode == Mode::AbsoluteX || mode == Mode::AbsoluteY) {
        const Place place = place_of_operand(window, mode, operand, facts.shape == Shape::Read);
        knowledge = place.knowledge;
        operand = place.operand;
      }
      if (mode == Mode::IndirectY && operand == 0xFF) return mapped_word(FastOpcode::Exact);
      break;
    default: break;
  }
  return mapped_word(kFastOpcodes.of[window.bytes[at]][knowledge], operand, extra);
}

// The longest run that begins at `at` of a window whose words are all single instructions yet; else the word itself.
constexpr u32 fused_word(const CodeWindow& window, const u32* words, u32 at) {
  using namespace code_map_detail;
  u32 best = words[at] & kFastOpcodeMask, best_length = 1;
  const RunsOf runs = kRunIndex.of[best];
  if (runs.begin == runs.end) return words[at];
  FastOpcode ahead[kLongestRun] = {};
  for (u32 here = at, count = 0; here < window.size && count < kLongestRun; ++count) {
    ahead[count] = static_cast<FastOpcode>(words[here] & kFastOpcodeMask);
    here += kOpcodes[window.bytes[here]].bytes();
  }
  for (u32 run = runs.begin; run < runs.end; ++run) {
    bool fits = kRuns[run].opcodes[0] == ahead[0] && kRuns[run].length > best_length;
    for (u32 i = 1; fits && i < kRuns[run].length; ++i) fits = kRuns[run].opcodes[i] == ahead[i];
    if (fits) best = static_cast<u32>(FastOpcode::kFirstFused) + run, best_length = kRuns[run].length;
  }
  return (words[at] & ~kFastOpcodeMask) | best;
}

// Fills `out`, a word for each byte of PRG-ROM; whether idle loops are skipped, and runs fused, is decided here.
inline void map_code(const Cartridge& cartridge, bool skip_idle, bool fuse, u32* out) {
  const u32 bytes = cartridge.prg_mask + 1, window_bytes = cartridge.window_bytes();
  for (u32 start = 0; start < bytes; start += window_bytes) {
    const CodeWindow window{cartridge.prg_rom + start, window_bytes, bytes == window_bytes};
    for (u32 at = 0; at < window_bytes; ++at) out[start + at] = mapped_instruction(window, at, skip_idle);
    if (!fuse) continue;
    // Each looks only at what follows, which is still single where it goes upwards.
    for (u32 at = 0; at < window_bytes; ++at) out[start + at] = fused_word(window, out + start, at);
  }
}

}  // namespace nesproof::core
