// What the PPU writes down while a frame is recorded (draw/log.hpp), and when a description no longer holds.
//
// The row of the line that the PPU is in has a meaning from its dot 1 on:
//
//   Pixels            every pixel up to the current dot is in the frame; whoever goes on puts pixels
//   Rendered, Blank   the pixels up to the current dot are as the row says, and so will be the rest unless something
//                     disturbs the line; then the row is drawn, and the pixels that follow go over it
//
// Whoever makes dot 1 of a visible line sets its kind. A row may say Rendered only where everything that a drawn line
// takes from OAM, CHR and the nametables was fetched undisturbed: lazy_ppu_disturbed_at lies a line behind its dot 0
// (line_jump.hpp).
#pragma once

#include "core/draw/lines.hpp"
#include "core/ppu/registers.hpp"
#include "core/system.hpp"
#include "faults/hooks.hpp"

namespace nesproof::core {

// Whether the line that the PPU is in, past dot 0, is drawn pixel by pixel. Recording only.
template <class S>
bool line_takes_pixels(S s) {
  return s.log->lines[s.ppu_scanline()].kind == LineKind::Pixels;
}

// Recording, within dots 1-340 of a visible line.
template <class S>
__attribute__((noinline)) void take_line_as_pixels(S s) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  if (s.log->lines[line].kind == LineKind::Pixels) return;
  dot < 256 ? split_line(s, line, dot) : draw_line(s, line);  // what has been shown
  s.log->lines[line].kind = LineKind::Pixels;
}

// The first dot of a line after which a change of something makes its fetches for the next line differ from what that
// line's row would say; at dot 0 they lie behind, and the row is still to be begun.
inline constexpr u32 kFirstEvaluationDot = 65;  // OAM, OAMADDR, sprite size and pattern table
inline constexpr u32 kFirstFetchDot = 257;      // windows of CHR and nametables
inline constexpr u32 kFirstPrefetchDot = 321;   // v, the background's pattern table
inline constexpr u32 kNoPrefetchDot = 341;      // what acts on pixels alone: fine x, palette, colours

// Before anything changes that pictures are made of: fine x, PPUCTRL, PPUMASK in the pipeline, v other than by the
// pipeline, OAM, OAMADDR, CHR-RAM, nametables, palette. From `first_dot` on it disturbs the next line as well.
template <class S>
__attribute__((noinline)) void disturb_recording(S s, u32 first_dot) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot(), now = s.lazy_ppu_time();
  const bool fetched = dot >= first_dot || (dot == 0 && first_dot != kNoPrefetchDot);
  const bool reaches_further = s.lazy_ppu_disturbed_at() - now <= kDotsPerLine;  // disturb_evaluation
  if (fetched && !reaches_further) s.lazy_ppu_disturbed_at() = now;
  NESPROOF_FAULT(log_loses_changes_in_a_line, return);
  if (line < kDrawnLines && dot >= 1 && dot <= 256) take_line_as_pixels(s);
}
template <class S>
void disturb(S s, u32 first_dot = 0) {
  if (s.log != nullptr) disturb_recording(s, first_dot);
}

// Before OAMADDR changes, or rendering goes on or off, so that the next evaluation may not begin at OAM 0: the sprites
// that it finds stand on the line after the next.
template <class S>
void disturb_evaluation(S s) {
  if (s.log == nullptr) return;
  disturb_recording(s, 0);
  s.lazy_ppu_disturbed_at() = s.lazy_ppu_time() + kDotsPerLine;
}

// Before fine x changes, which picks pixels and nothing else: the row goes on with the new one.
template <class S>
__attribute__((noinline)) void record_fine_x(S s, u8 fine_x) {
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  if (line >= kDrawnLines || dot == 0 || dot >= 256 || s.log->lines[line].kind != LineKind::Rendered) return;
  change_fine_x(s, line, dot, fine_x);
}
template <class S>
void fine_x_will_change(S s, u8 fine_x) {
  if (s.log != nullptr) record_fine_x(s, fine_x);
}

// How many lines of the picture that is recorded are over, or begun and described so far.
template <class S>
u32 lines_begun(S s) {
  const u32 line = s.ppu_scanline();
  if (line < kDrawnLines) return s.ppu_dot() >= 1 ? line + 1 : line;
  const bool is_over = line < kVblankLine || (line == kVblankLine && s.ppu_dot() == 0) || s.ppu_frame_ended();
  return is_over ? kDrawnLines : 0;  // over: nobody has taken the frame yet
}

// Before a memory changes: also the lines that are over are drawn from it as it was.
template <class S>
__attribute__((noinline)) void draw_lines_that_are_over(S s) {
  disturb_recording(s, 0);
  draw_logged_lines(s, lines_begun(s));
}
template <class S>
void memory_will_change(S s) {
  if (s.log != nullptr) draw_lines_that_are_over(s);
}

// Before windows of CHR or nametables move, and after: the lines that are over keep those that they saw.
template <class S>
__attribute__((noinline)) void keep_room_for_windows(S s) {
  disturb_recording(s, kFirstFetchDot);
  const u32 begun = lines_begun(s);
  if (has_room_for_windows(*s.log, begun)) return;
  draw_logged_lines(s, begun);
  s.log->window_count = 0;
}
template <class S>
void windows_will_move(S s) {
  if (s.log != nullptr) keep_room_for_windows(s);
}
template <class S>
void windows_have_moved(S s) {
  if (s.log != nullptr) log_windows(s, lines_begun(s));
}

// Pixel `x` of the line that the PPU is in. The colours follow PPUMASK sooner than the pipeline does.
template <class S>
void record_pixel(S s, u32 x, u32 entry) {
  const u8 mask = early_mask(s);
  put_pixel(s, s.ppu_scanline(), x, (s.ppu_palette(entry) & colour_mask(mask)) | emphasis(mask));
}

}  // namespace nesproof::core
