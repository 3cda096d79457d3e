// A CPU alone on 64 KiB of RAM, for suites that test instructions: every access is one cycle and is recorded.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "reference/cpu/cpu.hpp"

namespace nesproof::reference {

struct BusAccess {
  u16 address;
  u8 value;
  u8 is_write;  // 0 or 1
};

class FlatBus {
 public:
  explicit FlatBus(std::span<u8> memory) : memory_(memory) {}

  u8 read(u16 address) {
    cycles_++;
    const u8 value = memory_[address];
    if (recording_) accesses_.push_back({address, value, 0});
    return value;
  }
  void write(u16 address, u8 value) {
    cycles_++;
    memory_[address] = value;
    if (recording_) accesses_.push_back({address, value, 1});
  }
  bool stall(u16 /*address*/) { return false; }
  u8 read_after_stall(u16 address) { return read(address); }

  u64 cycles() const { return cycles_; }
  void record(bool on) {
    recording_ = on;
    accesses_.clear();
  }
  const std::vector<BusAccess>& accesses() const { return accesses_; }

 private:
  std::span<u8> memory_;  // 65,536 bytes
  u64 cycles_ = 0;
  bool recording_ = false;
  std::vector<BusAccess> accesses_;
};

template <Variant kVariant>
class FlatMachine {
 public:
  explicit FlatMachine(std::span<u8> memory) : bus(memory), cpu(bus) {}

  // Runs until an instruction jumps to itself (that jump counted) or the CPU jams; false at `max_instructions`.
  bool run_until_trap(u64 max_instructions) {
    for (u64 done = 0; done < max_instructions; ++done) {
      const u16 before = cpu.pc;
      cpu.step();
      instructions++;
      if (cpu.pc == before || cpu.jammed()) return true;
    }
    return false;
  }

  FlatBus bus;
  Cpu<FlatBus, kVariant> cpu;
  u64 instructions = 0;
};

}  // namespace nesproof::reference
