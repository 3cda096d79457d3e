// The core's MMC3 against the reference's: random programs, every field after each frame.
//
//   lockstep SEED PROGRAMS FRAMES [PLANTED]    prints what it did; exit status 1 at the first difference, which is
//                                              located to the unit. Before frame PLANTED of the first program the
//                                              core's filter of A12 is turned over.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "batch/host_cartridge.hpp"
#include "core_console.hpp"
#include "program.hpp"
#include "reference/console/console.hpp"
#include "state/snapshot.hpp"

namespace {

namespace batch = nesproof::batch;
namespace core = nesproof::core;
namespace ref = nesproof::reference;
namespace state = nesproof::state;
using core::u16;
using core::u32;
using core::u64;
using core::u8;
using lockstep::Bytes;
using lockstep::CoreConsole;
using lockstep::Memory;

struct Counts {
  u64 frames = 0, recorded = 0, interrupted = 0, split = 0, tall = 0, saved = 0;
};

batch::CartridgeImage random_image(Random& random) {
  batch::CartridgeImage image;
  image.prg_rom = ProgramWriter(random).write();
  image.mapper = 4;
  image.variant = static_cast<u8>(random.one_in(2) ? core::kNecIrq : 0);
  if (random.one_in(4)) image.variant |= core::kMmc6Ram;
  image.submapper = image.variant & core::kMmc6Ram ? 1 : 0;
  image.prg_ram_bytes = image.variant & core::kMmc6Ram ? 1024 : random.one_in(4) ? 0 : 8192;
  image.mirroring = static_cast<batch::Mirroring>(random.below(3));
  if (random.one_in(3)) {
    image.chr_ram_bytes = 8192;
  } else {
    image.chr_rom.resize(random.one_in(4) ? 48 * 1024 : 8192u << random.below(5));
    for (u8& byte : image.chr_rom) byte = random.one_in(2) ? 0 : random.byte();
  }
  return image;
}

ref::CartridgeImage for_reference(const batch::CartridgeImage& image) {
  return {.prg_rom = image.prg_rom,
          .chr_rom = image.chr_rom,
          .chr_ram_bytes = image.chr_ram_bytes,
          .prg_ram_bytes = image.prg_ram_bytes,
          .mirroring = static_cast<ref::Mirroring>(image.mirroring),
          .trainer = {},
          .mapper = image.mapper,
          .submapper = image.submapper,
          .variant = image.variant};
}

Bytes body_of(const ref::Console& console) {
  Bytes snapshot(console.snapshot_bytes());
  console.save(snapshot);
  snapshot.erase(snapshot.begin(), snapshot.begin() + state::kSnapshotHeaderBytes);
  return snapshot;
}

void print_differences(const state::Sizes& sizes, const Bytes& reference, const Bytes& ours) {
  const state::SnapshotLayout layout(sizes);
  int printed = 0;
  for (std::size_t i = 0; i < state::kFieldCount; ++i) {
    const auto index = static_cast<state::Index>(i);
    const std::size_t width = state::width_bytes(state::kFields[i].type);
    for (std::size_t k = 0; k < layout.count(index); ++k) {
      const std::size_t at = layout.offset(index) + k * width - state::kSnapshotHeaderBytes;
      const u64 one = state::get_little_endian(std::span(reference).subspan(at, width));
      const u64 other = state::get_little_endian(std::span(ours).subspan(at, width));
      if (one == other || ++printed > 16) continue;
      std::printf("  %s[%zu]: reference %llu, core %llu\n", state::kFields[i].name.data(), k, one, other);
    }
  }
}

template <class Layout>
class Lockstep {
 public:
  Lockstep(u64 seed, Counts& counts)
      : random_{seed},
        image_(random_image(random_)),
        cartridge_(image_, !random_.one_in(8)),
        reference_(for_reference(image_)),
        core_(cartridge_),
        counts_(counts) {}

  bool run(u64 frames, u64 planted) {
    const bool blocks = random_.one_in(4);
    if (random_.one_in(4)) start_late();
    for (u64 frame = 1; frame <= frames; ++frame) {
      const u8 buttons[2] = {random_.byte(), random_.byte()};
      const bool record = random_.one_in(4);
      if (planted != 0 && frame >= planted) core_.system().board_irq_counter() ^= 1;
      before_ = body_of(reference_);
      memory_before_ = core_.memory();
      reference_.step_frame(buttons[0], buttons[1]);
      core_.step_frame(buttons, record, blocks);
      count(record);
      const Bytes expected = body_of(reference_);
      const Bytes got = random_.one_in(3) ? core_.settled_state() : core_.state();
      if (expected != got) {
        std::printf("variant %u, frame %llu%s:\n", image_.variant, static_cast<unsigned long long>(frame),
                    record ? ", recorded" : "");
        print_differences(reference_.sizes(), expected, got);
        locate(buttons);
        return false;
      }
      if (record && !std::ranges::equal(reference_.picture(), core_.picture())) {
        std::printf("frame %llu: another picture\n", static_cast<unsigned long long>(frame));
        return false;
      }
      if (random_.one_in(16)) {
        core_.load(expected);
        ++counts_.saved;
      }
      if (random_.one_in(64)) {
        reference_.press_reset();
        core_.press_reset();
      }
      if (random_.one_in(32)) load_another_board();
    }
    return true;
  }

 private:
  // What the board's chip holds becomes anything that a snapshot may say.
  void load_another_board() {
    const state::SnapshotLayout layout(reference_.sizes());
    Bytes snapshot(reference_.snapshot_bytes());
    reference_.save(snapshot);
    const std::size_t first = layout.offset(state::Index::board_registers);
    const std::size_t last = layout.offset(state::Index::board_a12_low_cycles);
    for (std::size_t at = first; at <= last; ++at) snapshot[at] = random_.byte();
    for (const auto flag : {state::Index::board_irq_reload, state::Index::board_irq_enabled, state::Index::board_irq}) {
      snapshot[layout.offset(flag)] &= 1;
    }
    snapshot[last] &= 3;
    reference_.load(snapshot);
    core_.load(std::span(snapshot).subspan(state::kSnapshotHeaderBytes));
  }

  // Where the core's times of 32 bits overflow: its cycles, or its dots, of which there are three times as many.
  void start_late() {
    const state::SnapshotLayout layout(reference_.sizes());
    Bytes snapshot(reference_.snapshot_bytes());
    reference_.save(snapshot);
    const u64 cycle = (u64{1} << 32) / (random_.one_in(2) ? 3 : 1) * (1 + random_.below(3)) - random_.below(300'000);
    state::put_little_endian(std::span(snapshot).subspan(layout.offset(state::Index::bus_cycle_count), 8), cycle);
    reference_.load(snapshot);
    core_.load(std::span(snapshot).subspan(state::kSnapshotHeaderBytes));
  }

  void count(bool record) {
    ++counts_.frames;
    counts_.recorded += record;
    auto s = core_.system();
    const u8 irqs = s.bus_ram(1);
    if (irqs != irqs_before_) ++counts_.interrupted;
    if (static_cast<u8>(irqs - irqs_before_) > 1) ++counts_.split;
    irqs_before_ = irqs;
    if ((s.ppu_control() & 0x20) && (s.ppu_mask() & 0x18)) ++counts_.tall;
  }

  // Both from where the frame began, unit by unit, and then block by block.
  void locate(const u8* buttons) {
    const state::SnapshotLayout layout(reference_.sizes());
    Bytes snapshot(reference_.snapshot_bytes());
    reference_.save(snapshot);
    std::ranges::copy(before_, snapshot.begin() + state::kSnapshotHeaderBytes);
    for (u32 player = 0; player < 2; ++player) {
      snapshot[layout.offset(state::Index::controller_buttons) + player] = buttons[player];
    }
    reference_.load(snapshot);
    core_.put_memory(memory_before_);
    core_.set_buttons(buttons);
    for (u64 unit = 1; unit < 40'000; ++unit) {
      const ref::CpuView from = reference_.cpu();
      const bool ended = reference_.step_unit();
      core_.step_unit();
      if (differs("unit", unit, from)) return;
      if (ended) break;
    }
    reference_.load(snapshot);
    core_.put_memory(memory_before_);
    core::Lane<typename CoreConsole<Layout>::System> lane(core_.system(), buttons, 0, 1);
    for (u64 block = 1; !lane.finished(); ++block) {
      const ref::CpuView from = reference_.cpu();
      lane.run_block();
      lane.end();
      while (reference_.cpu().cycle < core_.system().bus_cycle_count()) reference_.step_unit();
      if (differs("block", block, from)) return;
    }
    std::printf("neither single units nor blocks show it\n");
  }

  bool differs(const char* kind, u64 number, const ref::CpuView& from) {
    const Bytes expected = body_of(reference_), got = core_.state();
    if (expected == got) return false;
    std::printf("%s %llu from %04X, scanline %u, dot %u:\n", kind, number, from.pc, from.scanline, from.dot);
    print_differences(reference_.sizes(), expected, got);
    return true;
  }

  Random random_;
  batch::CartridgeImage image_;
  batch::HostCartridge cartridge_;
  ref::Console reference_;
  CoreConsole<Layout> core_;
  Counts& counts_;
  Bytes before_;
  Memory memory_before_;
  u8 irqs_before_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, u64 otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const u64 seed = argument(1, 1), programs = argument(2, 10), frames = argument(3, 20), planted = argument(4, 0);
  Counts counts;
  for (u64 program = 0; program < programs; ++program) {
    const u64 one = seed * 1'000'003 + program;
    const bool same = program % 4 == 3 ? Lockstep<core::LaneInterleaved>(one, counts).run(frames, planted)
                                       : Lockstep<core::Aos>(one, counts).run(frames, planted);
    if (same) continue;
    std::printf("program %llu of seed %llu\n", static_cast<unsigned long long>(program),
                static_cast<unsigned long long>(seed));
    return 1;
  }
  std::printf("%llu frames, %llu recorded, %llu interrupted, %llu split, %llu tall, %llu saved\n", counts.frames,
              counts.recorded, counts.interrupted, counts.split, counts.tall, counts.saved);
}
