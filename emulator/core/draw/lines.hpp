// From a line's record to its pixels, and when they are drawn: https://www.nesdev.org/wiki/PPU_rendering
//
//   begin_recording     at the end of the frame before (scanline 241, dot 1), or at power-on
//   put_pixel           for lines that go dot by dot
//   split_line, change_fine_x   within a line, for what acts on pixels alone
//   draw_logged_lines   before a memory changes that logged lines are made of
//   log_windows         after windows moved
//   draw_rest           after the frame's end, before the console goes on
//
//   draw_line, draw_eight_pixels   one line, and eight pixels of one: they write those pixels and nothing else, so that
//                                  many threads may draw one console
//
// Drawn are the lines that a record describes: nothing disturbed them or the line before, where their first two tiles
// and their sprites come from, and their colours are those of the record's mask throughout.
#pragma once

#include "core/draw/background.hpp"
#include "core/draw/sprites.hpp"
#include "core/draw/windows_seen.hpp"
#include "core/ppu/registers.hpp"
#include "core/system.hpp"

namespace nesproof::core {

inline constexpr u32 kPictureWidth = 256;

namespace draw_detail {

constexpr u64 kEveryPixel = 0x0101010101010101;

// Bytes of 0 or 1, the leftmost pixel in the lowest.
constexpr u64 pixels_of_plane(u32 plane) {
  const u64 bits = kEveryPixel * (plane & 0xFF) & 0x0102040810204080;  // each pixel's in its own byte
  return (bits + 0x7F7F7F7F7F7F7F7F) >> 7 & kEveryPixel;
}
static_assert(pixels_of_plane(0x80) == 1 && pixels_of_plane(0x103) == 0x0101000000000000);

// What the mask makes of a palette entry.
template <class S>
u32 colour_of(const S& s, u8 mask, u32 entry) {
  return (s.ppu_palette(entry) & colour_mask(mask)) | emphasis(mask);
}

inline void put(DrawLog& log, u32 at, u32 colour) {
  if (log.pixel_bytes == 1) {
    log.frame[at] = static_cast<u8>(colour & 0x3F);
  } else {
    reinterpret_cast<u16*>(log.frame)[at] = static_cast<u16>(colour);
  }
}

// Pixels `first` to 7 of the eight that lie at `at`, a multiple of eight; `colours` without emphasis, the leftmost in
// the lowest byte.
inline void put_eight(DrawLog& log, u32 at, u32 first, u64 colours, u16 emphasised) {
  if (log.pixel_bytes == 1 && first == 0) {
    *reinterpret_cast<u64*>(log.frame + at) = colours;
  } else {
    for (u32 i = first; i < 8; ++i) put(log, at + i, (colours >> (8 * i) & 0x3F) | emphasised);
  }
}

// A line that is not rendered shows the backdrop, or the palette entry that v points at.
constexpr u32 entry_of_blank(const LineRecord& record) { return (record.v & 0x3F00) == 0x3F00 ? record.v & 0x1Fu : 0; }

// Eight pixels of a line from `x` on, a multiple of eight; those before the record's first are left out.
template <class S>
void put_blank(const S& s, const LineRecord& record, u32 line, u32 x) {
  const u64 colour = s.ppu_palette(entry_of_blank(record)) & colour_mask(record.mask);
  const u32 first = record.first_x > x ? record.first_x - x : 0;
  put_eight(*s.log, line * kPictureWidth + x, first, colour * kEveryPixel, emphasis(record.mask));
}

// The same of a rendered line; `tile` is what the background has there.
template <class S>
void put_rendered(const S& s, const LineRecord& record, u32 line, u64 set, u32 x, TilePlanes tile) {
  const u32 opaque = x >= first_background_x(record.mask) ? (tile | tile >> 8) & 0xFF : 0;
  SpritePlanes sprites;
  if (set != 0 && x >= first_sprite_x(record.mask)) sprites = sprites_at(s, record.control, line, set, x);
  const u32 over = sprites.taken & ~(sprites.behind & opaque);
  const TilePlanes planes = (tile & kEveryPlane * (opaque & ~over)) | (sprites.planes & kEveryPlane * over);
  const u64 entries = pixels_of_plane(planes) | pixels_of_plane(planes >> 8) << 1 | pixels_of_plane(planes >> 16) << 2 |
                      pixels_of_plane(planes >> 24) << 3 | pixels_of_plane(over) << 4;
  u64 colours = 0;
  for (u32 i = 0; i < 8; ++i) colours |= static_cast<u64>(s.ppu_palette(entries >> (8 * i) & 0x1F)) << (8 * i);
  const u32 first = record.first_x > x ? record.first_x - x : 0;
  put_eight(*s.log, line * kPictureWidth + x, first, colours & colour_mask(record.mask) * kEveryPixel,
            emphasis(record.mask));
}

// The pixels before the record's first, if they are not drawn: a row of their own.
constexpr bool has_other_half(const LineRecord& record) {
  return record.first_x != 0 && record.fine_x_before != LineRecord::kInFrame;
}
constexpr LineRecord other_half(const LineRecord& record) {
  LineRecord before = record;
  before.fine_x = record.fine_x_before;
  before.first_x = 0;
  return before;
}

// The pixels from the record's first on, in steps of eight up to and with that before `end`.
template <class S>
void put_half(const S& s, const LineRecord& record, u32 line, u64 set, u32 end) {
  const u32 first = record.first_x / 8;
  if (record.kind == LineKind::Blank) {
    for (u32 eight = first; eight * 8 < end; ++eight) put_blank(s, record, line, eight * 8);
  } else if (record.kind == LineKind::Rendered) {
    TilePlanes left = background_tile(s, record, first);
    for (u32 eight = first; eight * 8 < end; ++eight) {
      const TilePlanes right = background_tile(s, record, eight + 1);
      put_rendered(s, record, line, set, eight * 8, shifted(left, right, record.fine_x));
      left = right;
    }
  }
}

// All pixels of the line that are not in the frame, in steps of eight up to and with that before `end`.
template <class S>
void put_line(const S& s, const LineRecord& record, u32 line, u64 set, u32 end) {
  if (has_other_half(record)) put_half(s, other_half(record), line, set, record.first_x);
  put_half(s, record, line, set, end);
}

// Pixels 8 * `eight` to 8 * `eight` + 7 from the record's first on.
template <class S>
void put_eight_of(const S& s, const LineRecord& record, u32 line, u64 set, u32 eight) {
  if (record.first_x >= eight * 8 + 8) return;
  if (record.kind == LineKind::Blank) {
    put_blank(s, record, line, eight * 8);
  } else if (record.kind == LineKind::Rendered) {
    const TilePlanes left = background_tile(s, record, eight), right = background_tile(s, record, eight + 1);
    put_rendered(s, record, line, set, eight * 8, shifted(left, right, record.fine_x));
  }
}

}  // namespace draw_detail

// From here on lines are recorded in `s.log`, whose frame and size of a pixel the caller has set. Lines that are over
// by now stay in the frame as they are.
template <class S>
void begin_recording(const S& s) {
  s.log->first_undrawn = 0;
  s.log->window_count = 0;
  log_windows(s, 0);
  for (LineRecord& record : s.log->lines) record.kind = LineKind::Pixels;
}

// `colour`: palette RAM's byte in bits 0-5, emphasis in bits 6-8.
template <class S>
void put_pixel(const S& s, u32 line, u32 x, u32 colour) {
  draw_detail::put(*s.log, line * kPictureWidth + x, colour);
}

// Pixels 8 * `eight` to 8 * `eight` + 7 of a line. `set` is sprites_of_line(s, line, height), the height being that of
// the record's PPUCTRL.
template <class S>
void draw_eight_pixels(const S& s, u32 line, u64 set, u32 eight) {
  using namespace draw_detail;
  const auto seen = as_seen_by_line(s, line);
  const LineRecord& record = s.log->lines[line];
  if (has_other_half(record) && eight * 8 < record.first_x) put_eight_of(seen, other_half(record), line, set, eight);
  put_eight_of(seen, record, line, set, eight);
}

// A line; `set` as above.
template <class S>
void draw_line(const S& s, u32 line, u64 set) {
  draw_detail::put_line(as_seen_by_line(s, line), s.log->lines[line], line, set, kPictureWidth);
}

// A line on its own.
template <class S>
void draw_line(const S& s, u32 line) {
  draw_line(s, line, sprites_of_line(s, line, sprite_rows(s.log->lines[line].control)));
}

// Draws the pixels before `x` (1-255) that are not drawn yet; the rest is drawn as the row will say then. Between the
// two may change what is taken pixel by pixel and not fetched before: the row's fine x, and of its mask all but whether
// anything is rendered.
template <class S>
void split_line(const S& s, u32 line, u32 x) {
  LineRecord& record = s.log->lines[line];
  const u64 set = sprites_of_line(s, line, sprite_rows(record.control));
  draw_detail::put_line(as_seen_by_line(s, line), record, line, set, x);
  record.first_x = static_cast<u8>(x);
  record.fine_x_before = LineRecord::kInFrame;
}

// Fine x changes before pixel `x` (1-255) of a line is taken. The first time nothing needs to be drawn for that.
template <class S>
void change_fine_x(const S& s, u32 line, u32 x, u8 fine_x) {
  LineRecord& record = s.log->lines[line];
  if (record.first_x == 0) {
    record.first_x = static_cast<u8>(x);
    record.fine_x_before = record.fine_x;
  } else {
    split_line(s, line, x);
  }
  record.fine_x = fine_x;
}

// What is logged and undrawn of the lines before `upto`, whose rows are complete.
template <class S>
void draw_line_by_line(const S& s, u32 upto) {
  constexpr u32 kLinesAtOnce = 16;
  SpritesOfLines<kLinesAtOnce> sprites;
  DrawLog& log = *s.log;
  for (; log.first_undrawn < upto; ++log.first_undrawn) {
    const u32 line = log.first_undrawn;
    if (log.lines[line].kind == LineKind::Pixels) continue;
    const u32 height = sprite_rows(log.lines[line].control);
    if (!sprites.hold(line, height)) sprites.find(s, line, height);
    draw_line(s, line, sprites.shown_by(line));
  }
}

// The same, by a faster way where whoever keeps the log has one.
template <class S>
void draw_logged_lines(const S& s, u32 upto) {
  if constexpr (requires { s.log->draw_lines(s, upto); }) {
    s.log->draw_lines(s, upto);
  } else {
    draw_line_by_line(s, upto);
  }
}

template <class S>
void draw_rest(const S& s) {
  draw_logged_lines(s, kDrawnLines);
}

}  // namespace nesproof::core
