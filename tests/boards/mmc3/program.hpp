// Random programs for an MMC3: splits, banks, mirroring, and all that moves the PPU's address bus, at random times.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

struct Random {
  std::uint64_t state;
  unsigned operator()() {
    state += 0x9E3779B97F4A7C15;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<unsigned>((z ^ (z >> 31)) >> 32);
  }
  unsigned below(unsigned end) { return (*this)() % end; }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::uint8_t byte() { return static_cast<std::uint8_t>((*this)()); }
};

// Code lies in the last bank, at $E000, and in every other bank there are subroutines at the same places, so that any
// bank may stand in any window. $00 counts NMIs, $01 IRQs; pages 2 to 5 are for OAM DMA.
class ProgramWriter {
 public:
  static constexpr unsigned kBank = 0x2000;

  explicit ProgramWriter(Random& random) : random_(random) {}

  std::vector<std::uint8_t> write() {
    const unsigned banks = random_.one_in(4) ? 10 : 2u << random_.below(4);  // 80 KiB are no power of two
    choose_style();
    std::vector<std::uint8_t> prg;
    for (unsigned bank = 0; bank + 1 < banks; ++bank) {
      begin();
      for (unsigned i = 0; i < kSubroutines; ++i) {
        code_.resize(i * kSubroutineBytes, 0xEA);
        for (unsigned pieces = random_.below(3); pieces > 0; --pieces) simple_piece();
        put({0x60});
      }
      code_.resize(kBank, 0xEA);
      for (unsigned at = kBank - 1; at >= kSubroutines * kSubroutineBytes; --at) code_[at] = random_.byte();
      prg.insert(prg.end(), code_.begin(), code_.end());
    }
    write_last();
    prg.insert(prg.end(), code_.begin(), code_.end());
    return prg;
  }

 private:
  static constexpr unsigned kSubroutines = 16, kSubroutineBytes = 128, kMostBytes = 7000;

  void choose_style() {
    calm_ = random_.below(4);  // how rarely the main program touches anything but splits
    tall_ = random_.below(3);  // 0: never, 1: always, 2: now and then
    // With the background and the sprites in two tables there is a clock in every line.
    control_ = static_cast<std::uint8_t>(random_.one_in(6) ? random_() & 0x18 : random_.one_in(2) ? 0x08 : 0x10);
    restless_ = random_.one_in(6);  // the main program does little but disturb searches for tall sprites
    if (restless_) tall_ = 1;
    odd_tiles_ = random_.below(3);  // 0: any tile, 1: odd ones, 2: mostly
  }

  void begin() { code_.clear(); }
  void put(std::initializer_list<unsigned> bytes) {
    for (const unsigned byte : bytes) code_.push_back(static_cast<std::uint8_t>(byte));
  }
  unsigned here() const { return 0xE000 + static_cast<unsigned>(code_.size()); }
  void store(unsigned address, unsigned value) { put({0xA9, value & 0xFF, 0x8D, address & 0xFF, address >> 8}); }

  void write_last() {
    begin();
    put({0x78, 0xD8, 0xA2, 0xFF, 0x9A});
    if (!random_.one_in(16)) store(0x4017, 0x40);  // else the sound unit's IRQ drowns the board's
    fill_pages();
    if (!random_.one_in(8)) {
      for (int i = 0; i < 2; ++i) put({0x2C, 0x02, 0x20, 0x10, 0xFB});  // two vertical blanks
    }
    palette();
    control();
    mask();
    banks_of_a_game();
    for (int i = 0; i < 3; ++i) irq_register();
    put({0x58});
    const unsigned loop = here();
    const unsigned pieces = 1 + random_.below(calm_ == 0 ? 80 : 16);
    for (unsigned i = 0; i < pieces && code_.size() < kMostBytes - 1200; ++i) piece();
    put({0x4C, loop & 0xFF, loop >> 8});

    const unsigned nmi = here();
    put({0x48, 0x8A, 0x48, 0x98, 0x48, 0xE6, 0x00});
    if (!random_.one_in(4)) dma();
    if (random_.one_in(2)) uploads();
    if (!random_.one_in(4)) scroll();
    if (random_.one_in(3)) control();
    if (random_.one_in(3)) bank();
    if (!random_.one_in(6)) split_at(random_.below(random_.one_in(6) ? 256 : 100));
    if (random_.one_in(4)) put({0x58});
    for (unsigned i = random_.below(3); i > 0; --i) simple_piece();
    put({0x68, 0xA8, 0x68, 0xAA, 0x68, 0x40});

    const unsigned irq = here();
    put({0x48, 0x8A, 0x48});
    put({0xE6, 0x01});
    for (unsigned i = random_.below(3); i > 0; --i) picture_piece();
    if (!random_.one_in(16)) put({0x8D, 0x00, 0xE0});
    if (!random_.one_in(4)) put({0x8D, 0x01, 0xE0});
    if (random_.one_in(3)) split_at(random_.below(60));
    for (unsigned i = random_.below(3); i > 0; --i) picture_piece();
    put({0x68, 0xAA, 0x68, 0x40});

    code_.resize(kBank - 6, 0xEA);
    put({nmi & 0xFF, nmi >> 8, 0x00, 0xE0, irq & 0xFF, irq >> 8});
  }

  // Pages 2-5 get sprites that the style asks for.
  void fill_pages() {
    for (unsigned page = 2; page < 6; ++page) {
      for (unsigned sprite = 0; sprite < 64; ++sprite) {
        if (!random_.one_in(random_.one_in(2) ? 2 : 8)) continue;
        const unsigned y = random_.one_in(3) ? random_.byte() : 40 + random_.below(60);
        unsigned tile = random_.byte();
        if (odd_tiles_ == 1 || (odd_tiles_ == 2 && !random_.one_in(10))) tile |= 1;
        if (code_.size() > 2600) return;
        const unsigned bytes[4] = {y, tile, random_.byte(), random_.byte()};
        for (unsigned i = 0; i < 4; ++i) store(page * 256 + sprite * 4 + i, bytes[i]);
      }
    }
  }

  // --- Anything, in the main program
  void piece() {
    if (restless_) return random_.one_in(2) ? oam() : random_.one_in(2) ? blink() : short_wait();
    if (calm_ != 0 && !random_.one_in(1 + calm_ * 2)) return wait();
    switch (random_.below(12)) {
      case 0: return wait_for_status();
      case 1: return wait_for_interrupt();
      case 2: return dma();
      case 3: return subroutine();
      case 4: return put({random_.one_in(3) ? 0x78u : 0x58u});
      case 5: return uploads();
      default: return simple_piece();
    }
  }
  void simple_piece() {
    switch (random_.below(13)) {
      case 0: return control();
      case 1: return mask();
      case 2: return scroll();
      case 3: return address();
      case 4: return data();
      case 5: return oam();
      case 6: return irq_register();
      case 7: return bank();
      case 8: return mirroring();
      case 9: return ram();
      case 10: return put({0xAD, random_.one_in(2) ? 0x02u : 0x04u, 0x20});
      default: return wait();
    }
  }
  void picture_piece() {
    switch (random_.below(9)) {
      case 0: return scroll();
      case 1: return address();
      case 2: return bank();
      case 3: return control();
      case 4: return mask();
      case 5: return mirroring();
      case 6: return oam();
      default: return short_wait();
    }
  }

  // --- Time
  void short_wait() {
    for (unsigned i = random_.below(8); i > 0; --i) put({0xEA});
    if (random_.one_in(2)) put({0x24, 0x10});
  }
  void wait() {
    if (random_.one_in(3)) return short_wait();
    const bool twice = random_.one_in(3);
    if (twice) put({0xA0, 1 + random_.below(6)});
    put({0xA2, random_.below(120), 0xCA, 0xD0, 0xFD});
    if (twice) put({0x88, 0xD0, 0xF8});
  }
  void wait_for_status() {
    switch (random_.below(3)) {
      case 0: return put({0x2C, 0x02, 0x20, 0x10, 0xFB});  // vertical blank
      case 1:                                              // sprite-0 hit or vertical blank
        return put({0xAD, 0x02, 0x20, 0x29, 0xC0, 0xF0, 0xF9});
      default: return put({0xA2, random_.byte(), 0x2C, 0x02, 0x20, 0x70, 0x03, 0xCA, 0xD0, 0xF8});
    }
  }
  // For an NMI or an IRQ, with a limit.
  void wait_for_interrupt() {
    const unsigned counter = random_.below(2);
    put({0xA5, counter, 0xA2, random_.byte(), 0xC5, counter, 0xD0, 0x03, 0xCA, 0xD0, 0xF9});
  }

  // --- The PPU
  void control() {
    std::uint8_t value = static_cast<std::uint8_t>(random_() & 0x07);
    if (!random_.one_in(6)) value |= 0x80;
    value |= random_.one_in(6) ? random_.byte() & 0x18 : control_;
    if (tall_ == 1 || (tall_ == 2 && random_.one_in(2))) value |= 0x20;
    store(0x2000, value);
  }
  void mask() {
    constexpr unsigned kMasks[] = {0x1E, 0x1E, 0x1E, 0x18, 0x1E, 0x0A, 0x14, 0x00, 0x06, 0xFF};
    store(0x2001, kMasks[random_.below(random_.one_in(2) ? 5 : 10)]);
  }
  // Rendering is off for some dots.
  void blink() {
    store(0x2001, 0);
    for (unsigned i = random_.below(6); i > 0; --i) put({0xEA});
    store(0x2001, 0x1E);
  }
  void scroll() {
    store(0x2005, random_.byte());
    if (!random_.one_in(8)) store(0x2005, random_.byte());
  }
  void address() {
    constexpr unsigned kPages[] = {0x00, 0x0F, 0x10, 0x1F, 0x20, 0x23, 0x2F, 0x3F};
    store(0x2006, random_.one_in(2) ? random_.byte() : kPages[random_.below(8)]);
    if (random_.one_in(8)) return;
    if (random_.one_in(8)) short_wait();
    store(0x2006, random_.one_in(3) ? 0xFF : random_.byte());
  }
  void data() {
    for (unsigned i = 1 + random_.below(3); i > 0; --i) {
      random_.one_in(2) ? put({0xAD, 0x07, 0x20}) : store(0x2007, random_.byte());
    }
  }
  void palette() {
    store(0x2006, 0x3F);
    store(0x2006, 0x00);
    for (int i = 0; i < 16; ++i) store(0x2007, random_.byte());
  }
  void uploads() {
    address();
    for (unsigned i = random_.below(12); i > 0; --i) store(0x2007, random_.byte());
  }
  void oam() {
    if (random_.one_in(2)) store(0x2003, random_.one_in(2) ? 0 : random_.byte());
    for (unsigned i = random_.below(4); i > 0; --i) store(0x2004, random_.byte());
  }
  void dma() {
    if (!random_.one_in(4)) store(0x2003, 0);
    store(0x4014, random_.one_in(10) ? random_.byte() : 2 + random_.below(4));
  }

  // --- The board
  void bank() {
    unsigned select = random_.below(8);
    if (random_.one_in(4)) select |= random_() & 0xE0;
    store(0x8000 + 2 * random_.below(4), select);
    if (random_.one_in(8)) return;
    store(0x8001 + 2 * random_.below(4), random_.byte());
  }
  void banks_of_a_game() {
    for (unsigned bank = 0; bank < 8; ++bank) {
      store(0x8000, bank);
      store(0x8001, random_.byte());
    }
  }
  void mirroring() { store(random_.one_in(3) ? 0xA001 : 0xA000, random_.byte()); }
  void ram() {
    const unsigned at = 0x6000 + random_.below(0x2000);
    random_.one_in(2) ? put({0xAD, at & 0xFF, at >> 8}) : store(at, random_.byte());
  }
  void irq_register() {
    switch (random_.below(5)) {
      case 0: return store(0xC000, random_.one_in(3) ? random_.byte() : random_.below(24));
      case 1: return put({0x8D, 0x01, 0xC0});
      case 2: return random_.one_in(3) ? put({0x8D, 0x00, 0xE0}) : put({0x8D, 0x01, 0xE0});
      case 3: return put({0x8D, 0x01, 0xE0});
      default: return split_at(random_.below(random_.one_in(4) ? 256 : 40));
    }
  }
  void split_at(unsigned line) {
    store(0xC000, line);
    put({0x8D, 0x01, 0xC0});
    if (random_.one_in(2)) put({0x8D, 0x00, 0xE0});
    put({0x8D, 0x01, 0xE0});
  }

  void subroutine() {
    const unsigned at = 0x8000 + random_.below(3) * kBank + random_.below(kSubroutines) * kSubroutineBytes;
    put({0x20, at & 0xFF, at >> 8});
  }

  Random& random_;
  std::vector<std::uint8_t> code_;
  unsigned calm_ = 0, tall_ = 0, odd_tiles_ = 0;
  bool restless_ = false;
  std::uint8_t control_ = 0;
};
