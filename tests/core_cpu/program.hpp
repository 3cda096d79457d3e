// Random programs for a console: mostly plausible instructions, addresses everywhere, waits, DMA and samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "core/cpu/opcode_facts.hpp"

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) {}
  unsigned operator()() {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<unsigned>((z ^ (z >> 31)) >> 32);
  }
  unsigned below(unsigned end) { return (*this)() % end; }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>((*this)()); }

 private:
  std::uint64_t state_;
};

struct Program {
  std::vector<std::uint8_t> prg_rom, chr_rom;
  unsigned chr_ram_bytes, prg_ram_bytes;
  bool vertical;
};

class ProgramWriter {
 public:
  explicit ProgramWriter(Random& random)
      : random_(random), bytes_(random.one_in(8) ? 512u << random.below(5) : 16384u << random.below(2)) {}

  Program write() {
    open_the_screen();
    wild_ = random_.one_in(2);
    while (at_ + 24 < bytes_.size()) piece();
    for (std::size_t vector = bytes_.size() - 6; vector < bytes_.size(); vector += 2) {
      const bool reset = vector + 4 == bytes_.size();
      put_word(vector,
               reset ? first_address() : first_address() + random_.below(static_cast<unsigned>(bytes_.size()) - 300));
    }
    Program program{bytes_, {}, 8192, random_.one_in(2) ? 8192u : 0u, random_.one_in(2)};
    if (random_.one_in(2)) {
      program.chr_ram_bytes = 0;
      for (int i = 0; i < 8192; ++i) program.chr_rom.push_back(random_.byte());
    }
    return program;
  }

 private:
  using Shape = nesproof::core::Shape;

  unsigned first_address() const { return 0x10000 - static_cast<unsigned>(bytes_.size()); }

  void put(std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) bytes_[at_++] = static_cast<std::uint8_t>(byte);
  }
  void put_word(std::size_t at, unsigned word) {
    bytes_[at] = static_cast<std::uint8_t>(word);
    bytes_[at + 1] = static_cast<std::uint8_t>(word >> 8);
  }

  // Waits until the PPU takes writes, and mostly turns rendering and NMIs on; a sample plays over and over in some.
  void open_the_screen() {
    if (random_.one_in(3)) put({0xA9, 0x40u | random_.below(16), 0x8D, 0x10, 0x40, 0xA9, 0x1F, 0x8D, 0x15, 0x40});
    put({0xA2, 0xFF, 0x9A, 0x2C, 0x02, 0x20, 0x10, 0xFB, 0x2C, 0x02, 0x20, 0x10, 0xFB});
    put({0xA9, random_.one_in(4) ? 0x08 : 0x90u | random_.below(16) << 2, 0x8D, 0x00, 0x20});
    put({0xA9, random_.one_in(4) ? random_.byte() : 0x1Eu, 0x8D, 0x01, 0x20});
  }

  void piece() {
    if (random_.one_in(40)) return wait();
    if (random_.one_in(200)) return put({0xA9, random_.below(9), 0x8D, 0x14, 0x40});
    if (random_.one_in(300)) return put({0xA9, random_.byte(), 0x8D, random_.below(2), 0x20});
    if (random_.one_in(60)) {
      return put({0xA9, 0x0Fu | (random_.byte() & 0x80), 0x8D, 0x10, 0x40, 0xA9, 0x1F, 0x8D, 0x15, 0x40});
    }
    instruction();
  }

  void wait() {
    switch (random_.below(7)) {
      case 0: return put({0x2C, 0x02, 0x20, 0x10, 0xFB});                    // until vertical blank
      case 1: return put({0xAD, 0x02, 0x20, 0x29, 0x40, 0xF0, 0xF9});        // until a hit
      case 2: return put({0x2C, 0x02, 0x20, 0x70, 0x03, 0xE8, 0xD0, 0xF8});  // the same, but not for ever
      case 3: return put({0xA2, random_.byte(), 0xCA, 0xD0, 0xFD});          // a while
      case 4: return put({0xA0, random_.byte(), 0xA2, random_.byte(), 0xCA, 0xD0, 0xFD, 0x88, 0xD0, 0xF8});
      case 5: return put({0xA5, random_.byte(), 0xF0, 0xFC});  // until RAM changes
      default: return put({0x2C, 0x02, 0x20, 0x70, 0x03, 0x88, 0x10, 0xF8});
    }
  }

  void instruction() {
    const unsigned opcode = random_.below(256);
    const auto facts = nesproof::core::kOpcodes[opcode];
    const bool strays = facts.shape == Shape::Return || facts.shape == Shape::ReturnFromInterrupt ||
                        facts.shape == Shape::Break || facts.shape == Shape::JumpIndirect;
    if (facts.shape == Shape::Jam && !random_.one_in(100)) return;
    if (strays && !random_.one_in(wild_ ? 3 : 16)) return;
    switch (facts.bytes()) {
      case 1: return put({opcode});
      case 2:
        if (facts.shape != Shape::Branch) return put({opcode, random_.byte()});
        return put({opcode, random_.one_in(3) ? 256 - random_.below(16) : random_.below(12)});
      default: {
        const bool jumps = facts.shape == Shape::Jump || facts.shape == Shape::Call;
        const unsigned to = jumps && !random_.one_in(20) ? 0x8000 + random_.below(0x8000) : address();
        return put({opcode, to & 0xFF, to >> 8});
      }
    }
  }

  unsigned address() {
    const unsigned kind = random_.below(100);
    if (kind < 45) return random_.below(0x0800);
    if (kind < 50) return random_.below(0x2000);
    if (kind < 60) return 0x2000 + random_.below(8);
    if (kind < 62) return 0x2000 + random_.below(0x2000);
    if (kind < 70) return 0x4000 + random_.below(0x18);
    if (kind < 73) return 0x4014 + random_.below(4);
    if (kind < 75) return 0x3FF0 + random_.below(0x40);
    if (kind < 77) return 0x4018 + random_.below(0x2000);
    if (kind < 82) return 0x6000 + random_.below(0x2080);
    return 0x8000 + random_.below(0x8000);
  }

  Random& random_;
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool wild_ = false;
};
