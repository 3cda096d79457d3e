// PRG-ROM as the fast machine fetches opcodes from it: the ROM's own bytes, but where it would go wrong.
//
// What an instruction in ROM may do is known when the cartridge is loaded: whether it touches I/O at a fixed address,
// leaves its window, jumps into RAM, or closes an idle loop. There the map has one of two opcodes that stop a real
// CPU and that no program runs twice; so that the fast machine asks none of these questions. Operands are read from
// the ROM itself.
#pragma once

#include "core/cartridge.hpp"
#include "core/cpu/idle_loops.hpp"

namespace nesproof::core {

namespace mapped {
inline constexpr u8 kExact = 0x02;     // for the exact machine
inline constexpr u8 kIdleLoop = 0x12;  // closes an idle loop; the ROM has its opcode
}  // namespace mapped

// The fast machine's opcode for the instruction at `at`, whatever it is that stands there. The CPU's $8000-$FFFF is
// this window, once or over and over.
constexpr u8 mapped_opcode(const CodeWindow& window, u32 at, bool skip_idle) {
  const u8 opcode = window.bytes[at];
  const OpcodeFacts facts = kOpcodes[opcode];
  if (facts.shape == Shape::Jam || facts.shape == Shape::Break || facts.shape == Shape::StoreUnstable) {
    return mapped::kExact;
  }
  if (at + facts.bytes() >= window.size) return mapped::kExact;
  if (facts.mode == Mode::Absolute) {
    const u32 operand = window.word(at);
    switch (facts.shape) {
      case Shape::Jump:
      case Shape::Call:
        if (operand < 0x8000) return mapped::kExact;
        break;
      case Shape::Read:
        if (operand >= 0x2000 && operand < 0x8000) return mapped::kExact;
        break;
      default:
        if (operand >= 0x2000) return mapped::kExact;
        break;
    }
  }
  if (facts.shape == Shape::Branch) {
    if (window.branch_target(at) >= window.size) return mapped::kExact;
  }
  if (skip_idle && closes_idle_loop(window, at)) return mapped::kIdleLoop;
  return opcode;
}

// Fills `out`, a byte for each of PRG-ROM; whether idle loops are skipped is decided here.
inline void map_code(const Cartridge& cartridge, bool skip_idle, u8* out) {
  const u32 bytes = cartridge.prg_mask + 1;
  const u32 window_bytes = bytes < 0x8000 ? bytes : 0x8000u;
  for (u32 start = 0; start < bytes; start += window_bytes) {
    const CodeWindow window{cartridge.prg_rom + start, window_bytes};
    for (u32 at = 0; at < window_bytes; ++at) out[start + at] = mapped_opcode(window, at, skip_idle);
  }
}

}  // namespace nesproof::core
