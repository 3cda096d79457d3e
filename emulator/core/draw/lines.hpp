// From a line's record to its pixels, and when they are drawn: https://www.nesdev.org/wiki/PPU_rendering
//
//   begin_recording     at the end of the frame before (scanline 241, dot 1), or at power-on
//   put_pixel           for lines that go dot by dot
//   draw_logged_lines   before a memory changes that logged lines are made of
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
#include "core/ppu/registers.hpp"
#include "core/system.hpp"

namespace nesproof::core {

inline constexpr u32 kPictureWidth = 256;

namespace draw_detail {

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

template <class S>
void put_blank(const S& s, const LineRecord& record, u32 at, u32 pixels) {
  const u32 entry = (record.v & 0x3F00) == 0x3F00 ? record.v & 0x1Fu : 0;
  const u32 colour = colour_of(s, record.mask, entry);
  for (u32 i = 0; i < pixels; ++i) put(*s.log, at + i, colour);
}

// Eight pixels of a rendered line from `x` on, a multiple of 8; `tile` is what the background has there.
template <class S>
void put_rendered(const S& s, const LineRecord& record, u32 line, u64 set, u32 x, TilePlanes tile) {
  const u32 opaque = x >= first_background_x(record.mask) ? (tile | tile >> 8) & 0xFF : 0;
  SpritePlanes sprites;
  if (set != 0 && x >= first_sprite_x(record.mask)) sprites = sprites_at(s, record.control, line, set, x);
  const u32 over = sprites.taken & ~(sprites.behind & opaque);
  const TilePlanes planes = (tile & kEveryPlane * (opaque & ~over)) | (sprites.planes & kEveryPlane * over);
  for (u32 i = 0; i < 8; ++i) {
    const u32 bits = planes >> (7 - i);
    const u32 entry = (bits & 1) | (bits >> 7 & 2) | (bits >> 14 & 4) | (bits >> 21 & 8) | (over >> (7 - i) & 1) << 4;
    put(*s.log, line * kPictureWidth + x + i, colour_of(s, record.mask, entry));
  }
}

}  // namespace draw_detail

// From here on lines are recorded in `s.log`, whose frame and size of a pixel the caller has set. Lines that are over
// by now stay in the frame as they are.
template <class S>
void begin_recording(const S& s) {
  s.log->first_undrawn = 0;
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
  const LineRecord& record = s.log->lines[line];
  if (record.kind == LineKind::Blank) {
    draw_detail::put_blank(s, record, line * kPictureWidth + eight * 8, 8);
  } else if (record.kind == LineKind::Rendered) {
    const TilePlanes left = draw_detail::background_tile(s, record, eight);
    const TilePlanes right = draw_detail::background_tile(s, record, eight + 1);
    draw_detail::put_rendered(s, record, line, set, eight * 8, draw_detail::shifted(left, right, record.fine_x));
  }
}

// A line; `set` as above.
template <class S>
void draw_line(const S& s, u32 line, u64 set) {
  const LineRecord& record = s.log->lines[line];
  if (record.kind == LineKind::Blank) {
    draw_detail::put_blank(s, record, line * kPictureWidth, kPictureWidth);
  } else if (record.kind == LineKind::Rendered) {
    TilePlanes left = draw_detail::background_tile(s, record, 0);
    for (u32 eight = 0; eight < kPictureWidth / 8; ++eight) {
      const TilePlanes right = draw_detail::background_tile(s, record, eight + 1);
      draw_detail::put_rendered(s, record, line, set, eight * 8, draw_detail::shifted(left, right, record.fine_x));
      left = right;
    }
  }
}

// A line on its own.
template <class S>
void draw_line(const S& s, u32 line) {
  draw_line(s, line, sprites_of_line(s, line, sprite_rows(s.log->lines[line].control)));
}

// What is logged and undrawn of the lines before `upto`, whose rows are complete.
template <class S>
void draw_logged_lines(const S& s, u32 upto) {
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

template <class S>
void draw_rest(const S& s) {
  draw_logged_lines(s, kDrawnLines);
}

}  // namespace nesproof::core
