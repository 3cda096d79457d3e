// The fast PPU's jumps against the reference's dots: random states, random jumps, every field after each.
//
//   lockstep SEED DOTS [JUMPS]    prints what it did; exit status 1 at the first difference. After so many jumps a bit
//                                 of the core's state is turned.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/board/nrom.hpp"
#include "core/ppu/line_jump.hpp"
#include "reference/ppu/ppu.hpp"
#include "state/visitor.hpp"

namespace {

namespace ref = nesproof::reference;
namespace core = nesproof::core;
namespace state = nesproof::state;
using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Random {
  u64 value;
  u64 next() {
    value += 0x9E3779B97F4A7C15;
    return state::mix64(value, 0, 0);
  }
  u32 below(u32 limit) { return static_cast<u32>((next() >> 32) * limit >> 32); }
  bool one_in(u32 n) { return below(n) == 0; }
};

using Console = core::System<core::Aos, core::Nrom>;

// Calls `use(name, position, reference's value, place in the core's state)` for each value of the PPU and its memories.
template <class Use>
class Walk : public state::ElementVisitor<Walk<Use>> {
 public:
  Walk(Console console, Use use) : console_(console), use_(use) {}
  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag, std::size_t position, Value& value) {
    using Stored = typename Tag::value_type;
    constexpr u32 kLazyFields = static_cast<u32>(core::Field::kCount) - state::kFieldCount;
    u32 offset = core::kPlaces.offset[kLazyFields + static_cast<u32>(Tag::index)];
    if constexpr (Tag::index == state::Index::cartridge_prg_ram) offset = console_.cartridge->prg_ram_at();
    if constexpr (Tag::index == state::Index::cartridge_chr_ram) offset = console_.cartridge->chr_ram_at();
    if constexpr (Tag::index == state::Index::cartridge_nametables) offset = console_.cartridge->nametables_at();
    use_(Tag{}, static_cast<u32>(position), value,
         *reinterpret_cast<Stored*>(console_.base + offset + position * sizeof(Stored)));
  }

 private:
  Console console_;
  Use use_;
};

template <class Use>
void walk(ref::Ppu& ppu, ref::Board* board, Console console, Use use) {
  Walk<Use> visitor(console, use);
  ppu.visit(visitor);
  if (board != nullptr) board->visit(visitor);
}

struct Counts {
  u64 jumped = 0, single = 0, jumps = 0, foretold = 0, hits = 0, overflows = 0;
};

class Lockstep {
 public:
  static inline u64 planted = 0;  // the jump after which a bit is turned

  Lockstep(u64 seed, bool chr_ram) : random_{seed} {
    ref::CartridgeImage image;
    image.prg_rom.resize(0x8000);
    chr_.resize(0x2000);
    const u32 density = random_.below(4);
    for (u8& byte : chr_) {
      byte = static_cast<u8>(random_.next());
      for (u32 i = 0; i < density; ++i) byte &= static_cast<u8>(random_.next());
      if (random_.one_in(3)) byte = 0;
    }
    chr_ram ? void(image.chr_ram_bytes = 0x2000) : void(image.chr_rom = chr_);
    image.mirroring = random_.one_in(2) ? ref::Mirroring::Vertical : ref::Mirroring::Horizontal;
    const bool vertical = image.mirroring == ref::Mirroring::Vertical;
    cartridge_.chr_rom = chr_ram ? nullptr : chr_.data();
    cartridge_.prg_mask = 0x7FFF;
    cartridge_.chr_mask = 0x1FFF;
    cartridge_.chr_ram_bytes = chr_ram ? 0x2000 : 0;
    cartridge_.nametable_bytes = 2048;
    cartridge_.nametable_bank[vertical ? 1 : 2] = cartridge_.nametable_bank[3] = 0x400;
    board_ = ref::make_board(std::move(image));
    board_->power_on(0);
    ppu_ = std::make_unique<ref::Ppu>(*board_);
    ppu_->power_on();
    memory_.resize(cartridge_.state_bytes() + 64);
    if (chr_ram) std::memcpy(board_->chr_ram().data(), chr_.data(), chr_.size());
  }

  // False at the first difference.
  bool run(u64 dots, Counts& counts) {
    counts_ = &counts;
    for (u64 end = counts.jumped + counts.single + dots; counts.jumped + counts.single < end;) {
      randomise();
      for (u32 i = 0; i < 200; ++i) {
        if (random_.one_in(4)) access();
        if (random_.one_in(2)) ask_steady();
        if (!jump(pick_dots())) return false;
      }
    }
    return true;
  }

 private:
  Console console() { return Console(core::Aos{memory_.data()}, &cartridge_, nullptr); }

  u32 pick_dots() {
    switch (random_.below(60)) {
      case 0: return random_.below(100'000);
      case 1:
      case 2: return 1 + random_.below(20'000);
      case 3:
      case 4:
      case 5: return 341 * random_.below(20) + random_.below(3);
      default:
        const u32 kind = random_.below(4);
        return 1 + random_.below(kind == 0 ? 4 : kind == 1 ? 60 : kind == 2 ? 341 : 1000);
    }
  }

  void randomise() {
    const bool wild = random_.one_in(2);  // states that no program reaches as well
    const u32 spread = random_.below(4), tall = random_.below(2);
    walk(*ppu_, board_.get(), console(), [&](auto tag, u32 position, auto& value, auto&) {
      using Tag = decltype(tag);
      namespace f = state::fields;
      constexpr bool is_delay =
          Tag::index == state::Index::ppu_mask_delay || Tag::index == state::Index::ppu_address_delay ||
          Tag::index == state::Index::ppu_data_delay || Tag::index == state::Index::ppu_hit_delay ||
          Tag::index == state::Index::ppu_overflow_delay;
      const u64 bits = random_.next();
      u64 chosen = Tag::max_value >= 0xFFFFFFFF ? bits : bits % (Tag::max_value + 1);
      if constexpr (is_delay) chosen = 0;
      if constexpr (Tag::index == state::Index::ppu_oam_corrupt) chosen = random_.one_in(16);
      if constexpr (Tag::index == state::Index::ppu_pipeline_mask) {
        if (!random_.one_in(16)) chosen |= 0x18;
        if (!random_.one_in(4)) chosen |= 0x06;
      }
      if constexpr (Tag::index == state::Index::ppu_control) chosen = (chosen & ~u64{0x20}) | tall << 5;
      if constexpr (Tag::index == state::Index::ppu_oam) {
        // Sprite 0 is often cut by the left column, or by x = 255, which takes no hit.
        if (position == 3 && random_.one_in(2)) chosen = random_.one_in(3) ? chosen % 10 : 247 + chosen % 3;
        if (position % 4 == 0 && spread != 0) {
          if (spread == 1) chosen = chosen % 64 == 0 ? 240 : chosen % 240;
          if (spread == 2) chosen = random_.one_in(6) ? chosen : 0xF8;
          if (spread == 3) chosen = 40 + chosen % 100;
        }
      }
      if constexpr (Tag::index == state::Index::cartridge_nametables) {
        if (random_.one_in(2)) chosen = 0;
      }
      if constexpr (Tag::index == state::Index::ppu_scanline) {
        if (random_.one_in(8)) chosen = random_.one_in(2) ? 261 : 239;
        if (random_.one_in(4)) chosen = position_line_ < 240 ? position_line_ : chosen;
      }
      if (!wild) {
        if constexpr (Tag::index == state::Index::ppu_oam_address || Tag::index == state::Index::ppu_unit_restart)
          chosen = 0;
        if constexpr (Tag::index == state::Index::ppu_unit_counting) chosen = 0xFF;
      }
      value = state::detail::from_bits<std::remove_reference_t<decltype(value)>>(chosen);
    });
    u32 mask = 0;
    walk(*ppu_, board_.get(), console(), [&](auto tag, u32, auto& value, auto&) {
      if constexpr (decltype(tag)::index == state::Index::ppu_mask) {
        mask = static_cast<u32>(value);
      } else if constexpr (decltype(tag)::index == state::Index::ppu_pipeline_mask) {
        if (random_.one_in(8)) mask = static_cast<u32>(value);
      }
    });
    ppu_->restored();
    position_line_ = random_.below(240);
    take_over(true);
    core::predictions_void(console());
    steady_until_ = now_;
  }

  // The core's state becomes the reference's.
  void take_over(bool memories) {
    walk(*ppu_, memories ? board_.get() : nullptr, console(), [](auto, u32, auto& value, auto& place) {
      place = static_cast<std::remove_reference_t<decltype(place)>>(value);
    });
    console().lazy_line_owed() = 0;
  }

  bool same() {
    bool equal = true;
    walk(*ppu_, nullptr, console(), [&](auto tag, u32 position, auto& value, auto& place) {
      using Tag = decltype(tag);
      if (static_cast<u64>(value) == static_cast<u64>(place)) return;
      equal = false;
      std::printf("%s[%u]: reference %llu, core %llu\n",
                  state::kFields[static_cast<std::size_t>(Tag::index)].name.data(), position,
                  static_cast<unsigned long long>(value), static_cast<unsigned long long>(place));
    });
    return equal;
  }

  bool tick() {
    ppu_->tick();
    ++now_;
    const u8 flags = ppu_->peek(2) & 0x60;
    if (flags != flags_) {
      if (flags & ~flags_ & 0x40) ++counts_->hits;
      if (flags & ~flags_ & 0x20) ++counts_->overflows;
      if (now_ <= steady_until_) {
        std::printf("flags went from %02X to %02X %llu dots before a change was foretold\n", flags_, flags,
                    static_cast<unsigned long long>(steady_until_ - now_ + 1));
        return false;
      }
      if (now_ == steady_until_ + 1) ++counts_->foretold;
      steady_until_ = 0;
      flags_ = flags;
    }
    return true;
  }

  bool delayed() {
    const Console s = console();
    return s.ppu_mask_delay() | s.ppu_address_delay() | s.ppu_data_delay() | s.ppu_hit_delay() | s.ppu_overflow_delay();
  }

  void access() {
    const u32 reg = random_.below(8);
    const u8 value = static_cast<u8>(random_.next());
    steady_until_ = 0;
    ppu_->write(static_cast<u8>(reg), reg == 1 ? value | (random_.one_in(8) ? 0 : 0x18) : value);
    take_over(false);
    while (delayed()) {
      tick();
      take_over(false);
    }
    if (reg == 7) take_over(true);
    const bool hit_only = reg == 5 || reg == 6 || reg == 7;
    hit_only ? core::hit_prediction_void(console()) : core::predictions_void(console());
  }

  void ask_steady() {
    flags_ = ppu_->peek(2) & 0x60;
    const u32 dots = core::flags_steady_dots(console());
    steady_until_ = now_ + dots;
  }

  bool jump(u32 dots) {
    while (dots != 0) {
      const int line = ppu_->scanline(), dot = ppu_->dot();
      const bool renders = console().ppu_pipeline_mask() & 0x18;
      const u32 made = renders ? core::line_jump(console(), dots) : 0;
      u32 ticks = made;
      if (made == 0) {
        ticks = 1;
        if (!renders && !delayed()) ticks = dots;
        if (renders && line >= 240 && line < 261) ticks = static_cast<u32>((261 - line) * 341 - dot);
        if (ticks > dots) ticks = dots;
      }
      for (u32 i = 0; i < ticks; ++i) {
        if (!tick()) return report(line, dot, dots, made);
      }
      dots -= ticks;
      if (made == 0) {
        take_over(false);
        counts_->single += ticks;
        continue;
      }
      counts_->jumped += made;
      ++counts_->jumps;
      if (random_.one_in(3)) continue;  // what is owed stays so
      core::pay_owed_dots(console());
      if (planted != 0 && counts_->jumps >= planted) console().ppu_next_high() ^= 1;
      if (!same()) return report(line, dot, dots + made, made);
    }
    return true;
  }

  bool report(int line, int dot, u32 dots, u32 made) {
    std::printf("kept forecasts: hit %08X, overflow %08X\n", console().lazy_line_hit(), console().lazy_line_overflow());
    std::printf("jump of %u from scanline %d dot %d for %u\n", made, line, dot, dots);
    return false;
  }

  Random random_;
  std::vector<u8> chr_;
  core::Cartridge cartridge_{};
  std::unique_ptr<ref::Board> board_;
  std::unique_ptr<ref::Ppu> ppu_;
  std::vector<u8> memory_;
  Counts* counts_ = nullptr;
  u32 position_line_ = 0;
  u64 now_ = 1, steady_until_ = 0;
  u8 flags_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  if (argc == 4) Lockstep::planted = std::strtoull(argv[3], nullptr, 10);
  const u64 seed = std::strtoull(argv[1], nullptr, 10), dots = std::strtoull(argv[2], nullptr, 10);
  Counts counts;
  for (u64 round = 0; counts.jumped < dots; ++round) {
    Lockstep lockstep(seed * 1000003 + round, round & 1);
    if (!lockstep.run(dots / 50 + 1, counts)) {
      std::printf("seed %llu, round %llu\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(round));
      return 1;
    }
  }
  const auto print = [](u64 count, const char* name) {
    std::printf("%llu %s ", static_cast<unsigned long long>(count), name);
  };
  print(counts.jumped, "dots");
  print(counts.jumps, "jumps");
  print(counts.single, "single");
  print(counts.hits, "hits");
  print(counts.overflows, "overflows");
  print(counts.foretold, "foretold");
  std::printf("\n");
}
