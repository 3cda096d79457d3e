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
    if constexpr (Board::kHasRegisters) {
      const core::u32 count = s.log->window_count;
      for (core::u32 i = 0; i < count; ++i) {
        const core::LoggedWindows& logged = s.log->windows[i];
        PictureWindows& windows = source.windows[i];
        for (core::u32 k = 0; k < 4; ++k) {
          windows.nametables[k] = &s.cartridge_nametables(logged.nametable[k] * 0x400u);
        }
        for (core::u32 k = 0; k < 8; ++k) windows.patterns.rows[k] = rows + logged.chr[k] * 0x400u / kChrBytesPerRow;
        if (i + 1 < count) windows.end_line = s.log->windows[i + 1].first_line;
      }
    } else {
      PictureWindows& windows = source.windows[0];
      for (core::u32 k = 0; k < 4; ++k) windows.nametables[k] = &s.nametable(static_cast<core::u16>(0x400 * k));
      for (core::u32 k = 0; k < 8; ++k) {
        windows.patterns.rows[k] = rows + Board::chr_offset(s, static_cast<core::u16>(0x400 * k)) / kChrBytesPerRow;
      }
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
