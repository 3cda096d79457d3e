// Many dots at once where nothing is rendered: vertical blank, and whatever passes with rendering off.
#pragma once

#include "core/ppu/dots.hpp"

namespace nesproof::core {

constexpr u32 dot_of_frame(u32 line, u32 dot) { return line * kDotsPerLine + dot; }

inline constexpr u32 kPostRenderAt = dot_of_frame(240, 0);
inline constexpr u32 kBusIdleAt = dot_of_frame(240, 1);
inline constexpr u32 kFrameEndAt = dot_of_frame(kVblankLine, 1);
inline constexpr u32 kVblankAt = dot_of_frame(kVblankLine, 2);
inline constexpr u32 kPreRenderAt = dot_of_frame(kPreRenderLine, 0);
inline constexpr u32 kFlagsClearAt = dot_of_frame(kPreRenderLine, 1);
inline constexpr u32 kVblankClearAt = dot_of_frame(kPreRenderLine, 2);
inline constexpr u32 kDotsPerFrame = kDotsPerLine * kLinesPerFrame;

namespace idle_detail {

// Pixels of visible lines up to and with a position.
constexpr u32 pixels_until(u32 line, u32 dot) {
  return line < kDrawnLines ? line * 256 + (dot < 256 ? dot : 256) : kDrawnLines * 256;
}

// Recording: rows for the lines whose dot 1 is passed, pixels for one that was taken as pixels before.
template <class S>
__attribute__((noinline)) void record_blank_dots(S s, u32 dots) {
  u32 line = s.ppu_scanline(), dot = s.ppu_dot();
  const u32 line_before = line, dot_before = dot;
  while (dots != 0 && line < kDrawnLines) {
    u32 here = kDotsPerLine - 1 - dot;
    if (here > dots) here = dots;
    if (dot == 0 && here != 0) {
      s.log->lines[line] = {s.ppu_v(), s.ppu_fine_x(), s.ppu_control(), s.ppu_pipeline_mask(), LineKind::Blank};
    } else if (s.log->lines[line].kind == LineKind::Pixels) {
      for (u32 x = dot; x < dot + here && x < 256; ++x) record_pixel(s, x, backdrop_entry(s));
    }
    dots -= here;
    if (dots == 0) break;
    --dots;  // to dot 0
    dot = 0;
    s.ppu_scanline() = static_cast<u16>(++line);
  }
  s.ppu_scanline() = static_cast<u16>(line_before);
  s.ppu_dot() = static_cast<u16>(dot_before);
}

template <class S>
void pass_landmarks(S s, u32 from, u32 to) {
  const auto passed = [from, to](u32 landmark) { return from < landmark && landmark <= to; };
  if (passed(kBusIdleAt)) put_address(s, s.ppu_v() & 0x3FFF);
  if (passed(kFrameEndAt)) end_frame(s);
  if (passed(kVblankAt)) raise_vblank(s);
  if (passed(kFlagsClearAt)) clear_sprite_flags(s);
  if (passed(kVblankClearAt)) s.ppu_vblank() = 0;
}

}  // namespace idle_detail

// Makes up to `dots` dots and returns how many; 0 where something is rendered, or where only single dots will do. It
// stops before line 261 with rendering on, and before the end of line 261 otherwise.
template <class S>
__attribute__((noinline)) u32 idle_jump(S s, u32 dots) {
  using namespace idle_detail;
  const u32 line = s.ppu_scanline(), dot = s.ppu_dot(), from = dot_of_frame(line, dot);
  if ((s.ppu_unit_restart() | s.ppu_hit_delay() | s.ppu_overflow_delay()) != 0) return 0;
  const bool may_render = (s.ppu_pipeline_mask() | (s.ppu_mask_delay() != 0 ? s.ppu_mask() : 0)) & kMaskRendering;
  u32 last = kDotsPerFrame - 1;
  if (may_render) {
    if (from < kPostRenderAt - 1 || from >= kPreRenderAt - 1) return 0;
    last = kPreRenderAt - 1;
  }
  if constexpr (S::Board::kWatchesA12) {
    if (from < kBusIdleAt && last >= kBusIdleAt) last = kBusIdleAt - 1;  // the board sees when the bus changes
  }
  const u32 made = last - from < dots ? last - from : dots;
  if (made == 0) return 0;
  const bool delayed = delay_pending(s);
  if (s.log != nullptr && line < kDrawnLines) {
    if (delayed) return 0;  // backdrops follow v, the palette and the colours
    record_blank_dots(s, made);
  }
  if constexpr (S::Board::kWatchesA12) {
    if (delayed) pass_delays_watched(s, made, s.lazy_ppu_time());
  } else if (delayed) {
    pass_delays_idle(s, made);
  }
  const u32 to = from + made, new_line = to / kDotsPerLine, new_dot = to % kDotsPerLine;
  const u32 pixels = pixels_until(new_line, new_dot) - pixels_until(line, dot);
  if (pixels != 0) {
    pay_owed_dots(s);
    count_units_down(s, pixels);
  }
  pass_landmarks(s, from, to);
  s.ppu_scanline() = static_cast<u16>(new_line);
  s.ppu_dot() = static_cast<u16>(new_dot);
  return made;
}

// Until when nothing but delays happens, from a position in vertical blank.
template <class S>
u32 quiet_until(S s) {
  const u32 at = dot_of_frame(s.ppu_scanline(), s.ppu_dot());
  const bool flag_or_restart_comes = (s.ppu_unit_restart() | s.ppu_hit_delay() | s.ppu_overflow_delay()) != 0;
  const bool quiet = at >= kVblankAt && at < kPreRenderAt && !flag_or_restart_comes;
  return s.lazy_ppu_time() + (quiet ? kPreRenderAt - 1 - at : 0);
}

// The short way through vertical blank. False where `dot_time` lies beyond what is known to be quiet.
template <class S>
bool pass_quiet_dots(S s, u32 dot_time) {
  if (since(s.lazy_ppu_quiet_until(), dot_time) < 0) return false;
  const u32 dots = dot_time - s.lazy_ppu_time();
  if (dots == 0) return true;
  s.lazy_ppu_time() = dot_time;
  if constexpr (S::Board::kWatchesA12) {
    if (delay_pending(s)) pass_delays_watched(s, dots, dot_time - dots);
  } else if (delay_pending(s)) {
    pass_delays_idle(s, dots);
  }
  u32 dot = s.ppu_dot() + dots;
  if (dot >= kDotsPerLine) {
    s.ppu_scanline() += static_cast<u16>(dot / kDotsPerLine);
    dot %= kDotsPerLine;
  }
  s.ppu_dot() = static_cast<u16>(dot);
  return true;
}

}  // namespace nesproof::core
