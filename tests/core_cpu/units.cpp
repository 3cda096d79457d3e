// Single facts of the core's CPU side: the code map, idle loops, the flat machine.
#include <cstdio>
#include <initializer_list>
#include <vector>

#include "core/cpu/code_map.hpp"
#include "core/cpu/flat.hpp"

using namespace nesproof::core;

namespace {

int failures = 0;
#define CHECK(condition) check(condition, #condition, __LINE__)
void check(bool holds, const char* condition, int line) {
  if (holds) return;
  std::printf("line %d: %s\n", line, condition);
  ++failures;
}

constexpr u32 kLoop = 0x100;

struct Rom {
  explicit Rom(std::initializer_list<unsigned> loop, u32 at = kLoop, u32 size = 0x8000) : bytes(size, 0xEA) {
    for (const unsigned byte : loop) bytes[at++] = static_cast<u8>(byte);
    cartridge.prg_rom = bytes.data();
    cartridge.prg_mask = size - 1;
  }
  std::vector<u32> map(bool skip_idle, bool fuse) const {
    std::vector<u32> words(bytes.size());
    map_code(cartridge, skip_idle, fuse, words.data());
    return words;
  }
  FastOpcode opcode(u32 at = kLoop) const { return first_opcode(map(true, false)[at]); }

  std::vector<u8> bytes;
  Cartridge cartridge{};
};

bool is_idle(std::initializer_list<unsigned> loop, u32 closing) {
  const Rom rom(loop);
  const bool fused_as_well = first_opcode(rom.map(true, true)[kLoop + closing]) == rom.opcode(kLoop + closing);
  CHECK(fused_as_well);
  CHECK(first_opcode(rom.map(false, true)[kLoop + closing]) != FastOpcode::IdleLoop);
  return rom.opcode(kLoop + closing) == FastOpcode::IdleLoop;
}

void idle_loops() {
  CHECK(is_idle({0x4C, 0x00, 0x81}, 0));                                // JMP to itself
  CHECK(is_idle({0xA5, 0x10, 0xF0, 0xFC}, 2));                          // LDA zp, BEQ
  CHECK(is_idle({0x2C, 0x02, 0x20, 0x10, 0xFB}, 3));                    // BIT $2002, BPL
  CHECK(is_idle({0xAD, 0x02, 0x20, 0x29, 0x40, 0xF0, 0xF9}, 5));        // LDA $2002, AND #, BEQ
  CHECK(is_idle({0xAD, 0xFA, 0x3F, 0x10, 0xFB}, 3));                    // $3FFA is $2002
  CHECK(is_idle({0xCA, 0xD0, 0xFD}, 1));                                // DEX, BNE: counts, and nothing else
  CHECK(is_idle({0x2C, 0x02, 0x20, 0x70, 0x03, 0xE8, 0xD0, 0xF8}, 6));  // gives up in the end
  CHECK(is_idle({0xA5, 0x10, 0xC5, 0x11, 0xD0, 0xFA}, 4));              // LDA, CMP, BNE

  CHECK(!is_idle({0xE6, 0x10, 0x4C, 0x00, 0x81}, 2));        // writes
  CHECK(!is_idle({0xAD, 0x07, 0x20, 0x4C, 0x00, 0x81}, 3));  // reads what a read changes
  CHECK(!is_idle({0xAD, 0x16, 0x40, 0x4C, 0x00, 0x81}, 3));  // the same
  CHECK(!is_idle({0xBD, 0x00, 0x1F, 0xF0, 0xFB}, 3));        // may reach a register
  CHECK(!is_idle({0xBD, 0x00, 0x03, 0xCA, 0xD0, 0xFA}, 4));  // the counter is used
  CHECK(!is_idle({0x69, 0x01, 0x90, 0xFC}, 2));              // A goes on from iteration to iteration
  CHECK(!is_idle({0xCA, 0xB0, 0xFD}, 1));                    // the counter is not tested
  CHECK(!is_idle({0x58, 0x4C, 0x00, 0x81}, 1));              // touches the interrupt flag
  CHECK(!is_idle({0x20, 0x00, 0x90, 0x4C, 0x00, 0x81}, 3));  // calls
}

void code_map() {
  CHECK(Rom({0xAD, 0x10, 0x03}).opcode() == FastOpcode::ReadRamLda);
  CHECK(Rom({0xAD, 0x10, 0x0B}).map(true, false)[kLoop] >> 16 == 0x0310);  // mirrored
  CHECK(Rom({0xAD, 0x02, 0x20}).opcode() == FastOpcode::Exact);
  CHECK(Rom({0xBD, 0x00, 0x07}).opcode() == FastOpcode::ReadRamXLda);
  CHECK(Rom({0xBD, 0x01, 0x07}).opcode() == FastOpcode::ReadAbsoluteXLda);  // may leave RAM's copy
  CHECK(Rom({0xB9, 0x00, 0x90}).opcode() == FastOpcode::ReadRomYLda);
  CHECK(Rom({0xB9, 0x80, 0xFF}).opcode() == FastOpcode::ReadAbsoluteYLda);  // may go on in RAM
  CHECK(Rom({0xB1, 0xFF}).opcode() == FastOpcode::Exact);                   // a pointer across the zero page's end
  CHECK(Rom({0x4C, 0x00, 0x03}).opcode() == FastOpcode::Exact);             // into RAM
  CHECK(Rom({0x02}).opcode() == FastOpcode::Exact);
  CHECK((Rom({0xD0, 0x10}, 0x100).map(true, false)[0x100] >> 10 & 0x3F) == 1);
  CHECK((Rom({0xD0, 0x80}, 0x100).map(true, false)[0x100] >> 10 & 0x3F) == 2);  // crosses a page
  CHECK(Rom({0xD0, 0xF0}, 4).opcode(4) == FastOpcode::Exact);                   // leaves the window
  CHECK(Rom({0xA9}, 0x7FFE).opcode(0x7FFE) == FastOpcode::Exact);               // ends where the window does
  CHECK(Rom({0xEA}, 0x3FFF, 0x4000).opcode(0x3FFF) == FastOpcode::Exact);
  CHECK(Rom({0x00}).opcode() == FastOpcode::Exact);
  const Rom fused({0xCA, 0xCA, 0x10, 0x00});
  CHECK((fused.map(true, true)[kLoop] & kFastOpcodeMask) >= static_cast<u32>(FastOpcode::kFirstFused));
  CHECK(first_opcode(fused.map(true, true)[kLoop]) == FastOpcode::ImpliedImpliedDex);
}

void flat_machine() {
  std::vector<u8> memory(65536);
  FlatMachine machine;
  machine.memory = memory.data();
  memory[0x0000] = 0xA9, memory[0x0001] = 0x80;                         // LDA #$80
  memory[0x0002] = 0x85, memory[0x0003] = 0x10;                         // STA $10
  memory[0x0004] = 0x4C, memory[0x0005] = 0x04, memory[0x0006] = 0x00;  // JMP to itself
  u64 left = 100;
  CHECK(run_flat_until_trap(machine, left));
  CHECK(left == 97 && machine.cycles == 8 && memory[0x10] == 0x80);
  CHECK(packed_status(machine) == 0xA0);
  left = 0;
  CHECK(!run_flat_until_trap(machine, left));
  for (u32 p = 0; p < 256; ++p) {
    unpack_status(machine, p);
    CHECK(packed_status(machine) == ((p & ~0x10u) | 0x20u));
  }
}

}  // namespace

int main() {
  idle_loops();
  code_map();
  flat_machine();
  return failures != 0;
}
