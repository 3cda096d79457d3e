// Whole pictures on the host: what core/draw/lines.hpp draws line by line, faster and bit for bit the same.
//
// Lines that show the same row of tiles are made together: its tiles are copied once, a byte a pixel, into up to eight
// rows; each row then gets its sprites, eight pixels at a time, and its colours.
#pragma once

#include <vector>

#include "batch/draw_rows.hpp"
#include "core/draw/lines.hpp"
#include "core/system.hpp"

namespace nesproof::batch {

// What a picture is made of, beside the log.
struct PictureSource {
  core::View<core::Aos> state;
  const core::u8* nametables[4];  // at $2000, $2400, $2800 and $2C00
  PatternWindows patterns;
};

// Draws what is logged and undrawn.
void draw_picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make);

// Draws for one cartridge. Any number of threads may use one at once.
class Painter {
 public:
  explicit Painter(const core::Cartridge& cartridge, const RowMaker& make = fastest_rows());

  // As core::draw_rest.
  template <class Layout, class Board>
  void draw_rest(const core::System<Layout, Board>& s) const {
    core::draw_rest(s);
  }
  template <class Board>
  void draw_rest(const core::System<core::Aos, Board>& s) const {
    if (s.log->first_undrawn == core::kDrawnLines) return;
    PictureSource source{{core::Aos{s.base}}, {}, {}};
    for (core::u32 i = 0; i < 4; ++i) source.nametables[i] = &s.nametable(static_cast<core::u16>(0x2000 + 0x400 * i));
    const PatternRow* const rows = chr_rom_.empty() ? unpacked_chr_ram(s) : chr_rom_.data();
    for (core::u32 i = 0; i < 8; ++i) {
      source.patterns.rows[i] = rows + Board::chr_offset(s, static_cast<core::u16>(0x400 * i)) / 2;
    }
    draw_picture(source, *s.log, make_);
  }

 private:
  // This thread's copy of the console's CHR-RAM, until the next call.
  template <class S>
  const PatternRow* unpacked_chr_ram(const S& s) const {
    static thread_local std::vector<PatternRow> rows;
    const std::size_t bytes = s.cartridge->chr_ram_bytes;
    rows.resize(rows_to_hold(bytes));
    make_.unpack(&s.cartridge_chr_ram(0), bytes, rows.data());
    repeat_to_window(rows, bytes / 2);
    return rows.data();
  }

  const RowMaker& make_;
  std::vector<PatternRow> chr_rom_;
};

}  // namespace nesproof::batch
