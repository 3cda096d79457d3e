// The CPU alone, both variants, over any memory: every opcode from any registers.
#include "input.hpp"
#include "reference/cpu/flat_machine.hpp"

namespace nesproof::fuzz {

namespace {

template <reference::Variant kVariant>
void run_variant(Input input) {
  const u16 pc = input.word();
  std::vector<u8> memory = filled(input.rest(), 65536);
  reference::FlatMachine<kVariant> machine{std::span<u8>(memory)};
  machine.cpu.pc = pc;
  machine.run_until_trap(20'000);
  demand(machine.bus.cycles() >= machine.instructions, "an instruction takes at least one cycle");
}

void run(std::span<const u8> bytes) {
  run_variant<reference::Variant::Mos6502>(Input(bytes));
  run_variant<reference::Variant::Ricoh2A03>(Input(bytes));
}

}  // namespace

}  // namespace nesproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nesproof::fuzz::run({data, size});
  return 0;
}
