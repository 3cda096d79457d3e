// What the PPU writes down while a frame is recorded (draw/log.hpp), and when a description no longer holds.
//
// The row of the line that the PPU is in has a meaning from its dot 1 on:
//
//   Pixels            every pixel up to the current dot is in the frame; whoever goes on puts pixels
//   Rendered, Blank   the pixels up to the current dot are what the row describes, and the rest will be unless
//   something
//                     disturbs the line; then `take_line_as_pixels` draws it as described, and the pixels that follow
//                     go over it
//
// Whoever makes dot 1 of a visible line sets its kind. A row may say Rendered only where `line_is_as_described`: what
// a drawn line takes from OAM, CHR and the nametables was fetched during the line before.
#pragma once

#include "core/ppu/registers.hpp"
#include "core/system.hpp"
#if __has_include("core/draw/lines.hpp")
#include "core/draw/lines.hpp"
#else
namespace nesproof::core {
template <class S>
void draw_logged_lines(S, u32) {}
}  // namespace nesproof::core
#endif

namespace nesproof::core {

// At dot 0 of a line: no register or memory that its prefetches and its sprites come from has changed since the line
// before began. For line 0 the sprite units must be empty as well.
template <class S>
bool line_is_as_described(S s) {
  return since(s.lazy_ppu_time(), s.lazy_ppu_disturbed_at()) >= static_cast<i32>(kDotsPerLine);
}

// Whether the line that the PPU is in, past dot 0, is drawn pixel by pixel. Recording only.
template <class S>
bool line_takes_pixels(S s) {
  return s.log->lines[s.ppu_scanline()].kind == LineKind::Pixels;
}

// Recording, within dots 1-340 of a visible line.
template <class S>
[[gnu::noinline]] void take_line_as_pixels(S s) {
  const u32 line = s.ppu_scanline();
  if (s.log->lines[line].kind == LineKind::Pixels) return;
  draw_logged_lines(s, line + 1);
  s.log->lines[line].kind = LineKind::Pixels;
}

// Before anything changes that pictures are made of: fine x, PPUCTRL, PPUMASK in the pipeline, v other than by the
// pipeline, OAM, OAMADDR, CHR-RAM, nametables, palette.
template <class S>
[[gnu::noinline]] void disturb_recording(S s) {
  s.lazy_ppu_disturbed_at() = s.lazy_ppu_time();
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  if (line < kDrawnLines && dot >= 1 && dot < 256) take_line_as_pixels(s);
}
template <class S>
void disturb(S s) {
  if (s.log != nullptr) disturb_recording(s);
}

// Before a memory changes: also the lines that are over are drawn from it as it was.
template <class S>
[[gnu::noinline]] void draw_lines_that_are_over(S s) {
  disturb_recording(s);
  const u32 line = s.ppu_scanline();
  if (line < kDrawnLines) {
    draw_logged_lines(s, s.ppu_dot() >= 1 ? line + 1 : line);
  } else if (line < kVblankLine || (line == kVblankLine && s.ppu_dot() == 0)) {
    draw_logged_lines(s, kDrawnLines);
  }
}
template <class S>
void memory_will_change(S s) {
  if (s.log != nullptr) draw_lines_that_are_over(s);
}

// --- Pixels
template <class S>
void record_pixel(S s, u32 x, u8 colour) {
  const u32 at = s.ppu_scanline() * 256 + x;
  const u8 mask = early_mask(s);
  const u32 shown = colour & colour_mask(mask);
  if (s.log->pixel_bytes == 1) {
    s.log->frame[at] = static_cast<u8>(shown);
  } else {
    const u32 wide = shown | emphasis(mask);
    s.log->frame[at * 2] = static_cast<u8>(wide);
    s.log->frame[at * 2 + 1] = static_cast<u8>(wide >> 8);
  }
}

}  // namespace nesproof::core
