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

// Where lines take their tiles from, up to a line.
struct PictureWindows {
  const core::u8* nametables[4];  // at $2000, $2400, $2800 and $2C00
  PatternWindows patterns;
  core::u32 end_line = core::kDrawnLines;
};

// What a picture is made of, beside the log.
struct PictureSource {
  core::View<core::Aos> state;
  PictureWindows windows[core::DrawLog::kMostWindows];  // by line; the last ends where the picture does
};

// Draws what is logged and undrawn of the lines before `upto`.
void draw_picture(const PictureSource& source, core::DrawLog& log, const RowMaker& make, core::u32 upto);

// Draws for one cartridge. Any number of threads may use one at once.
class Painter {
 public:
  explicit Painter(const core::Cartridge& cartridge, const RowMaker& make = fastest_rows());

  // As core::draw_logged_lines.
  template <class Layout, class Board, class Cartridge, class Log>
  void draw_lines(const core::System<Layout, Board, Cartridge, Log>& s, core::u32 upto) const {
    core::draw_line_by_line(s, upto);
  }
  template <class Board, class Cartridge, class Log>
  void draw_lines(const core::System<core::Aos, Board, Cartridge, Log>& s, core::u32 upto) const {
    if (upto < s.log->first_undrawn + kLinesWorthAPicture) return core::draw_line_by_line(s, upto);
    PictureSource source{{core::Aos{s.base}}, {}};
    const PatternRow* const rows = chr_rom_.empty() ? unpacked_chr_ram(s) : chr_rom_.data();
    const auto put = [&](PictureWindows& windows, const core::LoggedWindows& seen) {
      for (core::u32 i = 0; i < 4; ++i) windows.nametables[i] = &s.cartridge_nametables(seen.nametable[i] * 0x400u);
      for (core::u32 i = 0; i < 8; ++i) windows.patterns.rows[i] = rows + seen.chr[i] * 0x400u / kChrBytesPerRow;
    };
    if constexpr (Board::kHasRegisters) {
      for (core::u32 i = 0; i < s.log->window_count; ++i) {
        put(source.windows[i], s.log->windows[i]);
        if (i != 0) source.windows[i - 1].end_line = s.log->windows[i].first_line;
      }
    } else {
      put(source.windows[0], core::windows_now(s, 0));
    }
    draw_picture(source, *s.log, make_, upto);
  }

 private:
  // Before the first line something is made of all sprites and patterns.
  static constexpr core::u32 kLinesWorthAPicture = 8;

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

// A log whose lines are drawn that way also while a frame runs, where a memory changes.
struct PaintedLog : core::DrawLog {
  const Painter* painter;

  template <class S>
  __attribute__((noinline)) void draw_lines(const S& s, core::u32 upto) const {
    painter->draw_lines(s, upto);
  }
};

}  // namespace nesproof::batch
