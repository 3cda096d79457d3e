// The fast core beside the reference: any program, any memories, any buttons, and they part nowhere. A snapshot whose
// registers were changed may contradict itself, as no console does (PPUMASK, and what the pipeline has of it): then
// only nothing is read out of bounds.
//
//   bytes  content
//   3      the cartridge: any_cartridge.hpp
//   1      fill of RAM at power-on
//   1      bits 0-3 how many frames, bits 4-6 after them 64 units each; bit 7: then reset is pressed
//   2      buttons of both controllers
//   1      bits 0-4 how many bytes of a snapshot are changed then; bit 5: no idle loops are skipped; bit 6: the GPU's
//          layout and schedule; bit 7: frames are recorded, and pictures compared
//   3 each where and how
//   rest   PRG-ROM, then CHR-ROM, each repeated to its size; the vectors at its end are made to point into it
#include <algorithm>
#include <cstdint>
#include <memory>

#include "any_cartridge.hpp"
#include "batch/batch.hpp"
#include "input.hpp"

namespace nesproof::fuzz {

namespace {

constexpr int kUnitsAfter = 300;
constexpr std::int64_t kOnly[] = {0};
// A frame of a sanitized reference takes many milliseconds.
constexpr u32 kFramesAtMost = 3;

batch::CartridgeImage as_core_image(const reference::CartridgeImage& image) {
  return {.prg_rom = image.prg_rom,
          .chr_rom = image.chr_rom,
          .chr_ram_bytes = image.chr_ram_bytes,
          .prg_ram_bytes = image.prg_ram_bytes,
          .mirroring = static_cast<batch::Mirroring>(image.mirroring),
          .trainer = image.trainer,
          .mapper = image.mapper,
          .submapper = image.submapper,
          .variant = image.variant};
}

struct Choices {
  u8 fill, course, buttons[2], more;
  bool skips_idle() const { return !(more & 0x20); }
  bool is_interleaved() const { return more & 0x40; }
  bool records() const { return more & 0x80; }
};

// Both consoles, and the promise that they are alike.
class Pair {
 public:
  Pair(const reference::CartridgeImage& image, const Choices& choices)
      : choices_(choices),
        reference_(image),
        core_(std::make_shared<batch::HostCartridge>(as_core_image(image), choices.skips_idle()),
              {.count = 1,
               .layout = choices.is_interleaved() ? batch::Layout::Interleaved : batch::Layout::Aos,
               .threads = 1,
               .pixel_bytes = 2}) {
    demand(core_.cartridge().identity() == identity(), "both consoles give a cartridge the same identity");
    reference_.power_on(choices.fill);
    core_.consoles().power_on(kOnly, choices.fill);
    compare();
  }

  void frames(u32 count) {
    for (u32 frame = 0; frame < count; ++frame) {
      reference_.step_frame(choices_.buttons[0], choices_.buttons[1]);
      core_.step({choices_.buttons, 2, 0}, 1, choices_.records(), [] {});
      if (choices_.records() && is_drawn_alike_) compare_pictures();
      is_drawn_alike_ = is_natural_;
      if (is_natural_) compare();
    }
  }
  void units(int count) {
    for (int unit = 0; unit < count; ++unit) {
      const bool ended = core_.step_unit();
      demand(reference_.step_unit() == ended || !is_natural_, "a frame ends in the same unit");
    }
    if (is_natural_) compare();
  }
  void press_reset() {
    reference_.press_reset();
    core_.consoles().press_reset(kOnly);
    is_drawn_alike_ = false;
    compare();
  }
  std::vector<u8> state() {
    std::vector<u8> bytes(core_.snapshot_layout().size_bytes());
    core_.consoles().save(kOnly, bytes.data(), bytes.size());
    demand(bytes == snapshot_of(reference_), "both consoles save the same bytes");
    return bytes;
  }
  // False where the bytes are no snapshot. `is_natural`: a console can come to be in that state.
  bool load(std::span<const u8> bytes, bool is_natural) {
    bool is_sound = true;
    try {
      core_.check(bytes);
    } catch (const state::SnapshotError&) {
      is_sound = false;
    }
    try {
      reference_.load(bytes);
      demand(is_sound, "both consoles refuse the same snapshots");
    } catch (const state::SnapshotError&) {
      demand(!is_sound, "both consoles take the same snapshots");
      return false;
    }
    core_.consoles().load(kOnly, bytes.data(), bytes.size());
    compare();
    is_drawn_alike_ = false;
    is_natural_ = is_natural;
    return true;
  }
  // A byte of a snapshot that is memory, and so may be anything.
  bool is_memory(std::size_t position) const {
    for (const auto field : {state::Index::bus_ram, state::Index::ppu_oam, state::Index::cartridge_nametables,
                             state::Index::cartridge_prg_ram, state::Index::cartridge_chr_ram}) {
      const std::size_t begin = core_.snapshot_layout().offset(field);
      if (position >= begin && position < begin + core_.snapshot_layout().count(field)) return true;
    }
    return false;
  }
  void compare() {
    std::uint64_t digest = 0;
    core_.consoles().digest(&digest);
    demand(digest == reference_.digest(), "both consoles have the same state");
  }

 private:
  u64 identity() const {
    const std::vector<u8> snapshot = snapshot_of(reference_);
    return state::get_little_endian(std::span(snapshot).subspan(24, 8));
  }

  void compare_pictures() {
    core_.draw();
    const auto expected = reference_.picture();
    const auto* const drawn = reinterpret_cast<const u16*>(core_.frames().get());
    demand(std::equal(expected.begin(), expected.end(), drawn), "both consoles draw the same picture");
  }

  const Choices& choices_;
  reference::Console reference_;
  batch::Batch core_;
  // Where a state comes in, the line under way is left open.
  bool is_drawn_alike_ = true, is_natural_ = true;
};

void run(std::span<const u8> bytes) {
  Input input(bytes);
  reference::CartridgeImage image = image_from(input);
  const u8 fill = input.byte(), course = input.byte(), first = input.byte(), second = input.byte();
  const Choices choices{fill, course, {first, second}, input.byte()};
  const std::span<const u8> edits = input.take(std::size_t{3} * (choices.more & 0x1F));
  fill_roms(image, input.rest());

  Pair pair(image, choices);
  pair.frames(std::min<u32>(choices.course & 0x0F, kFramesAtMost));
  pair.units((choices.course >> 4 & 7) * 64);
  if (choices.course & 0x80) pair.press_reset();
  std::vector<u8> state = pair.state();
  bool is_natural = true;
  for (std::size_t at = 0; at + 3 <= edits.size(); at += 3) {
    const std::size_t position = (edits[at] | edits[at + 1] << 8) % state.size();
    state[position] ^= edits[at + 2];
    is_natural = is_natural && pair.is_memory(position);
  }
  if (!edits.empty() && !pair.load(state, is_natural)) return;
  pair.units(kUnitsAfter);
  pair.frames(2);
}

}  // namespace

}  // namespace nesproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  nesproof::fuzz::run({data, size});
  return 0;
}
