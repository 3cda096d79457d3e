// Two PPUs that get the same accesses: the reference's and the core's, each with a board and memories of its own.
//
// The core's is driven as the core's CPU drives it: it lags behind, catches up where it says that an event may come,
// and is looked at only when settled.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/board/nrom.hpp"
#include "core/ppu/ppu.hpp"
#include "reference/ppu/ppu.hpp"
#include "visitors.hpp"

namespace lockstep {

namespace core = nesproof::core;
namespace reference = nesproof::reference;
namespace state = nesproof::state;
using core::u16;
using core::u32;
using core::u64;
using core::u8;

struct Random {
  u64 state;
  u32 next() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<u32>((state * 0x2545F4914F6CDD1D) >> 32);
  }
  u32 below(u32 bound) { return static_cast<u32>(u64{next()} * bound >> 32); }
  bool one_in(u32 n) { return below(n) == 0; }
  u8 byte() { return static_cast<u8>(next()); }
};

template <class Layout>
class Pair {
 public:
  using System = core::System<Layout, core::Nrom>;

  Pair(reference::CartridgeImage image, u32 first_cycle)
      : board_(reference::make_board(image)), reference_(*board_), cycle_(first_cycle) {
    chr_ = image.chr_rom;
    const bool four = image.mirroring == reference::Mirroring::FourScreen;
    const bool vertical = image.mirroring == reference::Mirroring::Vertical;
    const u16 second = vertical || four ? 0x400 : 0, third = four ? 0x800 : vertical ? 0 : 0x400;
    cartridge_.chr_rom = chr_.empty() ? nullptr : chr_.data();
    cartridge_.chr_mask = static_cast<u32>(chr_.empty() ? image.chr_ram_bytes : chr_.size()) - 1;
    cartridge_.chr_ram_bytes = image.chr_ram_bytes;
    cartridge_.nametable_bytes = four ? 4096 : 2048;
    cartridge_.nametable_bank[1] = second;
    cartridge_.nametable_bank[2] = third;
    cartridge_.nametable_bank[3] = four ? 0xC00 : 0x400;
    bytes_.resize(cartridge_.state_bytes() * kConsoles + 64, kUntouched);
    frame_.resize(240 * 256);
    log_.frame = reinterpret_cast<u8*>(frame_.data());
    board_->power_on(kUntouched);
    reference_.power_on();
    core::ppu_power_on(system());
    settled();
  }

  System system() {
    u8* base = bytes_.data() + (-reinterpret_cast<std::uintptr_t>(bytes_.data()) & 63);
    return {layout_at(base), &cartridge_, recording_ ? &log_ : nullptr};
  }
  // The consoles beside this one in its tile are as they were.
  void check_neighbours() {
    if constexpr (kInterleaved) {
      System s = system();
      const state::Sizes sizes;
      for (s.lane = 0; s.lane < core::kLanes; ++s.lane) {
        if (s.lane == kLane) continue;
#define FIELD(name, type, count, unit, class_, max)                                                                \
  for (u32 i = 0; i < (count); ++i) {                                                                              \
    if (static_cast<u8>(s.name(i)) != kUntouched) fail(#name " of lane " + std::to_string(s.lane), kUntouched, i); \
  }
#include "state/architecture.def"
#undef FIELD
      }
      static_cast<void>(sizes);
    }
  }
  u32 cycle() const { return cycle_; }
  int scanline() const { return reference_.scanline(); }

  // --- Time
  void idle(u32 cycles) {
    for (u32 i = 0; i < cycles; ++i) {
      begin_cycle();
      end_cycle();
    }
  }
  void idle_until(int line, int dot) {
    for (u32 i = 0; i < 30000 && (reference_.scanline() != line || reference_.dot() < dot); ++i) idle(1);
  }
  void write(u8 reg, u8 value) {
    begin_cycle();
    reference_.write(reg, value);
    ++accesses_;
    const u8 flip = planted != 0 && accesses_ >= planted;
    core::ppu_write(system(), reg, value ^ flip, cycle_);
    end_access();
  }
  u8 read(u8 reg) {
    begin_cycle();
    const u8 expected = reference_.read(reg), got = core::ppu_read(system(), reg, cycle_);
    if (expected != got) fail("a read of $200" + std::to_string(reg), expected, got);
    ++accesses_;
    end_access();
    return got;
  }
  // Reads $2002 as an idle loop does that the core skips: the reference reads on and on.
  void poll_status(Random& random, u32 most_cycles) {
    const u8 first = read(2);
    const u32 now = cycle_, until = core::ppu_status_steady_until(system(), now);
    if (core::since(until, now) <= 0) fail("a steady status that ends in the past", now, until);
    while (core::since(until, cycle_ + 1) > 0 && cycle_ - now < most_cycles) {
      begin_cycle();
      if (random.one_in(6)) {
        const u8 again = reference_.read(2);
        if (again != first) fail("a status that was to be steady", again, first);
        ++skipped_polls_;
      }
      end_cycle();
    }
  }
  void write_oam(const std::array<u8, 256>& page) {
    const u32 first = cycle_ + 1;
    const u32 last = first + 510;
    accesses_ += 256;
    if (!core::ppu_write_oam_block(system(), first, [&page](u32 k) { return page[k]; })) {
      for (const u8 value : page) {
        write(4, value);
        idle(1);
      }
      return;
    }
    ++blocks_;
    // The core is ahead of the cycles that the reference makes now, and settled after them.
    bool ended = false;
    while (cycle_ != last) {
      begin_cycle();
      if ((cycle_ - first) % 2 == 0) reference_.write(4, page[(cycle_ - first) / 2]);
      reference_.tick();
      ended |= reference_.take_frame_end();
    }
    core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Event);
    take_frame_end(ended);
    compare_lines();
    event_ = core::ppu_next_event(system());
  }
  void press_reset() {
    core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Settle);
    recording_ = false;
    reference_.reset();
    core::ppu_reset(system());
    settled();
  }

  // Any state that a snapshot may hold, likely or not.
  void scramble(Random& random) {
    core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Settle);
    recording_ = false;
    System s = system();
    const state::Sizes sizes;
    Setter setter;
#define FIELD(name, type, count, unit, class_, max)                             \
  if constexpr (std::string_view(#name).starts_with("ppu_")) {                  \
    auto& values = setter.values[static_cast<std::size_t>(state::Index::name)]; \
    for (u32 i = 0; i < (count); ++i) {                                         \
      const u64 value = random.below(static_cast<u32>((max) & 0xFFFF) + 1);     \
      values.push_back(value);                                                  \
      s.name(i) = static_cast<core::type>(value);                               \
    }                                                                           \
  }
#include "state/architecture.def"
#undef FIELD
    static_cast<void>(sizes);
    // But PPUMASK is in the pipeline unless it is on its way, $2007's cycle has not met the pipeline's, and nobody
    // waits for a frame's end.
    const auto set = [&setter](state::Index index, u64 value) {
      setter.values[static_cast<std::size_t>(index)][0] = value;
    };
    if (s.ppu_mask_delay() == 0) set(state::Index::ppu_pipeline_mask, s.ppu_pipeline_mask() = s.ppu_mask());
    set(state::Index::ppu_data_collides, s.ppu_data_collides() = 0);
    set(state::Index::ppu_frame_ended, s.ppu_frame_ended() = 0);
    reference_.visit(setter);
    reference_.restored();
    settled();
  }

  // --- Memories
  void fill_chr_ram(Random& random, u32 blank_in) {
    const auto chr = board_->chr_ram();
    for (std::size_t i = 0; i < chr.size(); ++i) {
      if (i % 16 == 0) blank_ = random.one_in(blank_in);
      chr[i] = blank_ ? 0 : random.byte();
      system().cartridge_chr_ram(static_cast<u32>(i)) = chr[i];
    }
  }
  void record(bool on, u8 pixel_bytes) {
    next_recording_ = on;
    next_pixel_bytes_ = pixel_bytes;
  }

  // --- Comparing
  void compare() {
    core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Settle);
    Collector expected;
    reference_.visit(expected);
    System s = system();
    const state::Sizes sizes;
#define FIELD(name, type, count, unit, class_, max)                                                \
  if constexpr (std::string_view(#name).starts_with("ppu_")) {                                     \
    const auto& values = expected.values[static_cast<std::size_t>(state::Index::name)];            \
    for (u32 i = 0; i < (count); ++i) {                                                            \
      if (values[i] != s.name(i)) fail(#name "[" + std::to_string(i) + "]", values[i], s.name(i)); \
    }                                                                                              \
  }
#include "state/architecture.def"
#undef FIELD
    static_cast<void>(sizes);
    const auto nametables = board_->nametables();
    for (u32 i = 0; i < nametables.size(); ++i) {
      if (nametables[i] != s.cartridge_nametables(i)) fail("nametables", nametables[i], s.cartridge_nametables(i));
    }
    const auto chr = board_->chr_ram();
    for (u32 i = 0; i < chr.size(); ++i) {
      if (chr[i] != s.cartridge_chr_ram(i)) fail("CHR-RAM", chr[i], s.cartridge_chr_ram(i));
    }
    for (u8 reg = 0; reg < 8; ++reg) {
      if (reference_.peek(reg) != core::ppu_peek(s, reg))
        fail("a look at $200" + std::to_string(reg), reference_.peek(reg), core::ppu_peek(s, reg));
    }
    ++comparisons_;
  }
  void report() const {
    std::printf("%llu accesses, %llu comparisons, %llu frames, %llu drawn, %llu blocks, %llu polls skipped\n",
                accesses_, comparisons_, frames_, drawn_, blocks_, skipped_polls_);
  }
  std::string context;
  u64 planted = 0;

 private:
  static constexpr bool kInterleaved = std::is_same_v<Layout, core::LaneInterleaved>;
  static constexpr u32 kConsoles = kInterleaved ? core::kLanes : 1, kLane = 13;
  static constexpr u8 kUntouched = 0xA5;
  static Layout layout_at(u8* base) {
    if constexpr (kInterleaved) {
      return {base, kLane};
    } else {
      return {base};
    }
  }

  void begin_cycle() {
    ++cycle_;
    reference_.tick();
    reference_.tick();
  }
  void end_access() {
    reference_.tick();
    const bool ended = reference_.take_frame_end();
    if (ended || core::since(event_, cycle_) <= 0) core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Event);
    if (ended && core::since(event_, cycle_) > 0) fail("a frame's end before its event", cycle_, event_);
    take_frame_end(ended);
    event_ = core::ppu_next_event(system());
    compare_lines();
  }
  void end_cycle() {
    reference_.tick();
    const bool ended = reference_.take_frame_end();
    if (core::since(event_, cycle_) <= 0) {
      core::ppu_catch_up(system(), 3 * cycle_, core::CatchUp::Event);
      event_ = core::ppu_next_event(system());
      if (core::since(event_, cycle_) <= 0) fail("an event that does not go on", cycle_ + 1, event_);
    }
    take_frame_end(ended);
    compare_lines();
  }
  void compare_lines() {
    if (reference_.nmi_line() != core::ppu_nmi_line(system())) fail("the NMI line", reference_.nmi_line(), 2);
  }
  void take_frame_end(bool ended) {
    System s = system();
    if (ended != (s.ppu_frame_ended() != 0)) fail("the frame's end", ended, s.ppu_frame_ended());
    if (!ended) return;
    s.ppu_frame_ended() = 0;
    ++frames_;
    if (recording_) compare_frames();
    recording_ = next_recording_;
    log_.pixel_bytes = next_pixel_bytes_;
    if (recording_) core::begin_recording(system());
  }
  void compare_frames() {
    core::draw_rest(system());
    const u16* expected = reference_.frame();
    for (u32 at = 0; at < 240 * 256; ++at) {
      const u32 got = log_.pixel_bytes == 1 ? log_.frame[at] : frame_[at];
      const u32 wanted = log_.pixel_bytes == 1 ? expected[at] & 0x3F : expected[at];
      if (got != wanted) fail("pixel " + std::to_string(at % 256) + ", " + std::to_string(at / 256), wanted, got);
    }
    ++drawn_;
  }
  void settled() {
    core::ppu_settled(system(), cycle_);
    event_ = core::ppu_next_event(system());
  }
  [[noreturn]] void fail(const std::string& what, u64 expected, u64 got) {
    std::printf("%s: expected %llX, got %llX; cycle %u, line %d, dot %d, access %llu; %s\n", what.c_str(), expected,
                got, cycle_, reference_.scanline(), reference_.dot(), accesses_, context.c_str());
    std::exit(1);
  }

  std::unique_ptr<reference::Board> board_;
  reference::Ppu reference_;
  core::Cartridge cartridge_{};
  std::vector<u8> chr_, bytes_;
  std::vector<u16> frame_;
  core::DrawLog log_{};
  bool recording_ = false, next_recording_ = false, blank_ = false;
  u8 next_pixel_bytes_ = 1;
  u32 cycle_, event_ = 0;
  u64 accesses_ = 0, comparisons_ = 0, frames_ = 0, drawn_ = 0, blocks_ = 0, skipped_polls_ = 0;
};

}  // namespace lockstep
