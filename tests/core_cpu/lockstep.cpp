// Both consoles, and the core in both layouts, through random programs; every field compared after every few frames.
//
//   lockstep FIRST_SEED SEEDS FRAMES [PLANTED_FRAME]     a bit of the core's RAM is flipped in that frame
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/board/nrom.hpp"
#include "core/run.hpp"
#include "core/snapshot.hpp"
#include "program.hpp"
#include "reference/console/console.hpp"

namespace core = nesproof::core;
namespace reference = nesproof::reference;

namespace {

// --- A core's console

class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes + 64) {}
  core::u8* aligned() { return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64; }

 private:
  std::vector<core::u8> bytes_;
};

core::Cartridge cartridge_of(const Program& program) {
  core::Cartridge cartridge{};
  cartridge.prg_rom = program.prg_rom.data();
  cartridge.chr_rom = program.chr_rom.empty() ? nullptr : program.chr_rom.data();
  cartridge.prg_mask = static_cast<core::u32>(program.prg_rom.size() - 1);
  cartridge.chr_mask = 8191;
  cartridge.prg_ram_bytes = program.prg_ram_bytes;
  cartridge.chr_ram_bytes = program.chr_ram_bytes;
  cartridge.nametable_bytes = 2048;
  for (int window = 0; window < 4; ++window) {
    cartridge.nametable_bank[window] = static_cast<core::u16>((program.vertical ? window & 1 : window >> 1) * 0x400);
  }
  return cartridge;
}

reference::CartridgeImage image_of(const Program& program) {
  return {.prg_rom = program.prg_rom,
          .chr_rom = program.chr_rom,
          .chr_ram_bytes = program.chr_ram_bytes,
          .prg_ram_bytes = program.prg_ram_bytes,
          .mirroring = program.vertical ? reference::Mirroring::Vertical : reference::Mirroring::Horizontal,
          .trainer = {}};
}

using Whole = core::System<core::Aos, core::Nrom>;
using Interleaved = core::System<core::LaneInterleaved, core::Nrom>;
constexpr core::u32 kLane = 21;  // of a tile whose other lanes hold nothing

void run_by_blocks(Interleaved s, const core::u8* buttons, core::u32 frames) {
  core::Lane<Interleaved> lane(s, buttons, 2, frames);
  while (!lane.finished()) lane.run_block();
  lane.end();
}

// --- Comparing

struct Tally {
  long frames = 0, rendered = 0, jammed = 0, resets = 0, samples = 0;
};

std::vector<unsigned char> saved(const reference::Console& console) {
  std::vector<unsigned char> bytes(console.snapshot_bytes());
  console.save(bytes);
  return bytes;
}

template <class S>
bool equals(S s, const std::vector<unsigned char>& expected, const char* how) {
  core::settle(s);
  const core::u32 size = core::snapshot_body_bytes(*s.cartridge);
  std::vector<core::u8> body(size);
  core::put_fields(s, body.data());
  const unsigned char* other = expected.data() + expected.size() - size;
  if (std::memcmp(body.data(), other, size) == 0) return true;
  const struct {
    unsigned prg_ram_bytes, chr_ram_bytes, nametable_bytes;
  } sizes{s.cartridge->prg_ram_bytes, s.cartridge->chr_ram_bytes, s.cartridge->nametable_bytes};
  using core::i16, core::u16, core::u32, core::u64, core::u8;
  std::size_t at = 0;
#define FIELD(name, type, count, unit, class_, max)                                                        \
  for (unsigned i = 0; i < (count); ++i, at += sizeof(type)) {                                             \
    if (std::memcmp(&body[at], other + at, sizeof(type)) != 0) std::printf("%s: " #name "[%u]\n", how, i); \
  }
#include "state/architecture.def"
#undef FIELD
  return false;
}

template <class F>
void count(Tally& tally, Whole s, F jammed) {
  ++tally.frames;
  tally.rendered += (s.ppu_mask() & 0x18) != 0;
  tally.samples += s.apu_dmc_bytes_remaining() != 0;
  tally.jammed += jammed;
}

// --- A run

bool run(std::uint64_t seed, int frames, int planted, Tally& tally) {
  Random random(seed);
  const Program program = ProgramWriter(random).write();
  core::Cartridge cartridge = cartridge_of(program);
  std::vector<core::u32> code(program.prg_rom.size());
  core::map_code(cartridge, !random.one_in(4), true, code.data());
  cartridge.code_map = code.data();
  Memory whole_memory(cartridge.state_bytes());
  Memory tile_memory(std::size_t{cartridge.state_bytes()} * core::kLanes);
  const Whole whole(core::Aos{whole_memory.aligned()}, &cartridge, nullptr);
  const Interleaved interleaved(core::LaneInterleaved{tile_memory.aligned(), kLane}, &cartridge, nullptr);
  reference::Console console(image_of(program));
  const core::u8 fill = random.byte();
  core::power_on(whole, fill);
  core::power_on(interleaved, fill);
  console.power_on(fill);
  const int frames_between_looks = random.one_in(3) ? 3 : 1;  // what settles hides what does not
  for (int frame = 0; frame < frames; ++frame) {
    if (random.one_in(40) || (console.jammed() && random.one_in(2))) {
      core::press_reset(whole);
      core::press_reset(interleaved);
      console.press_reset();
      ++tally.resets;
    }
    const core::u8 buttons[2] = {random.byte(), random.byte()};
    core::run(whole, buttons, 2, 1);
    run_by_blocks(interleaved, buttons, 1);
    console.step_frame(buttons[0], buttons[1]);
    if (frame == planted) whole.bus_ram(0x123) ^= 0x10;
    if (frame % frames_between_looks != 0) continue;
    const auto expected = saved(console);
    if (!equals(whole, expected, "run") || !equals(interleaved, expected, "blocks")) {
      std::printf("seed %llu, frame %d\n", static_cast<unsigned long long>(seed), frame);
      return false;
    }
    count(tally, whole, console.jammed());
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), seeds = std::strtoull(argv[2], nullptr, 10);
  const int frames = std::atoi(argv[3]), planted = argc > 4 ? std::atoi(argv[4]) : -1;
  Tally tally;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    if (!run(seed, frames, planted, tally)) return 1;
  }
  std::printf("%ld frames, %ld rendered, %ld samples, %ld jammed, %ld resets\n", tally.frames, tally.rendered,
              tally.samples, tally.jammed, tally.resets);
  return 0;
}
