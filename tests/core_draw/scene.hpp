// Random pictures: a reference PPU that draws them dot by dot, and the core's state and log of the same.
//
// The reference is moved by tick alone. Whatever changes within a picture (scroll, registers, memories) is put into
// both while a line is at its beginning; that line and the next are no longer what a record describes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/board/nrom.hpp"
#include "core/draw/lines.hpp"
#include "reference/board/board.hpp"
#include "reference/ppu/ppu.hpp"
#include "state/fields.hpp"
#include "state/visitor.hpp"

namespace scene {

using namespace nesproof;
using core::LineKind;
using core::u16;
using core::u32;
using core::u64;
using core::u8;
using AosSystem = core::System<core::Aos, core::Nrom>;
using TileSystem = core::System<core::LaneInterleaved, core::Nrom>;

// A field of the core by the tag that the reference names it by.
#define FIELD(name, type, count, unit, class_, max)                               \
  template <class S>                                                              \
  core::type& core_field(const S& s, state::fields::name##_tag, std::size_t at) { \
    return s.name(static_cast<u32>(at));                                          \
  }
#include "state/architecture.def"
#undef FIELD

// Puts every field of the core's state into the reference, or the other way round.
struct Exchange : state::ElementVisitor<Exchange> {
  AosSystem core;
  bool to_core;

  Exchange(AosSystem core_, bool to_core_) : core(core_), to_core(to_core_) {}
  template <class Tag>
  void begin(Tag, std::size_t) {}
  template <class Tag, class Value>
  void element(Tag tag, std::size_t at, Value& value) {
    auto& field = core_field(core, tag, at);
    if (to_core) {
      field = static_cast<std::remove_reference_t<decltype(field)>>(state::detail::to_bits(value));
    } else {
      value = state::detail::from_bits<Value>(field);
    }
  }
};

struct Choices {
  std::mt19937_64 chance;

  u32 below(u32 limit) { return static_cast<u32>(chance() % limit); }
  bool one_in(u32 count) { return below(count) == 0; }
  u8 byte() { return static_cast<u8>(chance()); }
};

constexpr u32 kOtherChange = 8;  // no fine x

class Picture {
 public:
  explicit Picture(u64 seed) : choices_{std::mt19937_64(seed)} {
    make_cartridge();
    state_.assign(cartridge_.state_bytes() + 64, 0);
    reference_ = std::make_unique<reference::Ppu>(*board_);
    reference_->power_on();
    exchange(true);
    core().ppu_warming_up() = 0;
    core().ppu_scanline() = core::kPreRenderLine;
    core().ppu_odd_frame() = choices_.one_in(2);
    change_memories(true);
    change_registers();
    exchange(false);
  }

  AosSystem core() { return {core::Aos{aligned(state_)}, &cartridge_, &log}; }
  const core::Cartridge& cartridge() const { return cartridge_; }
  const u16* reference_frame() const { return reference_->frame(); }

  // Runs the reference to the end of the frame, and writes the records. `draw(upto)` is called before a memory changes,
  // `split(line, x, fine_x)` where fine x alone changes within a line, and with kOtherChange before something else that
  // acts on pixels alone does; it keeps `log` up to date. Lines that no record describes are marked as Pixels.
  template <class Draw, class Split>
  void run(const Draw& draw, const Split& split) {
    core::begin_recording(core());
    const u32 changes = choices_.one_in(3) ? choices_.below(6) : 0;
    const u32 splits = 1 + choices_.below(200);
    std::array<bool, core::kDrawnLines + 2> changing{};
    for (u32 i = 0; i < changes; ++i) changing[choices_.below(core::kDrawnLines)] = true;
    for (u32 line = 0; line < core::kDrawnLines; ++line) {
      run_to(line, 0);
      exchange(true);
      const bool described = !changing[line] && (line == 0 || !changing[line - 1]);
      if (described) log.lines[line] = record();
      if (described && choices_.one_in(splits)) split_line(line, split);
      if (!changing[line]) continue;
      run_to(line, 5);
      exchange(true);
      draw(line);
      change_registers();
      if (choices_.one_in(2)) change_memories(false);
      exchange(false);
    }
    run_to(241, 1);
    exchange(true);
  }

  core::DrawLog log{};

 private:
  void make_cartridge() {
    reference::CartridgeImage image;
    image.prg_rom.assign(0x4000, 0);
    const bool has_ram = choices_.one_in(4);
    // Small CHR-ROM appears several times in the pattern tables.
    const std::size_t chr_bytes = has_ram || !choices_.one_in(4) ? 8192 : std::size_t{1024} << choices_.below(3);
    if (has_ram) {
      image.chr_ram_bytes = 8192;
    } else {
      image.chr_rom.resize(chr_bytes);
      for (u8& byte : image.chr_rom) byte = choices_.byte() & choices_.byte();
    }
    image.mirroring = static_cast<reference::Mirroring>(choices_.below(3));
    chr_rom_ = image.chr_rom;
    const u16 banks[3][4] = {{0, 0, 0x400, 0x400}, {0, 0x400, 0, 0x400}, {0, 0x400, 0x800, 0xC00}};
    const auto mirroring = static_cast<std::size_t>(image.mirroring);
    cartridge_.chr_rom = has_ram ? nullptr : chr_rom_.data();
    cartridge_.chr_mask = static_cast<u32>(chr_bytes - 1);
    cartridge_.chr_ram_bytes = has_ram ? 8192 : 0;
    for (int i = 0; i < 4; ++i) cartridge_.nametable_bank[i] = banks[mirroring][i];
    cartridge_.nametable_bytes = image.mirroring == reference::Mirroring::FourScreen ? 4096 : 2048;
    board_ = reference::make_board(std::move(image));
    board_->power_on(0);
  }

  void change_memories(bool all) {
    const AosSystem s = core();
    const u32 odds = all ? 1 : 2;
    if (choices_.one_in(odds)) change_sprites();
    if (choices_.one_in(odds)) {
      for (u32 i = 0; i < 32; ++i) s.ppu_palette(i) = choices_.byte() & 0x3F;
      for (u32 i = 0; i < 32; i += 4) s.ppu_palette(i | 0x10) = s.ppu_palette(i & 0x0F);
    }
    if (choices_.one_in(odds)) {
      for (u32 i = 0; i < cartridge_.nametable_bytes; ++i) s.cartridge_nametables(i) = choices_.byte();
    }
    if (choices_.one_in(odds)) {
      for (u32 i = 0; i < cartridge_.chr_ram_bytes; ++i) s.cartridge_chr_ram(i) = choices_.byte() & choices_.byte();
    }
  }
  // Few or many, spread out or on top of each other.
  void change_sprites() {
    const u32 rows = 1 + choices_.below(256), columns = 1 + choices_.below(256), first_row = choices_.below(256);
    for (u32 i = 0; i < 64; ++i) {
      core().ppu_oam(i * 4) = static_cast<u8>(first_row + choices_.below(rows));
      core().ppu_oam(i * 4 + 1) = choices_.byte();
      core().ppu_oam(i * 4 + 2) = choices_.byte() & 0xE3;
      core().ppu_oam(i * 4 + 3) = static_cast<u8>(choices_.one_in(8) ? choices_.byte() : choices_.below(columns));
    }
  }
  void change_registers() {
    const AosSystem s = core();
    s.ppu_v() = s.ppu_t() = static_cast<u16>(choices_.below(0x8000));
    if (choices_.one_in(4)) s.ppu_v() |= 0x3F00;
    s.ppu_fine_x() = choices_.byte() & 7;
    s.ppu_control() = choices_.byte();
    s.ppu_mask() = choices_.byte() | static_cast<u8>(choices_.one_in(3) ? 0 : 0x1E);
    s.ppu_pipeline_mask() = s.ppu_mask();
  }

  // Fine x, and often colours and what is shown of the layers as well, change at one or two dots of a line.
  template <class Split>
  void split_line(u32 line, const Split& split) {
    for (u32 x : {1 + choices_.below(127), 128 + choices_.below(128)}) {
      run_to(line, x);
      exchange(true);
      const AosSystem s = core();
      const bool rendering = s.ppu_pipeline_mask() & core::kMaskRendering;
      s.ppu_fine_x() = choices_.byte() & 7;
      if (rendering && choices_.one_in(2)) {
        split(line, x, s.ppu_fine_x());
      } else {
        split(line, x, kOtherChange);
        s.ppu_mask() = static_cast<u8>(rendering ? choices_.byte() | core::kMaskSprites >> choices_.below(2)
                                                 : choices_.byte() & ~core::kMaskRendering);
        s.ppu_pipeline_mask() = s.ppu_mask();
        log.lines[line].fine_x = s.ppu_fine_x();
        log.lines[line].mask = s.ppu_mask();
      }
      exchange(false);
      if (choices_.one_in(2)) return;
    }
  }

  core::LineRecord record() {
    const AosSystem s = core();
    return {.v = s.ppu_v(),
            .fine_x = s.ppu_fine_x(),
            .control = s.ppu_control(),
            .mask = s.ppu_pipeline_mask(),
            .kind = s.ppu_pipeline_mask() & core::kMaskRendering ? LineKind::Rendered : LineKind::Blank,
            .first_x = 0,
            .fine_x_before = core::LineRecord::kInFrame};
  }

  void run_to(u32 line, u32 dot) {
    while (reference_->scanline() != static_cast<int>(line) || reference_->dot() != static_cast<int>(dot)) {
      reference_->tick();
    }
  }
  void exchange(bool to_core) {
    Exchange exchange(core(), to_core);
    reference_->visit(exchange);
    board_->visit(exchange);
    if (!to_core) reference_->restored();
  }
  static u8* aligned(std::vector<u8>& bytes) {
    return bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64) % 64;
  }

  Choices choices_;
  core::Cartridge cartridge_{};
  std::vector<u8> chr_rom_, state_;
  std::unique_ptr<reference::Board> board_;
  std::unique_ptr<reference::Ppu> reference_;
};

}  // namespace scene
