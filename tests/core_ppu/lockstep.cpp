// `lockstep SEED ACCESSES [PLANTED]`: random programs of register accesses for both PPUs; exit code 1 and a sentence at
// the first difference. With PLANTED, the core gets other values from that access on. Built with -DINTERLEAVED, its
// console is one lane of a tile.
#include "pair.hpp"

namespace lockstep {

// How a stretch of accesses behaves.
struct Style {
  u32 longest_gap;  // cycles between accesses
  u32 close_in;     // one in so many gaps is a few cycles
  u32 compare_in;   // one in so many accesses is followed by a comparison
  bool only_blank;  // accesses to memory and PPUMASK in vertical blank alone, as games do
  bool record;
};

#ifdef INTERLEAVED
using Consoles = Pair<core::LaneInterleaved>;
#else
using Consoles = Pair<core::Aos>;
#endif

class Program {
 public:
  Program(Consoles& pair, Random& random) : pair_(pair), random_(random) {}

  void run(const Style& style, u32 accesses) {
    pair_.record(style.record, random_.one_in(2) ? 1 : 2);
    for (u32 i = 0; i < accesses; ++i) {
      pair_.idle(random_.one_in(style.close_in) ? random_.below(6) : random_.below(style.longest_gap));
      style.only_blank ? behave() : act();
      if (random_.one_in(style.compare_in)) pair_.compare();
    }
  }

 private:
  // A mask that mostly shows something.
  u8 mask() {
    return random_.one_in(4) ? random_.byte() : static_cast<u8>(random_.byte() | (random_.one_in(8) ? 0 : 0x18));
  }

  void act() {
    switch (random_.below(21)) {
      case 0: pair_.write(0, random_.byte()); break;
      case 1: pair_.write(1, random_.one_in(3) ? 0 : mask()); break;
      case 2: pair_.write(3, random_.one_in(2) ? 0 : random_.byte()); break;
      case 3: pair_.write(4, random_.byte()); break;
      case 4:
      case 5: pair_.write(5, random_.byte()); break;
      case 6: pair_.write(6, random_.byte()); break;
      case 7: point_v(); break;
      case 8: pair_.write(7, random_.byte()); break;
      case 9: pair_.read(7); break;
      case 10: pair_.read(4); break;
      case 11:
      case 12:
      case 13: pair_.read(2); break;
      case 14:
      case 15: pair_.poll_status(random_, 1 + random_.below(random_.one_in(8) ? 40000 : 800)); break;
      case 16: random_.one_in(4) ? sprites() : static_cast<void>(pair_.read(static_cast<u8>(random_.below(8)))); break;
      case 17: random_.one_in(3) ? stream() : static_cast<void>(pair_.read(2)); break;
      case 18: scroll(); break;
      case 19: random_.one_in(4) ? gather_at_a_landmark() : act(); break;
      default:
        if (random_.one_in(400)) pair_.press_reset();
        if (random_.one_in(100)) pair_.scramble(random_);
        if (random_.one_in(3)) pair_.write(1, mask());
    }
  }

  // As games do: video memory in vertical blank, then scroll, and splits by $2005, $2006 and PPUCTRL.
  void behave() {
    if (pair_.scanline() >= 241 && pair_.scanline() < 255) {
      if (random_.one_in(3)) sprites();
      if (random_.one_in(3)) stream();
      if (random_.one_in(4)) pair_.write(1, mask());
      scroll();
      pair_.write(0, random_.one_in(2) ? 0x90 : random_.byte());
      return;
    }
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2: pair_.poll_status(random_, 1 + random_.below(30000)); break;
      case 3: scroll(); break;
      case 4: pair_.write(5, random_.byte()); break;
      case 5: point_v(); break;
      case 6: pair_.write(0, static_cast<u8>(0x80 | (random_.one_in(4) ? random_.byte() : random_.below(4)))); break;
      default: pair_.read(2); break;
    }
  }

  // Where a line, a frame, the flags or a part of the pipeline begins or ends.
  void gather_at_a_landmark() {
    constexpr int kLines[] = {0, 1, 239, 240, 241, 260, 261}, kDots[] = {0, 62, 252, 256, 278, 302, 316, 332, 337};
    pair_.idle_until(kLines[random_.below(7)], kDots[random_.below(9)]);
    for (u32 i = 1 + random_.below(8); i != 0; --i) {
      act();
      pair_.idle(random_.below(3));
      if (random_.one_in(3)) pair_.compare();
    }
  }
  void scroll() {
    pair_.read(2);
    pair_.write(5, random_.byte());
    if (random_.one_in(8)) pair_.idle(random_.below(40));
    pair_.write(5, random_.byte());
  }
  void point_v() {
    pair_.write(6, static_cast<u8>(random_.one_in(3) ? 0x3F : random_.byte() & 0x3F));
    pair_.idle(random_.below(6));
    pair_.write(6, random_.byte());
    pair_.idle(random_.below(6));
  }
  void stream() {
    point_v();
    const bool reads = random_.one_in(3);
    for (u32 i = 0, count = random_.below(40), gap = random_.below(8); i < count; ++i) {
      if (reads) {
        pair_.read(7);
      } else {
        pair_.write(7, random_.byte());
      }
      pair_.idle(random_.one_in(5) ? random_.below(3) : gap);
    }
  }
  // Crowded in places, and sprite 0 where it may hit.
  void sprites() {
    std::array<u8, 256> page;
    const u32 rows = 1 + random_.below(random_.one_in(2) ? 12 : 240), top = random_.below(240);
    for (u32 i = 0; i < 256; i += 4) {
      page[i] = static_cast<u8>(random_.one_in(4) ? 0xF8 : top + random_.below(rows));
      page[i + 1] = random_.byte();
      page[i + 2] = random_.byte();
      page[i + 3] = random_.byte();
    }
    pair_.write_oam(page);
  }

  Consoles& pair_;
  Random& random_;
};

void run(u64 seed, u64 accesses, u64 planted) {
  Random random{seed * 0x9E3779B97F4A7C15 + 1};
  for (int i = 0; i < 8; ++i) random.next();
  reference::CartridgeImage image;
  image.prg_rom.resize(32768);
  image.mirroring = static_cast<reference::Mirroring>(random.below(3));
  if (random.one_in(2)) {
    image.chr_ram_bytes = 8192;
  } else {
    image.chr_rom.resize(8192);
    bool blank = false;
    for (std::size_t i = 0; i < image.chr_rom.size(); ++i) {
      if (i % 16 == 0) blank = random.one_in(2);
      image.chr_rom[i] = blank ? 0 : random.byte();
    }
  }
  Consoles pair(image, random.one_in(4) ? 0xFFFF0000u / 3 : random.one_in(4) ? 0xFFFF0000u : 0);
  pair.context = "seed " + std::to_string(seed);
  pair.planted = planted;
  pair.fill_chr_ram(random, 2);
  Program program(pair, random);
  for (u64 done = 0; done < accesses; done += 400) {
    const Style style{.longest_gap = 1 + random.below(random.one_in(3)   ? 3000
                                                      : random.one_in(2) ? 200
                                                                         : 30),
                      .close_in = 1 + random.below(8),
                      .compare_in = 1 + random.below(40),
                      .only_blank = random.one_in(3),
                      .record = random.one_in(3)};
    program.run(style, 400);
  }
  pair.compare();
  pair.check_neighbours();
  pair.report();
}

}  // namespace lockstep

int main(int count, char** arguments) {
  if (count != 3 && count != 4) {
    std::fprintf(stderr, "usage: %s SEED ACCESSES [PLANTED]\n", arguments[0]);
    return 2;
  }
  const auto number = [=](int i) { return i < count ? std::strtoull(arguments[i], nullptr, 10) : 0; };
  lockstep::run(number(1), number(2), number(3));
  return 0;
}
